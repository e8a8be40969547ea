import type { CheckName } from '../../src/check/check-name.ts';
import { listPets } from '../../src/check/requests.ts';
import type { RunContext } from '../../src/check/run-context.ts';
import type { RunSettings } from '../../src/config/settings.ts';
import { settingList } from '../../src/config/table.ts';
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
import { causeOf } from '../../src/oracle/cause.ts';
import { type Breach, type Finding, isBreach } from '../../src/oracle/finding.ts';
import { judge } from '../../src/oracle/oracle.ts';
import type { Probe } from '../../src/oracle/probe.ts';
import type { Problem } from '../../src/oracle/problem.ts';
import type { ServerModel } from '../../src/oracle/rule.ts';
import { createRunContext } from '../../src/run/run-context.ts';
import type { Target } from '../../src/run/run-deps.ts';
import { createServerModel } from '../../src/run/server-model.ts';

/** Today in these tests, by the server's clock and ours. */
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

/** An answer; what is not given is as a conforming server has it. A header of null is left out. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Header lines behind the others. */
  readonly lines?: readonly Header[];
  /** A value to be sent as JSON. */
  readonly json?: Json;
  /** The body as it stands on the wire; wins over `json`. */
  readonly body?: string | Uint8Array;
  /** The body goes on after these bytes, and was not read further. */
  readonly cutAt?: number;
}

const linesOf = ({ status = 200, headers = {}, lines = [] }: Answer): readonly Header[] => {
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

/** The exchange of a probe that was answered so. */
export const exchangeOf = (probe: Probe, answer: Answer, times: Times = {}): RespondedExchange => {
  const { status = 200 } = answer;
  const json = answer.json === undefined ? (status < 300 ? [] : errorOf(status)) : answer.json;
  const body = Buffer.from(answer.body ?? stringifyJson(json));
  const cut = answer.cutAt === undefined ? {} : { cutAt: answer.cutAt };
  const response = { status, headers: linesOf(answer), body, ...cut };
  return { ...sentOf(probe, times), response, failure: null };
};

/** The exchange of a probe that got no answer, and why. */
export const silenceOf = (
  probe: Probe,
  kind: TransportFailure['kind'],
  { message = kind, ...times }: Times & { readonly message?: string } = {},
): FailedExchange => ({ ...sentOf(probe, times), response: null, failure: { kind, message, reused: false } });

/** A parsed response to a probe. */
export const parsedResponse = (probe: Probe, answer: Answer, times: Times = {}): ParsedResponse =>
  parseResponse(exchangeOf(probe, answer, times));

/** A model of a server of which nothing is known yet, on a day before the removal of getPet. */
export const knowledgeAt = (date: number | string = today) =>
  createServerModel({
    document,
    plans: { main: null, 'rate-limit': null },
    today: () => new Date(date).getTime(),
  });

/** All that the oracle finds in an answer. */
export const findingsOf = (
  probe: Probe,
  answer: Answer,
  serverModel: ServerModel = knowledgeAt(),
  sequence = 1,
): readonly Finding[] => {
  const operation = document.operations.find(({ id }) => id === probe.request.operation) ?? null;
  return judge({ probe, response: parsedResponse(probe, answer), operation, serverModel, sequence });
};

export const breachesIn = (findings: readonly Finding[]): readonly Breach[] => findings.filter(isBreach);

/** The breaches as `REQUIREMENT: rule`, in the order in which they were found. */
export const causesIn = (findings: readonly Finding[]): readonly string[] =>
  breachesIn(findings).map(({ requirement, problem }) => {
    const { rule, variant } = causeOf(problem);
    return variant === undefined ? `${requirement}: ${rule}` : `${requirement}: ${rule} (${variant})`;
  });

/** What is wrong, for each breach. */
export const problemsIn = (findings: readonly Finding[]): readonly Problem[] =>
  breachesIn(findings).map(({ problem }) => problem);

/** The requirements that an answer is said to have met. */
export const metIn = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(({ kind }) => kind === 'passed').map(({ requirement }) => requirement);

/** What the oracle finds broken in an answer to a plain GET /pets, unless another probe is given. */
export const causesOf = (answer: Answer, probe: Probe = listPets({})): readonly string[] =>
  causesIn(findingsOf(probe, answer));

/** What is wrong with an answer to a list of animals that has these headers beside the conforming ones. */
export const causesWith = (headers: NonNullable<Answer['headers']>, status = 200): readonly string[] =>
  causesOf({ status, headers });

/** Unix time as an HTTP-date. */
export const httpDateOf = (seconds: number): string => new Date(seconds * 1000).toUTCString();

/** The settings of `run` where none is given. */
export const noSettings = Object.fromEntries(
  settingList.map(([name, { fallback }]) => [name, fallback]),
) as unknown as RunSettings;

const refusedConnection: TransportResult = {
  ok: false,
  failure: { kind: 'refused', message: 'the connection was refused', reused: false },
};

const silent: Transport = { send: async () => refusedConnection, close: async () => {} };

/** A target that nobody answers for. */
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
    settings: noSettings,
    target: nowhere(),
    seed: 7,
    namePrefix: 'conformance-7-',
    document,
    serverModel: knowledgeAt(),
    creations: { left: 160 },
    initialList: [],
    listedWhole: false,
    counters: {
      counterTrend: () => ({ trend: 'unknown', latest: null }),
      isCounted: () => false,
      isChargedAsSeveral: () => false,
    },
    otherLimit: { mayExplain: () => false },
    client: { isShared: () => false },
  }),
  ...changes,
});

/** A breach of a requirement, seen in some exchange. `form` tells causes apart, `value` does not. */
export const breachOf = (requirement: string, form = 'some form', value = 'that'): Breach => ({
  kind: 'breach',
  requirement,
  problem: { rule: 'header-form', form, value },
  exchange: exchangeOf(listPets({}), {}),
});

/** The name of a check, from the text that reports show. */
export const checkNamed = (name: string): CheckName => {
  const [requirement = '', ...title] = name.split(' ');
  return { id: name.toLowerCase().replaceAll(' ', '-'), title: title.join(' '), requirement };
};
