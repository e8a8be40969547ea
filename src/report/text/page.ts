import type { Outcome, Timeline, Traffic } from '../../run/outcome.ts';
import { capitalized, count, counted, duration, moment } from './units.ts';

/** One failure, and its request and response. */
export const failureWords = {
  sentBefore: 'Sent before',
  othersBefore: (number: number) => `${counted(number, 'other request')} of this case`,
  copy: { label: 'Copy', done: 'Copied' },
  /** After `Copy`, for readers who do not see the command. */
  copied: (title: string) => ` the ${title.toLowerCase()}`,
  noBody: 'No body',
  truncated: 'Truncated; full body in traffic.har.',
  noResponse: (why: string) => `No response: ${why}`,
  during: (check: string) => `During “${check}”`,
  entry: (exchange: number) => `Entry with \`_id\` ${exchange} in traffic.har.`,
} as const;

/** The verdict in plain words, for readers who read nothing else. */
export const verdictTitles = {
  failed: (failed: number, all: number) => `${count(failed)} of ${counted(all, 'requirement')} failed`,
  unjudgeable: 'Not judged',
  errors: (errors: number) => `The suite itself failed on ${counted(errors, 'requirement')}`,
  strict: (warnings: number) => counted(warnings, 'warning'),
  knownFailurePasses: (id: string) => `Run failed: ${id} is listed as a known failure but passes now`,
  lowCoverage: 'No failures so far',
  passed: (known: number) => `No failures${known === 0 ? '' : ` except ${counted(known, 'known failure')}`}`,
} as const;

/** After the title. */
export const verdictLeads = {
  failed: 'Clients that follow the interface document may break.',
  failedClient: 'A server that follows the interface document may refuse this client, or ban its key.',
  unjudgeable: (reason: string) => `${capitalized(reason)}${reason.endsWith('.') ? '' : '.'}`,
  notJudged: 'This run says nothing about the server as a whole.',
  errors: 'This says nothing about the server.',
  strict: 'No requirement failed, but --strict treats warnings as failures.',
  knownFailurePasses: 'No requirement failed. Update the list of known failures.',
  lowCoverage: 'Too little was tested to call the server conformant.',
  passed: (known: number) => `Every ${known === 0 ? '' : 'other '}tested requirement passed.`,
} as const;

/** What was not tested. */
export const untestedWords = {
  none: (all: number) => `None of the ${counted(all, 'requirement')} was tested`,
  skipped: (part: number, all: number, ids: string) => `${part} of ${count(all)} not tested: ${ids}`,
  inconclusive: (part: number, all: number, ids: string) => `${part} of ${count(all)} inconclusive: ${ids}`,
  noReason: 'No reason given',
  /** `reason`: `applies from 5 December 2030`. */
  notYet: (ids: string, reason: string) => `Not tested yet: ${ids} (${reason})`,
  unselected: (number: number, all: number, options: string) =>
    `${count(number)} of ${count(all)} not selected${options && `: ${options}`}`,
  shard: (index: number, of: number) =>
    `This is shard ${index} of ${of}: the command \`merge\` combines the reports`,
} as const;

/** The first screen. */
export const openingWords = {
  conformance: 'conformance:',
  bugs: (number: number) =>
    ` Probably ${counted(number, 'bug')}${number > 1 ? ': begin with the first one below' : ''}.`,
  endedEarly: (reason: string) =>
    reason === 'interrupted' ? 'The run was interrupted.' : `The run ended early: ${reason}`,
  effect: { clears: 'Clears', partly: 'Clears some of', andPartly: 'and some of', unblocks: 'Unblocks' },
  moreBugs: (number: number) => counted(number, 'more bug'),
  moreBelow: (number: number) => `${number} more below`,
  map: 'Requirement map',
  sinceLastRun: 'Since the last run',
  comparedWith: (startedAt: string, isUnchanged: boolean) =>
    `${isUnchanged ? 'No requirement newly fails or passes. ' : ''}Compared with the run of ${moment(startedAt)}.`,
  more: (number: number) => `And ${number} more`,
  suiteErrors: 'Suite errors',
} as const;

/** What was tested, and how to repeat the run. */
export const runWords = {
  title: 'This run',
  facts: { server: 'Server', started: 'Started', duration: 'Duration', plan: 'Plan', seed: 'Seed' },
  moreFacts: { settings: 'Settings', suite: 'Suite', interface: 'Interface' },
  unknownPlan: 'unknown (--plan)',
  command: 'Command that repeats this run',
  keys: (withRateLimitKey: boolean) =>
    `The commands on this page read the API key from \`ANIMAL_STORE_API_KEY\`${withRateLimitKey ? ', and the rate limit key from `ANIMAL_STORE_RATE_LIMIT_KEY`' : ''}.`,
} as const;

/** The requirements in their groups. */
export const requirementWords = {
  title: 'Requirements',
  skip: 'Skip to the requirements',
  lead: (isOther: boolean, unselected: number) =>
    `Each ${isOther ? 'general requirement' : 'requirement of the interface document'} with its verdict. “Checks run” counts how often it was tested.${unselected === 0 ? '' : ` ${counted(unselected, 'requirement')} not selected for this run ${unselected === 1 ? 'is' : 'are'} not listed.`}`,
  columns: { verdict: 'Verdict', requirement: 'Requirement', checks: 'Checks run' },
  observed: 'What was observed',
  /** Before numbers. */
  fixes: (number: number) => (number === 1 ? 'Cleared by fix' : 'Cleared by fixes'),
  section: (section: string) => `Section: ${section}`,
  known: (reason: string) => `Known: ${reason}`,
  passesNow: (reason: string | null) => `Passes now, but is listed as a known failure: ${reason}`,
  filters: {
    label: 'Show verdicts',
    all: 'Show all',
    search: 'Search',
    example: 'GEN-1, status 500, limit …',
  },
  /** `requirements`: after two numbers, as in `2 of 55 requirements`. */
  found: { none: 'No requirement matches', requirements: 'requirements' },
} as const;

/** The folded sections at the end. */
export const sectionWords = {
  untested: 'Not tested or inconclusive',
  observations: 'Observations (not specified by the document)',
  rateLimits: 'Rate limits over time',
  coverage: 'Coverage',
  created: { animals: 'Created animals', resources: 'Created resources' },
  exchanges: 'Sample exchanges',
  footer: ({ name, version }: Outcome['tool']) =>
    `Written by ${name} ${version}. The same results for programs: conformance.json. Every exchange of a failed check: traffic.har.`,
} as const;

export const observationWords = {
  lead: 'Any behavior is correct here, so nothing can fail. Clients should not rely on it.',
  columns: { case: 'Case', observed: 'Observed' },
  cases: (number: number) => counted(number, 'case'),
  moreRows: (number: number) => `${count(number)} more in conformance.json`,
} as const;

/** `created`: `3 animals created`. */
export const createdWords = {
  noAnimal: 'No animal was created.',
  animals: (created: string) => `${created}. The API cannot delete animals, so they are still in the store.`,
  unknownIds: (number: number) =>
    `${count(number)} of them had no readable id, or no response. Ordinary names begin with \`conformance-\`.`,
  columns: { id: 'Id', name: 'Name' },
  nothing: 'Nothing was created.',
  resources: (created: string) =>
    `At most ${created}: every successful POST counts, and every POST without a response. What the run did not delete again still exists.`,
} as const;

export const sampleWords = {
  lead: (number: number) =>
    `${counted(number, 'exchange')} without a failure, spread over the run. More are in traffic.har; the developer tools of a browser open it.`,
  noResponse: 'no response',
  unknownReason: 'unknown reason',
} as const;

/** The timeline of an account. */
interface AccountFigures {
  readonly account: keyof Timeline['accounts'];
  readonly requests: number;
  readonly limited: number;
  /** The least and the most that remained, and the limit; null: no header showed it. */
  readonly remaining: readonly [least: number, most: number, limit: number] | null;
}

const accounts = {
  main: 'API key',
  'rate-limit': 'Rate limit key',
  anonymous: 'Without a valid key',
} as const;

export const clientWords = {
  title: 'The client over time',
  legend: [
    ['requests', 'request'],
    ['refused', 'request that got 429'],
    ['wait', 'Retry-After: must stay empty'],
    ['wrong', 'wrong request'],
  ],
  caption: (
    name: string,
    durationMs: number,
    {
      requests,
      limited,
      wrong,
    }: { readonly requests: number; readonly limited: number; readonly wrong: number },
  ) =>
    `${name}: ${counted(requests, 'request')} in ${duration(durationMs)}, ${count(limited)} got 429${wrong === 0 ? '' : `, ${count(wrong)} wrong`}`,
} as const;

export const timelineWords = {
  caption: ({ account, requests, limited, remaining }: AccountFigures) => {
    const [least, most, limit] = remaining?.map(count) ?? [];
    const shown =
      remaining === null ? 'no rate limit headers' : `Remaining between ${least} and ${most} of ${limit}`;
    return `${accounts[account]}: ${counted(requests, 'request')}, ${count(limited)} got 429, ${shown}`;
  },
  legend: [
    ['requests', 'requests'],
    ['limited', 'requests, at least one got 429'],
    ['remaining', 'Remaining (top: Limit)'],
    ['window', 'new window'],
    ['wait', 'waiting or slowed down'],
  ],
  waits: 'Waits',
  /** `ms`: of all waits together. */
  wait: (reason: string, ms: number, starts: readonly number[]) =>
    starts.length === 1
      ? `${reason}: ${duration(ms)}, starting at ${duration(starts[0] ?? 0)}`
      : `${reason}: ${counted(starts.length, 'wait')}, ${duration(ms)} in total`,
} as const;

export const trafficWords = {
  lead: ({ requests, rateLimited, rateLimitedUnasked }: Traffic) =>
    `${counted(requests, 'request')}. ${
      rateLimited === 0
        ? 'No rate limit was reached.'
        : `${counted(rateLimited, 'response')} with 429, ${count(rateLimitedUnasked)} of them unexpected.`
    }`,
  others: 'other paths and methods',
  bars: { operation: 'By operation', status: 'By status', noResponse: 'Without a response' },
  latency: 'Response time',
  percentiles: 'Response time (percentiles, logarithmic)',
  percentile: { p50: 'Median', p90: '90 %', p99: '99 %', max: 'Longest' },
} as const;

export const coverageWords = {
  lead: 'Each status of each operation, and how many of its responses had each header. Hatched: no such response came, so nothing was tested there.',
  title: 'Coverage by operation, status, and header',
  response: { operation: 'Operation', status: 'Status', number: 'Responses', documented: 'Documented' },
  others: 'Other headers',
  headers: { untested: 'untested', none: 'none', all: 'all' },
  some: (number: number, all: number) => `${count(number)} of ${count(all)}`,
  documented: { true: 'yes', false: 'no' },
} as const;

/** What the words of the page mean, for readers who do not program. */
export const legendWords = {
  title: 'What these words mean',
  levels: {
    MUST: 'The interface document requires it. A failure fails the run.',
    SHOULD: 'A standard that the document builds on asks for it. Without it, the run has a warning.',
    OPEN: 'Not specified by the document. Nothing can fail; what the server does is recorded.',
  },
  terms: [
    ['requirement', 'One numbered rule of the interface document, for example GET-1.'],
    ['clears', 'These requirements pass after the bug is fixed.'],
    ['unblocks', 'These requirements can be tested after the bug is fixed.'],
    ['request, response', 'What a program sends to the server, and what comes back.'],
    ['GET, POST', 'The kinds of requests here: GET reads, POST adds.'],
    [
      'status code',
      'The number that a response begins with. A field with the name "status" is something else.',
    ],
    ['200', 'Success.'],
    ['201', 'Success: something was created.'],
    ['400', 'The request is wrong.'],
    ['401', 'The API key is missing or wrong.'],
    ['404', 'The requested thing does not exist.'],
    ['429', 'Too many requests in a short time.'],
    ['500 and above', 'The server itself failed.'],
    ['API key', 'The secret that identifies the caller, sent as "Authorization: Bearer <key>".'],
    ['int64', 'A whole number of up to 19 digits.'],
    ['seed', 'The number that fixes all generated values: the same seed generates the same values.'],
    ['replay', 'Command that repeats one failure.'],
  ],
} as const;
