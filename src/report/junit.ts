import type { Outcome, RequirementResult } from '../run/outcome.ts';
import { failureText } from './failure-text.ts';
import { summaryLine } from './group-failures.ts';
import { escapeHtml, escapeXmlAttribute } from './text/escape.ts';
import type { ShownVerdict } from './text/shown-verdicts.ts';
import { type Group, groups, isUnexpectedPass, shownVerdictOf } from './verdicts.ts';

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

const endingOf = (result: RequirementResult): Ending =>
  isUnexpectedPass(result) ? 'failure' : endings[shownVerdictOf(result)];

const messageOf = (result: RequirementResult): string => {
  if (isUnexpectedPass(result))
    return 'Listed among the known failures, and passes again: take it off the list.';
  const why = summaryLine(result.failures) ?? result.reason ?? result.verdict;
  if (shownVerdictOf(result) === 'known') return `known failure: ${result.known ?? ''}. ${why}`;
  return shownVerdictOf(result) === 'inconclusive' ? `inconclusive: ${why}` : why;
};

const details = (result: RequirementResult): string =>
  result.failures.map((failure) => failureText(result, failure, { colour: false })).join('\n\n');

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXmlAttribute(String(value))}"`)
    .join('');

/** What a requirement without an ending of its own has to say: warnings, and what was observed. */
const remarks = (outcome: Outcome, result: RequirementResult): string =>
  [
    ...(result.verdict === 'warned' ? [`Warning (${result.level}).`, details(result)] : []),
    ...outcome.observations
      .filter(({ id }) => id === result.id)
      .map(({ subject, value }) => `${subject}: ${value}`),
  ].join('\n');

const inner = (outcome: Outcome, result: RequirementResult): string => {
  const ending = endingOf(result);
  const attribute = { message: messageOf(result), ...(ending === 'skipped' ? {} : { type: result.level }) };
  const output = remarks(outcome, result);
  return [
    ...(ending === 'none'
      ? []
      : [`<${ending}${attributes(attribute)}>${escapeHtml(details(result))}</${ending}>`]),
    ...(output === '' ? [] : [`<system-out>${escapeHtml(output)}</system-out>`]),
  ]
    .map((element) => `\n      ${element}`)
    .join('');
};

const testCase = (outcome: Outcome, group: Group, result: RequirementResult): string => {
  const name = `${result.id} ${result.statement}`;
  const content = inner(outcome, result);
  const open = `    <testcase${attributes({ classname: `conformance.${group.id}`, name, time: '0' })}`;
  return content === '' ? `${open}/>` : `${open}>${content}\n    </testcase>`;
};

const totals = (results: readonly RequirementResult[]) => {
  const of = (ending: Ending) => results.filter((result) => endingOf(result) === ending).length;
  return { tests: results.length, failures: of('failure'), errors: of('error'), skipped: of('skipped') };
};

/**
 * The outcome as JUnit XML: a suite a group, a case a requirement. Failures, faults of the suite, and what was not decided stay
 * apart; a warning passes and says so in its output; a known failure is skipped with its reason.
 */
export const junitXml = (outcome: Outcome): string => {
  const time = (outcome.durationMs / 1_000).toFixed(3);
  const timestamp = outcome.startedAt;
  const suites = groups(outcome.requirements).map((group) => {
    const name = `${group.id} ${group.title}`;
    const cases = group.results.map((result) => testCase(outcome, group, result)).join('\n');
    const totalsOf = attributes({ name, ...totals(group.results), time: '0', timestamp });
    return `  <testsuite${totalsOf}>\n${cases}\n  </testsuite>`;
  });
  const head = attributes({ name: outcome.tool.name, ...totals(outcome.requirements), time });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${head}>\n${suites.join('\n')}\n</testsuites>\n`;
};
