import type { Check } from '../check/check.ts';
import type { RunSettings } from '../config/settings.ts';
import { createClient } from '../http/client.ts';
import type { Client } from '../http/client-types.ts';
import type { KeySlot } from '../http/exchange.ts';
import { createRedactor, type Redact } from '../http/redact.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import type { ApiDocument } from '../openapi/document.ts';
import { loadDocument } from '../openapi/load.ts';
import { packageVersion } from '../openapi/package-root.ts';
import type { Requirement } from '../openapi/requirement.ts';
import { createCounterMonitor } from '../rate-limit/monitors/counter.ts';
import { createOtherLimit } from '../rate-limit/monitors/other-limit.ts';
import { createResetMonitor } from '../rate-limit/monitors/reset.ts';
import { createRetryAfterMonitor } from '../rate-limit/monitors/wait.ts';
import { createWindowMonitor } from '../rate-limit/monitors/window.ts';
import { createPacing } from '../rate-limit/pacing.ts';
import type { Clock } from '../time/clock.ts';
import { createCoverage } from './coverage.ts';
import { createCrashTracker } from './crash-tracker.ts';
import { createCreationAllowance } from './creation-allowance.ts';
import { createEvidenceLog } from './evidence.ts';
import { createExchangePipeline } from './exchange-pipeline.ts';
import { createExchangeStore, noExchangeStore } from './exchange-store.ts';
import type { Execution } from './execution.ts';
import { createListBreakage } from './list-breakage.ts';
import type { FoundResult, Observation } from './outcome.ts';
import { createPassLog, noPassLog } from './passing-requests.ts';
import type { Watch } from './progress.ts';
import { drawSeed, namePrefixFor, randomFrom } from './seed.ts';
import { createSelection } from './selection.ts';
import { createToday } from './server-date.ts';
import { createServerModel } from './server-model.ts';
import { isLoopback, type Target } from './target.ts';

export interface RunDeps {
  readonly clock: Clock;
  readonly watch: Watch;
  /** Aborted: the run ends, and what was judged so far is its outcome. */
  readonly signal: AbortSignal;
  /** From 0 up to 1; draws the seed where none is set. */
  readonly random: () => number;
  /** A target that stands already; absent: opened, and closed, by the run. */
  readonly target?: Target;
  /** Why requirements are known to fail, by id; absent: none is. */
  readonly known?: ReadonlyMap<string, string>;
  /** Requirements and checks beside those of the suites; absent: none. */
  readonly extra?: {
    readonly requirements: readonly Requirement[];
    readonly checks: readonly Check<unknown>[];
  };
  /** Is given each result once, as soon as it is certain, with what was observed for the requirement. */
  readonly onDecided?: (result: FoundResult, observations: readonly Observation[], redact: Redact) => void;
  /** Stands in for the document that the settings name, which is loaded where this is absent. */
  readonly document?: ApiDocument;
  readonly onAttempt?: Execution['onAttempt'];
  /** Which cases are made, of those that the settings ask for; absent: all of them. */
  readonly covers?: Execution['covers'];
  /** `false`: nobody reads the exchanges of the outcome, what was created, or what is shown beside failures, and there are none. */
  readonly isReported?: false;
}

/** Seconds: a minute's window, and what clocks may differ by. */
const ordinaryWait = 70;

/** The longest wait for a rate limit, in milliseconds. */
export const longestWaitMs = ({ maxWait }: RunSettings): number => Math.max(maxWait, ordinaryWait) * 1000;

export type Run = Awaited<ReturnType<typeof wireUp>>;

/** Everything that a run is made of, wired together; nothing is sent yet. */
export const wireUp = async (settings: RunSettings, deps: RunDeps, target: Target) => {
  const { clock, watch, signal } = deps;
  const seed = settings.seed ?? drawSeed(deps.random);
  const document = deps.document ?? (await loadDocument(settings.spec ?? undefined));
  const catalogue = [...loadCatalogue(), ...(deps.extra?.requirements ?? [])].filter(
    ({ subject }) => subject === 'server',
  );
  const today = createToday(settings.now, () => clock.now());
  const otherLimit = createOtherLimit(target.plans, settings.concurrency);
  const serverModel = createServerModel({
    document,
    otherLimit,
    store: settings.spec === null,
    plans: target.plans,
    today: () => today.now(),
  });
  const startedAt = clock.now();
  const namePrefix = namePrefixFor(seed, startedAt, settings.shard);
  const keys = Object.values(target.keys).filter((key) => key !== null);
  const redact = createRedactor(keys, namePrefix);
  const [exchangeStore, passes] =
    deps.isReported === false ? [noExchangeStore, noPassLog] : [createExchangeStore(redact), createPassLog()];
  const coverage = createCoverage(document);
  const selection = createSelection(settings, catalogue, target);
  const evidenceLog = createEvidenceLog(selection.isChosen, passes);
  const isOursAlone = (slot: KeySlot) => !client.isShared(slot);
  const rates = createWindowMonitor({ isOursAlone, otherLimit, concurrency: settings.concurrency });
  const waits = createRetryAfterMonitor({ isOursAlone, otherLimit });
  const resets = createResetMonitor({ isOursAlone, otherLimit, maxWaitMs: settings.maxWait * 1000 });
  const counters = createCounterMonitor(() => client.state().sent, settings.concurrency);
  const crashTracker = createCrashTracker();
  const listBreakage = createListBreakage();
  const creations = createCreationAllowance(settings.maxCreates, settings.readOnly);
  const pipeline = createExchangePipeline({
    client: (): Client => client,
    serverModel,
    creations,
    crashTracker,
    clock,
    signal: deps.signal,
    keep: exchangeStore.keep,
    watch: (reading, probe, how) => {
      today.learn(reading);
      coverage.see(probe.request.operation, reading);
      counters.observe(reading, probe);
      listBreakage.answered({ probe, reading });
      otherLimit.observe(reading, probe);
      return [
        ...(how.asked ? [] : rates.observe(reading, probe)),
        ...waits.observe(reading, probe, how),
        ...resets.observe(reading, probe),
      ];
    },
  });
  const note = (text: string) => watch({ kind: 'note', text: redact(text) });
  const client: Client = createClient({
    baseUrl: target.baseUrl,
    keys: target.keys,
    transport: target.transport,
    clock,
    pacing: createPacing({
      plans: target.plans,
      fallback: isLoopback(target.baseUrl) ? null : { perMinute: 60, perDay: null },
      sharedKey: settings.sharedKey,
      maxWaitMs: longestWaitMs(settings),
      random: randomFrom(seed),
      note,
    }),
    version: packageVersion(),
    timeoutMs: settings.timeout,
    ...(settings.maxBody === null ? {} : { maxBodyBytes: settings.maxBody }),
    concurrency: settings.concurrency,
    budget: settings.budget,
    signal,
    onExchange: pipeline.onExchange,
    onWait: (reason, untilMs) => watch({ kind: 'waiting', reason, untilMs }),
    onNote: note,
  });
  return {
    settings,
    deps,
    target,
    seed,
    namePrefix,
    document,
    catalogue,
    serverModel,
    redact,
    exchangeStore,
    coverage,
    counters,
    otherLimit,
    selection,
    evidenceLog,
    crashTracker,
    listBreakage,
    creations,
    pipeline,
    client,
    startedAt,
  };
};
