import type { Problem } from '../finding/problem.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import type { Level, Requirement } from '../openapi/requirement.ts';
import {
  isOfServer,
  type Outcome,
  observationOf,
  type RecordedExchange,
  type RequirementResult,
  type ServerFailure,
  type Verdict,
} from '../run/outcome.ts';
import { factsIn } from './text/failures.ts';

/** How a run differs from a conforming one. */
export interface Scenario {
  readonly verdict?: Outcome['verdict'];
  readonly ended?: string;
  /** Results that differ, by requirement id. */
  readonly results?: Readonly<Record<string, Partial<RequirementResult<ServerFailure>>>>;
  /** The number of recorded exchanges without a failure. */
  readonly exchanges?: number;
  readonly created?: number;
  readonly target?: Partial<Outcome['target']>;
}

const rateHeaders = {
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': '41',
  'x-ratelimit-reset': '1767229260',
};
const STARTED = Date.UTC(2026, 0, 1, 0, 0, 0);

const unredacted = (text: string): string => text;

/** What a failure has of its problem. */
export const factsOf = (problem: Problem) => factsIn(problem, unredacted);

/** A failure of CREATE-9, with changes. Failures with other messages have other rules. */
export const failure = (changes: Partial<ServerFailure> = {}): ServerFailure => ({
  side: 'server',
  ...factsOf({
    ...{ rule: 'own-check', code: changes.message ?? 'rounded' },
    ...{ message: 'Rounded', expected: '9007199254740993', actual: '9007199254740992' },
  }),
  message: 'The categoryId came back rounded: its last digits are not those that were sent.',
  operation: 'createPet',
  expected: 'categoryId 9007199254740993, as sent',
  actual: 'categoryId 9007199254740992, as sent',
  request: {
    method: 'POST',
    url: 'http://127.0.0.1:4010/v1/pets',
    headers: { authorization: 'Bearer free…', 'content-type': 'application/json' },
    body: '{"name":"conformance-1a2b-Rex","categoryId":9007199254740993,"status":"available"}',
  },
  response: {
    status: 201,
    headers: { 'content-type': 'application/json', ...rateHeaders },
    body: '{"id":41,"name":"conformance-1a2b-Rex","categoryId":9007199254740992,"status":"available"}',
  },
  curl: `curl -i -X POST 'http://127.0.0.1:4010/v1/pets' -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" -H 'Content-Type: application/json' --data-raw '{"name":"conformance-1a2b-Rex","categoryId":9007199254740993,"status":"available"}'`,
  seed: 42,
  path: '3:1',
  replay:
    'animal-store-conformance run --base-url http://127.0.0.1:4010/v1 --only CREATE-9 --seed 42 --path 3:1',
  check: 'CREATE-9 int64 survives the round trip',
  seen: 2,
  tries: 2,
  occurrences: 5,
  exchange: 1,
  ...changes,
});

const passedWith = (level: Level): Verdict => (level === 'OPEN' ? 'observed' : 'passed');

/** A few requirements of each group on servers. */
const ids: ReadonlySet<string> = new Set([
  ...['GEN-1', 'GEN-2', 'GEN-3', 'GEN-4', 'ERR-1', 'ERR-2', 'ERR-3', 'AUTH-1', 'AUTH-2', 'AUTH-6'],
  ...['LIST-1', 'LIST-2', 'LIST-3', 'LIST-6', 'LIST-10', 'CREATE-1', 'CREATE-5', 'CREATE-9', 'CREATE-11'],
  ...['GET-1', 'GET-2', 'GET-6', 'ORDERS-1', 'RATE-1', 'RATE-5', 'RATE-6', 'VER-1'],
]);
const catalogue = loadCatalogue().filter(({ id }) => ids.has(id));

const resultOf = (
  scenario: Scenario,
  { id, level, statement, section }: Requirement,
): RequirementResult<ServerFailure> => ({
  id,
  level,
  statement,
  verdict: passedWith(level),
  known: null,
  reason: null,
  reasonCode: null,
  checks: 12,
  durationMs: 250,
  failures: [],
  section,
  ...scenario.results?.[id],
});

const operations = [
  ['listPets', 'GET', '/pets?limit=20', 200, '[{"id":1,"name":"Rex","categoryId":1}]'],
  ['createPet', 'POST', '/pets', 201, '{"id":2,"name":"Mia","categoryId":1,"status":"available"}'],
  ['getPet', 'GET', '/pets/1', 200, '{"id":1,"name":"Rex","categoryId":1}'],
  ['listOrders', 'GET', '/store/orders', 401, '{"code":"unauthorized","message":"No key.","status":401}'],
] as const;

const exchangeOf = (id: number): RecordedExchange => {
  const [operation, method, path, status, body] = operations[id % operations.length] ?? operations[0];
  return {
    id,
    check: 'GEN-1 statuses are documented',
    operation,
    startedAt: STARTED + id * 5,
    durationMs: 1 + (id % 7),
    request: {
      method,
      url: `http://127.0.0.1:4010/v1${path}`,
      headers: { authorization: 'Bearer free…' },
      body: method === 'POST' ? '{"name":"Mia","categoryId":1}' : null,
    },
    response: { status, headers: { 'content-type': 'application/json', ...rateHeaders }, body },
    failure: null,
    breaches: [],
  };
};

const failedExchange = (result: RequirementResult, { request, response, ...rest }: ServerFailure) => ({
  id: rest.exchange,
  check: rest.check,
  operation: rest.operation,
  startedAt: STARTED,
  durationMs: 3,
  request,
  response,
  failure: response === null ? rest.actual : null,
  breaches: [result.id],
});

const coverage: Outcome['coverage'] = [
  ['listPets', '200', 310],
  ['listPets', '401', 44],
  ['createPet', '201', 120],
  ['createPet', '400', 96],
  ['createPet', '401', 31],
  ['getPet', '200', 40],
  ['getPet', '401', 12],
  ['getPet', '404', 0],
  ['listOrders', '200', 3],
  ['listOrders', '401', 9],
].map(([operation, status, seen]) => ({
  operation: String(operation),
  status: String(status),
  seen: Number(seen),
  headers: Object.fromEntries(
    ['content-type', ...Object.keys(rateHeaders)].map((name) => [name, Number(seen)]),
  ),
  documented: operation !== 'listOrders' || status === '401',
}));

const observations: Outcome['observations'] = [
  observationOf({ id: 'CREATE-11', subject: 'an extra field' }, ['accepted and dropped (201)']),
  observationOf({ id: 'ERR-3', subject: 'code with 400' }, ['invalid_request']),
  observationOf({ id: 'ERR-3', subject: 'code with 401' }, ['unauthorized']),
  observationOf({ id: 'LIST-10', subject: 'order' }, ['by id, ascending']),
];

/** Two windows with a wait between them, and a 429 in the second one. */
const timeline: NonNullable<Outcome['timeline']> = {
  intervalMs: 1_000,
  accounts: {
    main: [
      { at: 0, requests: 40, limited: 0, remaining: 20, limit: 60 },
      { at: 1_000, requests: 20, limited: 0, remaining: 0, limit: 60 },
      { at: 3_000, requests: 50, limited: 1, remaining: 11, limit: 60 },
    ],
    anonymous: [{ at: 0, requests: 5, limited: 0, remaining: null, limit: null }],
  },
  waits: [{ account: 'main', from: 1_200, until: 3_000, reason: 'the limit of 60 requests is used up' }],
};

/** The outcome of a run that conforms, except for the differences of the scenario. */
export const outcomeOf = (scenario: Scenario = {}): Outcome<ServerFailure> => {
  const requirements = catalogue.map((entry) => resultOf(scenario, entry));
  const broken = requirements.flatMap((result) =>
    result.failures.filter(isOfServer).map((found) => failedExchange(result, found)),
  );
  const others = Array.from({ length: scenario.exchanges ?? 20 }, (_, index) => exchangeOf(index + 1_000));
  const created = scenario.created ?? 3;
  return {
    tool: { name: 'animal-store-conformance', version: '0.1.0' },
    interface: { version: '1.0.0' },
    target: { baseUrl: 'http://127.0.0.1:4010/v1', reference: false, plan: 'free', ...scenario.target },
    startedAt: new Date(STARTED).toISOString(),
    durationMs: 4_210,
    seed: 42,
    verdict: scenario.verdict ?? 'conformant',
    ended: scenario.ended ?? null,
    ...(typeof scenario.ended === 'string'
      ? { endedCode: scenario.ended === 'interrupted' ? 'interrupted' : 'run-ended' }
      : {}),
    requirements,
    observations,
    traffic: {
      requests: 665,
      created,
      byOperation: { listPets: 354, createPet: 247, getPet: 52, listOrders: 12 },
      byStatus: { 200: 353, 201: 120, 400: 96, 401: 96 },
      unanswered: {},
      rateLimited: 0,
      rateLimitedUnasked: 0,
      latency: {
        listPets: { p50: 2.1, p90: 4.4, p99: 12.5, max: 31 },
        createPet: { p50: 3.3, p90: 6.1, p99: 18.2, max: 140 },
        getPet: { p50: 0.9, p90: 1.4, p99: 2.2, max: 2.9 },
        listOrders: { p50: 0.8, p90: 1.2, p99: 1.9, max: 2 },
      },
    },
    created: Array.from({ length: created }, (_, index) => ({
      id: String(9_007_199_254_740_993n + BigInt(index)),
      name: `conformance-1a2b-Rex ${index + 1}`,
    })),
    coverage,
    exchanges: [...broken, ...others].toSorted((a, b) => a.id - b.id),
    timeline,
    command:
      'npx animal-store-conformance run --base-url http://127.0.0.1:4010/v1 --max-creates 50 --seed 42',
    settings: { maxCreates: 50 },
  };
};

/** Text that a hostile server could put into everything that reports show. */
export const hostileStrings =
  '</script><script>alert(1)</script><img src=x onerror=alert(2)> "\'&|`]]>--> \u0000\u001b[2J\u202egnp.exe\ud800 ::error::x';

/** A value as it is read back from a report: lone surrogates are written as text. */
export const literal = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value), (_, member) =>
    typeof member === 'string'
      ? member.replace(/\p{Cs}/gu, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`)
      : member,
  );

/** A run with failures, a warning, a known failure, an error, and missing results. */
export const brokenOutcome = (): Outcome<ServerFailure> =>
  outcomeOf({
    verdict: 'nonconformant',
    results: {
      'CREATE-9': {
        verdict: 'failed',
        failures: [
          failure(
            factsOf({
              ...{ rule: 'member-differs', in: 'creation', member: 'categoryId', isOther: false },
              ...{ sent: 9007199254740993n, got: 9007199254740992n },
            }),
          ),
        ],
      },
      'GEN-4': {
        verdict: 'failed',
        failures: [
          failure({
            ...factsOf({
              rule: 'no-response',
              failure: 'reset',
              detail: { code: 'closed', bodyBytes: null },
            }),
            message: 'The server closed the connection without a response.',
            expected: 'a response of any documented status',
            actual: 'connection reset',
            response: null,
            path: null,
            exchange: 2,
            seen: 2,
            tries: 3,
            occurrences: 1,
          }),
          failure({
            ...factsOf({ rule: 'server-error', wrongStatus: 500 }),
            message: `A name broke the server: ${hostileStrings}`,
            expected: 'status 201 or 400',
            actual: `status 500: ${hostileStrings}`,
            exchange: 3,
            response: {
              status: 500,
              headers: { 'content-type': 'text/html', 'x-evil': hostileStrings },
              body: hostileStrings,
            },
          }),
        ],
      },
      'AUTH-6': {
        verdict: 'warned',
        failures: [
          failure({
            ...factsOf({ rule: 'header-missing', of: 'challenge' }),
            message: 'The 401 has no WWW-Authenticate.',
            operation: 'listPets',
            exchange: 4,
          }),
        ],
      },
      'LIST-6': {
        verdict: 'failed',
        known: 'fixed in the next release',
        failures: [failure({ exchange: 5 })],
      },
      'LIST-2': { verdict: 'inconclusive', reason: 'The store holds 20 animals or fewer.', checks: 0 },
      'RATE-5': { verdict: 'skipped', reason: 'Needs --rate-limit-key.', checks: 0 },
      'RATE-6': { verdict: 'error', reason: 'The check threw a TypeError.', checks: 0 },
    },
  });
