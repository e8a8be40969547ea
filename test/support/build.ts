import { listPets } from '../../src/check/requests.ts';
import type { RunContext } from '../../src/check/run-context.ts';
import type { RunSettings } from '../../src/config/settings.ts';
import { settingList } from '../../src/config/table.ts';
import type { CheckName } from '../../src/finding/check-name.ts';
import { type Breach, type Finding, isBreach } from '../../src/finding/finding.ts';
import type { Probe } from '../../src/finding/probe.ts';
import type { Problem } from '../../src/finding/problem.ts';
import { causeOf } from '../../src/finding/problem.ts';
import type {
  Exchange,
  FailedExchange,
  Header,
  RespondedExchange,
  Transport,
  TransportFailure,
  TransportResult,
} from '../../src/http/exchange.ts';
import { type ParsedResponse, parseResponse } from '../../src/http/parsed-response.ts';
import type { Json } from '../../src/json/json.ts';
import { stringifyJson } from '../../src/json/stringify.ts';
import { loadDocument } from '../../src/openapi/load.ts';
import { judge } from '../../src/oracle/oracle.ts';
import type { ServerModel } from '../../src/oracle/rule.ts';
import { createRunContext } from '../../src/run/run-context.ts';
import type { Target } from '../../src/run/run-deps.ts';
import { createServerModel } from '../../src/run/server-model.ts';

/** The time in these tests, of the server's clock and ours. */
export const today = Date.parse('2026-03-01T12:00:00Z');
export const day = 24 * 3600;
/** Seconds since the Unix epoch. */
export const now = today / 1000;

export const document = await loadDocument();

export const conformingHeaders = {
  'Content-Type': 'application/json',
  Date: new Date(today).toUTCString(),
  'X-RateLimit-Limit': '1000',
  'X-RateLimit-Remaining': '990',
  'X-RateLimit-Reset': `${now + 30}`,
} as const;

/** A response. Absent members are as on a conforming server. A header of null is removed. */
export interface ResponseStub {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Header lines after the others. */
  readonly lines?: readonly Header[];
  /** The body as a JSON value. */
  readonly json?: Json;
  /** The body as it is sent; overrides `json`. */
  readonly body?: string | Uint8Array;
  /** The body was only read up to this byte. */
  readonly cutAt?: number;
}

const linesOf = ({ status = 200, headers = {}, lines = [] }: ResponseStub): readonly Header[] => {
  const usual = {
    ...conformingHeaders,
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...(status === 429 ? { 'Retry-After': '30', 'X-RateLimit-Remaining': '0' } : {}),
  };
  const merged = Object.entries<string | null>({ ...usual, ...headers });
  return [...merged.flatMap(([name, value]): Header[] => (value === null ? [] : [[name, value]])), ...lines];
};

/** An Error as a conforming server sends it. */
export const errorOf = (status: number): Json => ({
  code: 'some_code',
  message: 'Why.',
  status: BigInt(status),
});

let exchanges = 0;

type Times = Partial<Pick<Exchange, 'startedAt' | 'durationMs'>>;

const sentOf = (probe: Probe, times: Times) => {
  const { method, path, query, headers, body, framing } = probe.request;
  const url = `http://localhost/v1${path}${query === '' ? '' : `?${query}`}`;
  exchanges += 1;
  return {
    id: exchanges,
    request: probe.request,
    wire: { method, url, headers, body, ...(framing === undefined ? {} : { framing }) },
    startedAt: today,
    durationMs: 5,
    ...times,
  };
};

/** The exchange of a probe with this response. */
export const exchangeOf = (probe: Probe, stub: ResponseStub, times: Times = {}): RespondedExchange => {
  const { status = 200 } = stub;
  const json = stub.json === undefined ? (status < 300 ? [] : errorOf(status)) : stub.json;
  const body = Buffer.from(stub.body ?? stringifyJson(json));
  const cut = stub.cutAt === undefined ? {} : { cutAt: stub.cutAt };
  const response = { status, headers: linesOf(stub), body, ...cut };
  return { ...sentOf(probe, times), response, failure: null };
};

/** The exchange of a probe without a response, with the reason. */
export const failedExchangeOf = (
  probe: Probe,
  kind: TransportFailure['kind'],
  times: Times = {},
): FailedExchange => ({
  ...sentOf(probe, times),
  response: null,
  failure: { kind, detail: { code: 'closed', bodyBytes: null }, reused: false },
});

/** A parsed response to a probe. */
export const parsedResponse = (probe: Probe, stub: ResponseStub, times: Times = {}): ParsedResponse =>
  parseResponse(exchangeOf(probe, stub, times));

/** A server model that knows nothing yet, by default on a day before the removal of getPet. */
export const serverModelAt = (date: number | string = today) =>
  createServerModel({
    document,
    plans: { main: null, 'rate-limit': null },
    today: () => new Date(date).getTime(),
  });

/** The findings of the oracle for a response. */
export const findingsOf = (
  probe: Probe,
  stub: ResponseStub,
  serverModel: ServerModel = serverModelAt(),
  sequence = 1,
): readonly Finding[] => {
  const operation = document.operations.find(({ id }) => id === probe.request.operation) ?? null;
  return judge({ probe, response: parsedResponse(probe, stub), operation, serverModel, sequence });
};

export const breachesIn = (findings: readonly Finding[]): readonly Breach[] => findings.filter(isBreach);

/** The breaches as `REQUIREMENT: rule`, in the order in which they were found. */
export const causesIn = (findings: readonly Finding[]): readonly string[] =>
  breachesIn(findings).map(({ requirement, problem }) => {
    const { rule, variant } = causeOf(problem);
    return variant === undefined ? `${requirement}: ${rule}` : `${requirement}: ${rule} (${variant})`;
  });

/** The problem of each breach. */
export const problemsIn = (findings: readonly Finding[]): readonly Problem[] =>
  breachesIn(findings).map(({ problem }) => problem);

/** The requirements that passed. */
export const passedIn = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(({ kind }) => kind === 'passed').map(({ requirement }) => requirement);

/** The causes that the oracle finds in a response, by default to a plain GET /pets. */
export const causesOf = (stub: ResponseStub, probe: Probe = listPets({})): readonly string[] =>
  causesIn(findingsOf(probe, stub));

/** The causes in a list of animals with these headers instead of the conforming ones. */
export const causesWith = (headers: NonNullable<ResponseStub['headers']>, status = 200): readonly string[] =>
  causesOf({ status, headers });

/** Unix time as an HTTP-date. */
export const httpDateOf = (seconds: number): string => new Date(seconds * 1000).toUTCString();

/** The default settings of `run`. */
export const noSettings = Object.fromEntries(
  settingList.map(([name, { fallback }]) => [name, fallback]),
) as unknown as RunSettings;

const refusedConnection: TransportResult = {
  ok: false,
  failure: { kind: 'refused', detail: { code: 'error', error: 'ECONNREFUSED' }, reused: false },
};

const silent: Transport = { send: async () => refusedConnection, close: async () => {} };

/** A target that refuses every connection. */
export const nowhere = (changes: Partial<Target> = {}): Target => ({
  baseUrl: 'http://127.0.0.1:1/v1',
  keys: { main: 'a-key-of-nobody', 'rate-limit': null },
  plans: { main: null, 'rate-limit': null },
  reference: false,
  transport: silent,
  close: async () => {},
  ...changes,
});

export const runContextOf = (changes: Partial<RunContext> = {}): RunContext => ({
  ...createRunContext({
    selection: { isChosen: () => true },
    settings: noSettings,
    target: nowhere(),
    seed: 7,
    namePrefix: 'conformance-7-',
    document,
    serverModel: serverModelAt(),
    creations: { left: 160 },
    initialList: [],
    listedWhole: false,
    keyProbe: null,
    counters: {
      counterTrend: () => ({ trend: 'unknown', latest: null }),
      isCounted: () => false,
      isChargedAsSeveral: () => false,
    },
    otherLimit: { mayExplain: () => false },
    client: { isShared: () => false, countsUp: () => false },
  }),
  ...changes,
});

/** A breach of a requirement, seen in some exchange. `form` tells causes apart, `value` does not. */
export const breachOf = (requirement: string, form = 'some form', value = 'that'): Breach => ({
  kind: 'breach',
  side: 'server',
  requirement,
  problem: { rule: 'header-form', form, value },
  exchange: exchangeOf(listPets({}), {}),
});

/** The name of a check, from the text that reports show. */
export const checkNamed = (name: string): CheckName => {
  const [requirement = '', ...title] = name.split(' ');
  return { id: name.toLowerCase().replaceAll(' ', '-'), title: title.join(' '), requirement };
};
