import { createClient } from '../client/client.ts';
import type { Client } from '../client/client-types.ts';
import type { KeySlot } from '../client/exchange.ts';
import { createRedactor } from '../client/redact.ts';
import type { ApiDocument } from '../document/api-document.ts';
import { loadCatalogue } from '../document/catalogue.ts';
import { loadDocument } from '../document/load.ts';
import { packageVersion } from '../document/package-root.ts';
import { pageBounds } from '../oracle/document-figures.ts';
import { loadKnownFailures } from '../settings/known-failures.ts';
import type { RunSettings } from '../settings/settings.ts';
import { buildOutcome, exitCodeOf, type Findings } from './build-outcome.ts';
import type { Finding } from './check.ts';
import { type Circumstances, loadChecks, loadFirstRequests } from './checks.ts';
import type { Clock } from './clock.ts';
import { createCoverage } from './coverage.ts';
import { createFixtures } from './create-fixtures.ts';
import { createCreationAllowance } from './creation-allowance.ts';
import type { Execution } from './execute.ts';
import { createKnowledge } from './knowledge.ts';
import { createLedger } from './ledger.ts';
import type { Outcome } from './outcome.ts';
import { chooseChecks, executeChecks } from './plan.ts';
import { lookAround, lookAtOther, type Preflight } from './preflight.ts';
import type { Watch } from './progress.ts';
import { createRateWatch } from './rate-watch.ts';
import { createRecorder, forgetful } from './recorder.ts';
import { drawSeed, randomFrom } from './seed.ts';
import { createSelection } from './selection.ts';
import { createSession } from './session.ts';
import { coversCase } from './shard.ts';
import { isLoopback, openTarget, type Target } from './target.ts';
import { createToday } from './today.ts';
import { createWaitWatch } from './wait-watch.ts';

export interface RunDeps {
  readonly clock: Clock;
  readonly watch: Watch;
  /** Aborted: the run ends, and what was judged so far is its outcome. */
  readonly signal: AbortSignal;
  /** From 0 up to 1; draws the seed where none is set. */
  readonly random: () => number;
  /** A target that stands already; absent: opened, and closed, by the run. */
  readonly target?: Target;
  /** Stands in for the animal store's own document. */
  readonly document?: ApiDocument;
  readonly onAttempt?: Execution['onAttempt'];
  /** `false`: nobody reads the exchanges of the outcome, and there are none. */
  readonly keepsExchanges?: false;
}

export interface RunResult {
  readonly outcome: Outcome;
  /** As `cli.md` gives them. */
  readonly exit: 0 | 1 | 3 | 4 | 130;
}

/** Judges one target: the whole of `run` but its arguments and its reports. */
export const runConformance = async (settings: RunSettings, deps: RunDeps): Promise<RunResult> => {
  const target = deps.target ?? (await openTarget(settings, deps.clock, deps.random));
  const run = await assemble(settings, deps, target);
  try {
    return await judgeTarget(run);
  } finally {
    await run.client.close();
    if (deps.target === undefined) await target.close();
  }
};

/** Below, every request counts. */
const fewRequests = 200;

/** How much is spent on a breach once it is found: little where there are few requests in all. */
const thoroughness = (budget: number | null): Pick<Execution, 'repeats' | 'shrinking'> =>
  budget === null || budget >= 800
    ? { repeats: 2, shrinking: 50 }
    : { repeats: budget < fewRequests ? 1 : 2, shrinking: budget >> 4 };

/** Seconds: a minute's window, and what clocks may differ by. */
const ordinaryWait = 70;

type Run = Awaited<ReturnType<typeof assemble>>;

/** Everything that a run is made of, wired together; nothing is sent yet. */
const assemble = async (settings: RunSettings, deps: RunDeps, target: Target) => {
  const { clock, watch, signal } = deps;
  const seed = settings.seed ?? drawSeed(deps.random);
  const document = deps.document ?? (await loadDocument(settings.spec ?? undefined));
  const catalogue = loadCatalogue().filter(({ subject }) => subject === 'server');
  const today = createToday(settings.now, () => clock.now());
  const knowledge = createKnowledge({
    document,
    store: settings.spec === null,
    plans: target.plans,
    today: () => today.now(),
  });
  const redact = createRedactor(Object.values(target.keys).filter((key) => key !== null));
  const recorder = deps.keepsExchanges === false ? forgetful : createRecorder(redact);
  const coverage = createCoverage(document);
  const selection = createSelection(settings, catalogue, target);
  const ledger = createLedger(selection.isChosen);
  const isOursAlone = (slot: KeySlot) => slot === 'rate-limit' || !settings.sharedKey;
  const rates = createRateWatch(isOursAlone, settings.concurrency);
  const waits = createWaitWatch(isOursAlone);
  const session = createSession({
    client: (): Client => client,
    knowledge,
    creations: createCreationAllowance(settings.maxCreates, settings.readOnly),
    keep: recorder.keep,
    watch: (reading, probe, how) => {
      coverage.see(probe.request.operation, reading);
      return [...(how.asked ? [] : rates.watch(reading, probe)), ...waits.watch(reading, probe, how)];
    },
  });
  const client: Client = createClient({
    baseUrl: target.baseUrl,
    keys: target.keys,
    plans: target.plans,
    transport: target.transport,
    clock,
    random: randomFrom(seed),
    version: packageVersion(),
    timeoutMs: settings.timeout,
    concurrency: settings.concurrency,
    budget: settings.budget,
    sharedKey: settings.sharedKey,
    fallback: isLoopback(target.baseUrl) ? null : { perMinute: 60, perDay: null },
    maxWaitMs: Math.max(settings.maxWait, ordinaryWait) * 1000,
    signal,
    onExchange: session.onExchange,
    onWait: (reason, untilMs) => watch({ kind: 'waiting', reason, untilMs }),
    onNote: (text) => watch({ kind: 'note', text: redact(text) }),
  });
  const startedAt = clock.now();
  return {
    settings,
    deps,
    target,
    seed,
    document,
    catalogue,
    today,
    knowledge,
    redact,
    recorder,
    coverage,
    selection,
    ledger,
    session,
    client,
    startedAt,
  };
};

type Judgeable = Extract<Preflight, { judgeable: true }>;

const judgeTarget = async (run: Run): Promise<RunResult> => {
  const { settings, session, client, today } = run;
  const first =
    settings.spec === null
      ? await lookAround(session, {
          readOnly: settings.readOnly,
          largestPage: pageBounds(run.document).maximum,
          learnTime: today.learn,
        })
      : await lookAtOther(session, await loadFirstRequests(run.document, circumstancesOf(run)), today.learn);
  if (run.deps.signal.aborted) return finish(run, null, 'interrupted before anything was judged');
  if (first.judgeable === 'silent') {
    for (const breach of first.breaches) {
      run.ledger.recordCause({ breach, check: 'GEN-4 the first look', path: null, seen: 1, tries: 1 });
    }
    return finish(run, null, null);
  }
  if (!client.state().everAnswered && client.state().sent > 0) {
    return finish(run, null, client.state().dead ?? 'no connection could be made');
  }
  if (!first.judgeable) return finish(run, null, first.reason);
  recordFirst(run, first.findings);
  await judgeChecks(run, first);
  const nothing = 'the run sends none of its operations: the leave that it has rules them out';
  return finish(run, first, client.state().everAnswered ? null : (client.state().dead ?? nothing));
};

/**
 * The checks meet the breaches of the first look again, and confirm them; a run of few requests need not spend any on that, and one
 * whose key is of no use any more cannot.
 */
const recordFirst = ({ ledger, settings, client }: Run, findings: readonly Finding[]): void => {
  ledger.record(findings.filter((finding) => finding.kind !== 'breach'));
  const isConfirmed = settings.budget === null || settings.budget >= fewRequests;
  if (isConfirmed && client.state().ended.main === null) return;
  for (const finding of findings) {
    if (finding.kind !== 'breach') continue;
    ledger.recordCause({
      breach: finding,
      check: `${finding.requirement} the first look`,
      path: null,
      seen: 1,
      tries: 1,
    });
  }
};

/** What the run has leave and means to do. */
const circumstancesOf = ({ settings, target }: Run): Circumstances => {
  const loopback = isLoopback(target.baseUrl);
  return {
    foreign: settings.spec !== null,
    hasKey: target.keys.main !== null,
    readOnly: settings.readOnly,
    risky: settings.risky ?? loopback,
    loopback,
  };
};

const judgeChecks = async (run: Run, first: Judgeable): Promise<void> => {
  const { settings, deps, target, seed, document, knowledge, session, ledger, client, selection } = run;
  const circumstances = circumstancesOf(run);
  const checks = await loadChecks(document, circumstances);
  const chosen = chooseChecks(checks, settings, selection, {
    risky: circumstances.risky,
    exhaust: target.keys['rate-limit'] !== null,
  });
  const fixtures = createFixtures({
    settings,
    target,
    seed,
    document,
    knowledge,
    listedAtStart: first.listed,
  });
  const execution: Execution = {
    session,
    ledger,
    fixtures,
    clock: deps.clock,
    signal: deps.signal,
    runs: settings.runs,
    budget: settings.budget,
    ...thoroughness(settings.budget),
    path: settings.path,
    covers: coversCase(settings.shard),
    onCause: ({ requirement, message }) =>
      deps.watch({ kind: 'failed', requirement, message: run.redact(message) }),
    onCase: () => {},
    ...(deps.onAttempt === undefined ? {} : { onAttempt: deps.onAttempt }),
  };
  await executeChecks(chosen, execution, { client, watch: deps.watch });
};

const finish = async (run: Run, first: Judgeable | null, unjudgeable: string | null): Promise<RunResult> => {
  const { settings, deps, target, client, document, knowledge } = run;
  const state = client.state();
  const getPet = document.operations.find(({ id }) => id === 'getPet');
  const findings: Findings = {
    ...run,
    plan: target.plans.main ?? first?.plan ?? null,
    endedAt: deps.clock.now(),
    ended: unjudgeable ?? (deps.signal.aborted ? 'interrupted' : (state.dead ?? state.hanging)),
    unjudgeable: unjudgeable !== null,
    died: state.everAnswered && state.dead !== null,
    created: knowledge.created,
    known: await knownFailures(settings.knownFailures),
    removal: getPet === undefined ? 'before' : knowledge.removal(getPet),
  };
  const outcome = buildOutcome(findings);
  return {
    outcome,
    exit: exitCodeOf(outcome, { interrupted: deps.signal.aborted, strict: settings.strict }),
  };
};

const knownFailures = async (path: string | null): Promise<ReadonlyMap<string, string>> => {
  const known = path === null ? null : await loadKnownFailures(path);
  return new Map(known?.ok === true ? known.entries.map(({ id, reason }) => [id, reason]) : []);
};
