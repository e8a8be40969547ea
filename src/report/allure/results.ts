import { createHash } from 'node:crypto';
import { type Label, Stage, Status, type StepResult, type TestResult } from 'allure-js-commons';
import type { Failure, Outcome, RequirementResult } from '../../run/outcome.ts';
import { visible } from '../escape.ts';
import { failureText } from '../failure-text.ts';
import type { ReportFile } from '../files.ts';
import { jsonText } from '../json-text.ts';
import { headerLines } from '../units.ts';
import { groupOf, groups, type Standing, standingOf } from '../verdicts.ts';

const statuses: Readonly<Record<Standing, Status>> = {
  failed: Status.FAILED,
  error: Status.BROKEN,
  known: Status.SKIPPED,
  inconclusive: Status.SKIPPED,
  skipped: Status.SKIPPED,
  warned: Status.PASSED,
  observed: Status.PASSED,
  passed: Status.PASSED,
};

const severities = { MUST: 'critical', SHOULD: 'minor', OPEN: 'trivial' } as const;

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** A UUID that is the same for the same text, so that writing a report twice leaves no second copy. */
const uuidOf = (text: string): string =>
  md5(text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

interface Category {
  readonly name: string;
  readonly matchedStatuses: readonly Status[];
  readonly messageRegex?: string;
}

/**
 * Rules by which Allure sorts what did not pass: in this order, by the beginning of the message. The patterns mean the same in
 * Java and in JavaScript, for either generation of Allure.
 */
export const categories: readonly Category[] = [
  { name: 'Breaches of the interface document', matchedStatuses: [Status.FAILED] },
  { name: 'Faults of the suite itself', matchedStatuses: [Status.BROKEN] },
  { name: 'Known failures', messageRegex: 'known failure: [\\s\\S]*', matchedStatuses: [Status.SKIPPED] },
  { name: 'Not decided', messageRegex: 'inconclusive: [\\s\\S]*', matchedStatuses: [Status.SKIPPED] },
  { name: 'Not tried', messageRegex: 'skipped: [\\s\\S]*', matchedStatuses: [Status.SKIPPED] },
];

const messageOf = (result: RequirementResult): string | undefined => {
  const messages = result.failures.map(({ message }) => visible(message)).join('\n');
  const standing = standingOf(result);
  if (standing === 'known') return `known failure: ${visible(result.known ?? '')}\n${messages}`;
  if (standing === 'inconclusive' || standing === 'skipped')
    return `${standing}: ${visible(result.reason ?? '')}`;
  return messages === '' ? undefined : messages;
};

const exchangeText = (failure: Failure): string => {
  const { request, response } = failure;
  return visible(
    [
      `${request.method} ${request.url}`,
      ...headerLines(request.headers),
      '',
      request.body ?? '',
      '',
      ...(response === null
        ? [`No answer: ${failure.actual}`]
        : [`${response.status}`, ...headerLines(response.headers), '', response.body ?? '']),
    ].join('\n'),
  );
};

const stepOf = (result: RequirementResult, failure: Failure, attachment: string): StepResult => ({
  name: visible(failure.message),
  status: result.verdict === 'warned' ? Status.PASSED : Status.FAILED,
  statusDetails: {
    message: visible(failure.message),
    expected: visible(failure.expected),
    actual: visible(failure.actual),
  },
  stage: Stage.FINISHED,
  steps: [],
  attachments: [
    { name: 'Request and response', type: 'text/plain', source: `${attachment}-exchange-attachment.txt` },
    { name: 'How to repeat it', type: 'text/plain', source: `${attachment}-repeat-attachment.txt` },
  ],
  parameters: [{ name: 'operation', value: visible(failure.operation) }],
});

const labelsOf = (result: RequirementResult, title: string): Label[] => [
  { name: 'parentSuite', value: `${groupOf(result.id)} ${title}` },
  { name: 'epic', value: 'Animal store interface' },
  { name: 'feature', value: title },
  { name: 'severity', value: severities[result.level] },
  { name: 'tag', value: result.level },
  { name: 'tag', value: standingOf(result) },
];

const testOf = (outcome: Outcome, result: RequirementResult, title: string): TestResult => {
  const start = Date.parse(outcome.startedAt);
  const [first] = result.failures;
  const message = messageOf(result);
  const run = `${outcome.startedAt} ${outcome.seed} ${result.id}`;
  return {
    uuid: uuidOf(run),
    // The same from run to run whatever the statement says: history hangs on it.
    historyId: md5(`requirement ${result.id}`),
    testCaseId: md5(`requirement ${result.id}`),
    fullName: `conformance.${result.id}`,
    name: `${result.id} ${visible(result.statement)}`,
    description: `${visible(result.statement)}\n\nSource: ${visible(result.section)}`,
    status: statuses[standingOf(result)],
    statusDetails: {
      ...(message === undefined ? {} : { message }),
      ...(first === undefined ? {} : { trace: failureText(result, first, { colour: false }) }),
    },
    stage: Stage.FINISHED,
    steps: result.failures.map((failure, index) => stepOf(result, failure, `${uuidOf(run)}-${index}`)),
    attachments: [],
    parameters: [],
    labels: labelsOf(result, title),
    links: [],
    start,
    stop: start,
  };
};

const attachmentsOf = (test: TestResult, result: RequirementResult): readonly ReportFile[] =>
  result.failures.flatMap((failure, index) => [
    { name: `${test.uuid}-${index}-exchange-attachment.txt`, content: exchangeText(failure) },
    {
      name: `${test.uuid}-${index}-repeat-attachment.txt`,
      content: `${visible(failure.curl)}\n\n${visible(failure.replay)}\n`,
    },
  ]);

/** A value of a Java properties file: one line, in ASCII. */
const propertyValue = (text: string): string =>
  visible(text)
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replace(/[^\u0020-\u007e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const environment = (outcome: Outcome): string =>
  Object.entries({
    Target: outcome.target.baseUrl,
    Plan: outcome.target.plan ?? 'unknown',
    Seed: String(outcome.seed),
    Started: outcome.startedAt,
    Interface: outcome.interface.version,
    Tool: `${outcome.tool.name} ${outcome.tool.version}`,
  })
    .map(([name, value]) => `${name} = ${propertyValue(value)}\n`)
    .join('');

const executor = (env: Readonly<Record<string, string | undefined>>) => {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID, GITHUB_RUN_NUMBER } = env;
  if (GITHUB_RUN_ID === undefined) return { name: 'animal-store-conformance', type: 'local' };
  return {
    name: 'GitHub Actions',
    type: 'github',
    buildName: `run ${GITHUB_RUN_NUMBER ?? GITHUB_RUN_ID}`,
    buildUrl: `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`,
  };
};

/** The outcome as Allure results: a test a requirement, a step a failure, with its exchange attached. */
export const allureResults = (
  outcome: Outcome,
  env: Readonly<Record<string, string | undefined>>,
): readonly ReportFile[] => {
  const json = (value: unknown) => jsonText(value, 1);
  const results = groups(outcome.requirements).flatMap(({ title, results: members }) =>
    members.flatMap((result) => {
      const test = testOf(outcome, result, title);
      return [{ name: `${test.uuid}-result.json`, content: json(test) }, ...attachmentsOf(test, result)];
    }),
  );
  return [
    ...results,
    { name: 'categories.json', content: json(categories) },
    { name: 'environment.properties', content: environment(outcome) },
    { name: 'executor.json', content: json(executor(env)) },
  ];
};

/** Tells whether a file of a results folder is of the kind that `allureResults` writes. */
export const isAllureResult = (name: string): boolean => /-result\.json$|-attachment\.txt$/.test(name);
