import { randomBytes } from 'node:crypto';
import { suite } from '../../suites/index.ts';
import type { RunSettings } from '../config/settings.ts';
import { createHttpTransport } from '../http/transport.ts';
import type { RecordedTraffic } from '../judge/har.ts';
import { serveOne } from '../judge/one-server.ts';
import { closeJudgement, type Judgement, openJudgement } from '../judge/outcome.ts';
import { createPlay } from '../judge/play.ts';
import { forwardTo } from '../judge/proxy.ts';
import { createRecorder } from '../judge/recorder.ts';
import { runScenarios, type ScenarioEnd } from '../judge/scenario-runs.ts';
import { scenarios as allScenarios, type Scenario, scenarioMs } from '../judge/scenarios.ts';
import { loadDocument } from '../openapi/load.ts';
import type { Arrival } from '../oracle/requests/arrival.ts';
import { bearerToken } from '../oracle/requests/arrival.ts';
import { showsKey } from '../oracle/requests/authorization.ts';
import type { WaitForm } from '../oracle/requests/waits.ts';
import { counter } from '../reference/patch-kit/core.ts';
import { describeOutcome } from '../report/text/failures.ts';
import { quoteIfNeeded } from '../report/text/shell.ts';
import type { RunDeps } from '../run/run-deps.ts';
import type { Clock } from '../time/clock.ts';
import type { SuiteResult } from './run-suite.ts';

/** Where the requests of a client come from. */
export type ClientSource =
  | {
      readonly kind: 'scenarios';
      readonly words: readonly string[];
      readonly scenarios: readonly Scenario[];
      readonly parallel: number;
      readonly timeoutMs: number;
    }
  /** A client that somebody else starts, or real traffic through a proxy. `target` null: the reference server, in a scenario. */
  | {
      readonly kind: 'server';
      readonly words: readonly string[] | null;
      readonly scenario: Scenario;
      readonly target: string | null;
      readonly host: string;
      readonly port: number;
      readonly timeoutMs: number | null;
    }
  | { readonly kind: 'har'; readonly file: string; readonly traffic: RecordedTraffic };

/** What is reported while a client is judged. */
export interface JudgeListener {
  listening(baseUrl: string, key: string | null): void;
  arrived(arrival: Arrival): void;
  /** A line of the client's output; null: it was started once. */
  line(scenario: string | null, line: string): void;
  ended(end: ScenarioEnd): void;
}

export interface JudgeOptions {
  readonly settings: RunSettings;
  readonly source: ClientSource;
  /** The client's key; null: a random one, or for real traffic the one in its requests. */
  readonly key: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly known: ReadonlyMap<string, string>;
  readonly listener: JudgeListener;
  /** The words that start a judgement: `npx animal-store-conformance judge`. */
  readonly command: string;
  /** Hides a key in later output. */
  readonly keepSecret: (key: string) => void;
}

type Seen = Omit<Judgement, 'interrupted'>;

const newKey = ({ key, keepSecret }: JudgeOptions): string => {
  const made = key ?? `key-${randomBytes(16).toString('base64url')}`;
  keepSecret(made);
  return made;
};

const formsOf = (scenarios: readonly Scenario[]): readonly WaitForm[] => [
  ...new Set(scenarios.flatMap(({ form }) => form ?? [])),
];

const ofScenarios = async (
  options: JudgeOptions,
  source: Extract<ClientSource, { kind: 'scenarios' }>,
): Promise<Seen> => {
  const { listener } = options;
  const watched = await runScenarios({
    ...options,
    ...source,
    document: await loadDocument(),
    newKey: () => newKey(options),
    onLine: ({ name }, line) => listener.line(name, line),
    onEnd: listener.ended,
  });
  return { watched, forms: formsOf(source.scenarios), testsServer: false };
};

const ofServer = async (
  options: JudgeOptions,
  source: Extract<ClientSource, { kind: 'server' }>,
): Promise<Seen> => {
  const { clock, random, listener } = options;
  const { scenario, target, words } = source;
  const document = await loadDocument();
  const nextId = counter();
  const key = target === null ? newKey(options) : options.key;
  const common = { clock, document, nextId, onArrival: listener.arrived };
  const transport = createHttpTransport({ concurrency: 64, clock });
  const play = target === null ? createPlay({ ...common, scenario, random, key: key ?? '' }) : null;
  const respond = forwardTo({ transport, target: target ?? '', basePath: '/v1', timeoutMs: forwardMs });
  const recorder = play?.recorder ?? createRecorder({ ...common, respond, basePath: '/v1' });
  try {
    const end = await serveOne({
      ...options,
      ...source,
      key,
      recorder,
      onListening: (baseUrl) => listener.listening(baseUrl, key),
      onLine: (line) => listener.line(null, line),
    });
    const silentUntil = end !== null && words !== null ? Number.POSITIVE_INFINITY : clock.now();
    const arrivals = recorder.arrivals();
    const traffic = { scenario: null, arrivals, key, silentUntil, proves: [] };
    const watched = play === null ? traffic : { ...play.watched(end !== null), proves: scenario.proves };
    return {
      watched: [watched],
      forms: formsOf(target === null ? [scenario] : []),
      testsServer: target !== null,
    };
  } finally {
    await transport.close();
  }
};

/** A real server may take its time. */
const forwardMs = 120_000;

const ofHar = ({ servers }: RecordedTraffic): Seen => ({
  watched: servers.map((arrivals) => ({
    scenario: null,
    arrivals,
    key: null,
    withoutKeys: !arrivals.some(showsKey),
    silentUntil: Math.max(...arrivals.map(({ endedAt }) => endedAt)),
    proves: [],
  })),
  forms: [],
  testsServer: true,
});

const see = (options: JudgeOptions): Promise<Seen> | Seen => {
  const { source } = options;
  if (source.kind === 'scenarios') return ofScenarios(options, source);
  return source.kind === 'server' ? ofServer(options, source) : ofHar(source.traffic);
};

const baseUrlOf = ({ source }: JudgeOptions): string => {
  if (source.kind === 'har') return source.traffic.baseUrl;
  return source.kind === 'server' && source.target !== null ? source.target : 'http://127.0.0.1/v1';
};

const depsOf = (options: JudgeOptions): Omit<RunDeps, 'subjects'> => {
  const { source, key, clock, random, signal, known } = options;
  return {
    clock,
    random,
    signal,
    known,
    suite,
    watch: () => {},
    secrets: source.kind === 'har' ? source.traffic.secrets : [],
    target: {
      baseUrl: baseUrlOf(options),
      keys: { main: key, 'rate-limit': null },
      plans: { main: null, 'rate-limit': null },
      reference: source.kind !== 'har' && !(source.kind === 'server' && source.target !== null),
      transport: createHttpTransport({ concurrency: 1, clock }),
      close: async () => {},
    },
  };
};

/** Judges a client by its requests: in scenarios on the reference server, in front of a real server, or in recorded traffic. */
export const judgeClient = async (options: JudgeOptions): Promise<SuiteResult> => {
  const { settings, source, signal } = options;
  const isEndedBySignal = source.kind === 'server' && source.words === null;
  const seen: { secrets: string[] } = { secrets: [] };
  const noting = {
    ...options,
    keepSecret: (key: string) => {
      seen.secrets.push(key);
      options.keepSecret(key);
    },
  };
  const startedAt = options.clock.now();
  const found = await see(noting);
  const deps = depsOf(options);
  const secrets = [
    ...(deps.secrets ?? []),
    ...seen.secrets,
    ...found.watched.flatMap(({ key }) => key ?? []),
  ];
  const run = await openJudgement(settings, { ...deps, secrets }, found.testsServer);
  const judgement = { ...found, interrupted: signal.aborted && !isEndedBySignal };
  const { outcome, exit, context } = closeJudgement({ ...run, startedAt }, judgement);
  return { outcome: describeOutcome(outcome, { ...context, judged: commandsOf(options, found) }), exit };
};

/** The scenarios that were played, if they are not all. */
const playedNames = (source: ClientSource): readonly string[] => {
  if (source.kind === 'server') return source.target === null ? [source.scenario.name] : [];
  if (source.kind === 'har' || source.scenarios.length === allScenarios.length) return [];
  return source.scenarios.map(({ name }) => name);
};

const sourceFlags = (source: ClientSource): readonly string[] => {
  if (source.kind === 'har') return [`--har ${quoteIfNeeded(source.file)}`];
  if (source.kind === 'scenarios')
    return source.timeoutMs === scenarioMs ? [] : [`--timeout ${source.timeoutMs}`];
  return [
    ...(source.target === null ? [] : [`--target ${quoteIfNeeded(source.target)}`]),
    ...(source.words === null ? ['--listen'] : []),
    ...(source.timeoutMs === null ? [] : [`--timeout ${source.timeoutMs}`]),
  ];
};

/** The commands that repeat a judgement. */
const commandsOf = ({ source, command, settings }: JudgeOptions, { watched }: Seen) => {
  const words = source.kind === 'har' ? [] : (source.words ?? []);
  const client = words.length === 0 ? [] : ['--', ...words.map(quoteIfNeeded)];
  const start = [command, ...sourceFlags(source)];
  const whereIs = (exchange: Arrival['exchange']) =>
    watched.find(({ arrivals }) => arrivals.some((arrival) => arrival.exchange === exchange));
  return {
    command: [...start, ...playedNames(source).map((name) => `--scenario ${name}`), ...client].join(' '),
    keyIn: (exchange: Arrival['exchange']) => whereIs(exchange)?.key ?? bearerToken({ exchange }),
    replay: ({
      breach,
    }: {
      readonly breach: { readonly requirement: string; readonly exchange: Arrival['exchange'] };
    }) => {
      const scenario = whereIs(breach.exchange)?.scenario;
      const folder = quoteIfNeeded(`${settings.reportDir.replace(/\/+$/, '')}/replay-${breach.requirement}`);
      const chosen = scenario == null ? [] : [`--scenario ${scenario}`];
      return [...start, ...chosen, `--report-dir ${folder}`, ...client].join(' ');
    },
  };
};
