import type { AnyResult, Failure, FailureFacts, Outcome, RequirementResult } from '../run/outcome.ts';
import { failureText } from './failure-text.ts';
import { summaryLine } from './group-failures.ts';
import { headline } from './headline.ts';
import { escapeHtml, escapeXmlAttribute } from './text/escape.ts';
import { junitWords as words } from './text/report-files.ts';
import { passesNow, type ShownVerdict } from './text/shown-verdicts.ts';
import { capitalized } from './text/units.ts';
import { type Group, groups, isUnexpectedPass, shownVerdictOf } from './verdicts.ts';

/** The parts of an outcome that a JUnit file has. */
type JunitRun<F extends FailureFacts> = Pick<
  Outcome<F>,
  'tool' | 'verdict' | 'ended' | 'endedCode' | 'startedAt' | 'durationMs' | 'requirements' | 'observations'
>;

type Ending = 'failure' | 'error' | 'skipped' | 'none';

const endings: Readonly<Record<ShownVerdict, Ending>> = {
  failed: 'failure',
  error: 'error',
  known: 'skipped',
  inconclusive: 'skipped',
  skipped: 'skipped',
  warned: 'none',
  observed: 'none',
  passed: 'none',
};

const endingOf = (result: AnyResult): Ending =>
  isUnexpectedPass(result) ? 'failure' : endings[shownVerdictOf(result)];

/** The failures of a requirement as text. */
export interface FailureTexts<F extends FailureFacts> {
  /** In one sentence; null: there are none. */
  readonly summary: (result: RequirementResult<F>) => string | null;
  readonly details: (result: RequirementResult<F>) => string;
}

const messageOf = <F extends FailureFacts>(
  result: RequirementResult<F>,
  { summary }: FailureTexts<F>,
): string => {
  if (isUnexpectedPass(result)) return capitalized(passesNow());
  const why = summary(result) ?? result.reason ?? result.verdict;
  if (shownVerdictOf(result) === 'known') return words.known(result.known ?? '', why);
  return shownVerdictOf(result) === 'inconclusive' ? words.inconclusive(why) : why;
};

const ofRequests: FailureTexts<Failure> = {
  summary: (result) => summaryLine(result.failures),
  details: (result) =>
    result.failures.map((failure) => failureText(result, failure, { color: false })).join('\n\n'),
};

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXmlAttribute(String(value))}"`)
    .join('');

/** The output of a test case: warnings and observations. */
const remarks = <F extends FailureFacts>(
  outcome: JunitRun<F>,
  result: RequirementResult<F>,
  texts: FailureTexts<F>,
): string =>
  [
    ...(result.verdict === 'warned' ? [words.warning(result.level), texts.details(result)] : []),
    ...outcome.observations
      .filter(({ id }) => id === result.id)
      .map(({ subject, value }) => `${subject}: ${value}`),
  ].join('\n');

const inner = <F extends FailureFacts>(
  outcome: JunitRun<F>,
  result: RequirementResult<F>,
  texts: FailureTexts<F>,
): string => {
  const ending = endingOf(result);
  const attribute = {
    message: messageOf(result, texts),
    ...(ending === 'skipped' ? {} : { type: result.level }),
  };
  const output = remarks(outcome, result, texts);
  return [
    ...(ending === 'none'
      ? []
      : [`<${ending}${attributes(attribute)}>${escapeHtml(texts.details(result))}</${ending}>`]),
    ...(output === '' ? [] : [`<system-out>${escapeHtml(output)}</system-out>`]),
  ]
    .map((element) => `\n      ${element}`)
    .join('');
};

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

const testCase = <F extends FailureFacts>(
  outcome: JunitRun<F>,
  group: Pick<Group, 'id'>,
  result: RequirementResult<F>,
  texts: FailureTexts<F>,
): string => {
  const name = `${result.id} ${result.statement}`;
  const content = inner(outcome, result, texts);
  const time = seconds(result.durationMs);
  const open = `    <testcase${attributes({ classname: `conformance.${group.id}`, name, time })}`;
  return content === '' ? `${open}/>` : `${open}>${content}\n    </testcase>`;
};

const timeOf = (results: readonly AnyResult[]): number =>
  results.reduce((sum, { durationMs }) => sum + durationMs, 0);

const totals = (results: readonly AnyResult[]) => {
  const of = (ending: Ending) => results.filter((result) => endingOf(result) === ending).length;
  return { tests: results.length, failures: of('failure'), errors: of('error'), skipped: of('skipped') };
};

/** An error, so that a run that judged nothing does not look like a run with skipped requirements. */
const notJudgedSuite = (outcome: JunitRun<FailureFacts>): string => {
  const { ended, startedAt, durationMs } = outcome;
  const time = seconds(durationMs);
  const suite = attributes({
    ...{ name: words.run, tests: 1, failures: 0, errors: 1, skipped: 0 },
    ...{ time, timestamp: startedAt },
  });
  const test = attributes({ classname: 'conformance.RUN', name: words.testable, time });
  const error = attributes({ message: ended ?? headline(outcome), type: 'not-judged' });
  return `  <testsuite${suite}>\n    <testcase${test}>\n      <error${error}/>\n    </testcase>\n  </testsuite>`;
};

/**
 * The outcome as JUnit XML: a suite for each group, a test case for each requirement. Failures, errors of the suite, and missing
 * results are different elements. A warning passes, with a note in its output. A known failure is skipped with its reason.
 */
export const junitOf = <F extends FailureFacts>(outcome: JunitRun<F>, texts: FailureTexts<F>): string => {
  const time = seconds(outcome.durationMs);
  const timestamp = outcome.startedAt;
  const suites = groups(outcome.requirements).map((group) => {
    const name = `${group.id} ${group.title}`;
    const cases = group.results.map((result) => testCase(outcome, group, result, texts)).join('\n');
    const totalsOf = attributes({
      name,
      ...totals(group.results),
      time: seconds(timeOf(group.results)),
      timestamp,
    });
    return `  <testsuite${totalsOf}>\n${cases}\n  </testsuite>`;
  });
  const sum = totals(outcome.requirements);
  const notJudged = outcome.verdict === 'not-judged' ? [notJudgedSuite(outcome)] : [];
  const head = attributes({
    name: outcome.tool.name,
    ...sum,
    tests: sum.tests + notJudged.length,
    errors: sum.errors + notJudged.length,
    time,
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${head}>\n${[...notJudged, ...suites].join('\n')}\n</testsuites>\n`;
};

/** A run as JUnit XML. */
export const junitXml = (outcome: JunitRun<Failure>): string => junitOf(outcome, ofRequests);
