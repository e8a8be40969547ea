import type { Check } from '../check/check.ts';
import type { KeyProbe, RunContext } from '../check/run-context.ts';
import type { RunSettings } from '../config/settings.ts';
import { partsOfPath } from '../config/values.ts';
import { type Breach, isBreach } from '../finding/finding.ts';
import type { EndReason } from '../finding/reason.ts';
import { pageBounds } from '../oracle/document-figures.ts';
import { memoized } from '../util/memoize.ts';
import { buildOutcome } from './build-outcome.ts';
import type { FoundOutcome, ReportContext } from './found-outcome.ts';
import { coversCase, selectChecks, suiteChecks } from './plan.ts';
import { type Preflight, probeOtherApi, probeRateLimitKey, probeTarget } from './preflight.ts';
import type { Execution } from './run-case.ts';
import { generatedCases } from './run-check.ts';
import { createRunContext } from './run-context.ts';
import { ReplayPathNotFound, type RunDeps } from './run-deps.ts';
import { decideEarly, endOf, inputOf, stopped } from './run-so-far.ts';
import { runChecks } from './schedule.ts';
import { createFailureWatch, withoutSharedKeys } from './verdict.ts';
import { longestWaitMs, type Run, wireUp } from './wire-up.ts';

export interface RunResult {
  readonly outcome: FoundOutcome;
  /** See `decideRun`. */
  readonly exit: 0 | 1 | 3 | 4 | 130;
  /** What reports need to know of the run. */
  readonly context: ReportContext;
}

/** Milliseconds between two attempts to connect to a starting server. */
const reconnectMs = 250;

/**
 * Tests one target. Waits for a server that is just starting, if the settings allow it.
 *
 * @throws ReplayPathNotFound if a path leads to no case.
 */
export const runConformance = async (settings: RunSettings, deps: RunDeps): Promise<RunResult> => {
  const { clock, signal, watch, target } = deps;
  const seconds = settings.waitForTarget ?? 0;
  const until = clock.now() + seconds * 1000;
  for (let attempt = 1; ; attempt += 1) {
    const run = await wireUp(settings, deps);
    try {
      const result = await runOnce(run, () => clock.now() < until && !signal.aborted);
      if (result !== null) return result;
    } finally {
      run.client.end();
    }
    const { baseUrl } = target;
    if (attempt === 1) watch({ kind: 'note', note: { kind: 'waiting-for-target', baseUrl, seconds } });
    await clock.sleep(reconnectMs, signal).catch(() => undefined);
  }
};

/** Statuses of a gateway, or of a server that starts. */
const notReadyStatuses: readonly string[] = ['502', '503', '504'];

/** Failures of a server that starts; a wrong certificate or an unknown host stays as it is. */
const notReadyFailures: readonly string[] = ['refused', 'reset', 'timeout'];

/** No response came but those of a gateway whose server is not up yet. */
const isNotReady = ({ client }: Run): boolean =>
  client.state().sent > 0 &&
  Object.keys(client.traffic().unanswered).every((kind) => notReadyFailures.includes(kind)) &&
  Object.keys(client.traffic().byStatus).every((status) => notReadyStatuses.includes(status));

/** With a smaller budget, every request counts. */
const smallBudget = 200;

/** How many requests a breach may cost after it is found: few with a small budget. */
const retryPolicy = (budget: number | null): Pick<Execution, 'retries' | 'shrinkBudget'> => {
  const retries = budget !== null && budget < smallBudget ? 1 : 2;
  return { retries, shrinkBudget: budget === null ? 60 : Math.min(60, retries + (budget >> 4)) };
};

type Judgeable = Extract<Preflight, { kind: 'judgeable' }>;

/** Returns null if the server is not ready, and the run may wait for it. */
const runOnce = async (run: Run, mayWait: () => boolean): Promise<RunResult | null> => {
  const { settings, pipeline } = run;
  const limits = { longestWaitMs: longestWaitMs(settings) };
  const preflight =
    settings.spec === null
      ? await probeTarget(pipeline, {
          readOnly: settings.readOnly,
          largestPage: pageBounds(run.document).maximum,
          ...limits,
        })
      : await probeOtherApi(pipeline, run.deps.suite.firstRequests(run.document, run.permissions), {
          ...limits,
          flags: run.deps.suite.missingFlags(run.document, run.permissions),
        });
  if (run.deps.signal.aborted) return unjudgeable(run, { code: 'interrupted', detail: 'at-start' });
  if (isNotReady(run) && mayWait()) return null;
  switch (preflight.kind) {
    case 'refused':
      return unjudgeable(run, { code: 'run-ended', ...preflight.end });
    case 'silent':
      recordPreflight(run, preflight.breaches);
      return finish(
        run,
        endOf(run) ?? { code: 'run-ended', detail: 'no-first-response', failure: preflight.failure },
      );
    case 'judgeable':
      return runAfterPreflight(run, preflight);
  }
};

const runAfterPreflight = async (run: Run, preflight: Judgeable): Promise<RunResult> => {
  const { client } = run;
  if (!client.state().hasResponded && client.state().sent > 0) {
    return unjudgeable(
      run,
      stopped(client.state().unreachableReason) ?? { code: 'run-ended', detail: 'no-connection' },
    );
  }
  // Reported at once: a run against a wrong address would not end sooner.
  if (preflight.allNotFound)
    run.deps.watch({ kind: 'note', note: { kind: 'not-found', baseUrl: run.target.baseUrl } });
  const chosen = chosenChecks(run);
  const key = await sendKeyProbe(run, chosen);
  // If one case is repeated, only the case itself may show that it passes, or fails.
  const findings = run.settings.path === null ? [...preflight.findings, ...key.findings] : [];
  const breaches = findings.filter(isBreach);
  run.evidenceLog.record(findings.filter((finding) => !isBreach(finding)));
  if (skipsConfirmation(run)) recordPreflight(run, breaches);
  if (!(await runSelectedChecks(run, chosen, preflight, key.probe)) && !run.deps.signal.aborted)
    throw new ReplayPathNotFound();
  recordPreflight(
    run,
    breaches.filter((breach) => !run.evidenceLog.isKnown(breach)),
  );
  if (client.state().hasResponded) return finish(run, endOf(run));
  const reason =
    stopped(client.state().unreachableReason) ??
    run.deps.suite.whyNothingCanBeSent(run.document, run.permissions);
  return unjudgeable(run, reason ?? { code: 'run-ended', detail: 'nothing-to-send-with' });
};

/**
 * The checks usually find the breaches of the preflight again, and confirm them. A run with a small budget does not spend requests on
 * that, and without a usable key it cannot.
 */
const skipsConfirmation = ({ settings, client }: Run): boolean =>
  (settings.budget !== null && settings.budget < smallBudget) || client.state().ended.main !== null;

/** Records breaches that only the preflight found. After a server error, the requests of the checks count as another try. */
const recordPreflight = ({ evidenceLog }: Run, breaches: readonly Breach[]): void => {
  for (const breach of breaches) {
    const { requirement, exchange } = breach;
    const hasFailed = (exchange.response?.status ?? 0) >= 500;
    const tries = hasFailed && evidenceLog.evidenceOn(requirement).passed > 0 ? 2 : 1;
    const check = { id: 'preflight', title: 'the first look', requirement };
    evidenceLog.recordFailure({ breach, check, path: null, seen: 1, tries });
  }
};

/** The number of cases of each check. A check whose inputs cannot be made has none: its execution reports the error. */
const countCases = async (checks: readonly Check[], inputsOf: Execution['inputsOf'], runs: number) =>
  new Map(
    await Promise.all(
      checks.map(async (check) => {
        const examples = await inputsOf(check).catch(() => []);
        return [check, examples.length + generatedCases(check, runs)] as const;
      }),
    ),
  );

/** The checks of the settings. */
const chosenChecks = ({ settings, deps, target, document, permissions, selection }: Run) => {
  const checks = [...suiteChecks(deps.suite, document, permissions), ...(deps.extra?.checks ?? [])];
  const exhaust = target.keys['rate-limit'] !== null;
  return selectChecks(checks, settings, selection, { risky: permissions.risky, exhaust });
};

/** Sends the request that the estimate needs if checks use up the limit of the rate-limit key. A budget needs no estimate. */
const sendKeyProbe = async ({ settings, pipeline, deps }: Run, chosen: readonly Check[]) => {
  const { spec, budget, path, shard } = settings;
  const isEstimated = spec === null && budget === null && path === null && shard.index === 1;
  if (!isEstimated || chosen.every(({ phase }) => phase !== 'exhaust-limit'))
    return { probe: null, findings: [] };
  const at = deps.clock.now();
  const { window, findings } = await probeRateLimitKey(pipeline);
  return { probe: { at, window }, findings };
};

/** Runs the selected checks. False if a path led to no case. */
const runSelectedChecks = async (
  run: Run,
  chosen: readonly Check[],
  preflight: Judgeable,
  keyProbe: KeyProbe | null,
): Promise<boolean> => {
  const { settings, deps, target, client } = run;
  const notFound = new Set<Check>();
  const execution = await prepareExecution(run, { ...preflight, keyProbe }, chosen, (check) =>
    notFound.add(check),
  );
  const plan = target.plans.main ?? preflight.plan;
  await runChecks(chosen, execution, {
    client,
    watch: deps.watch,
    plan,
    rateLimitPlan: target.plans['rate-limit'],
  });
  return settings.path === null || chosen.some((check) => !notFound.has(check));
};

/** One run of all cases of the animal store. Cases of a part, or of one of several workers, would take what others need. */
const mayPostpone = ({ settings, deps }: Run): boolean =>
  settings.spec === null && settings.budget === null && settings.path === null && deps.shared === undefined;

const prepareExecution = async (
  run: Run,
  preflight: Judgeable & Pick<RunContext, 'keyProbe'>,
  chosen: readonly Check[],
  onPathNotFound: (check: Check) => void,
): Promise<Execution> => {
  const { settings, deps, pipeline, evidenceLog, creations } = run;
  const runContext = createRunContext({
    ...run,
    initialList: preflight.listed,
    listedWhole: preflight.listedWhole,
    keyProbe: preflight.keyProbe,
  });
  const inputsOf: Execution['inputsOf'] = memoized(async (check) => check.inputs(runContext));
  const counts = await countCases(chosen, inputsOf, settings.runs);
  const isInShard = coversCase(settings.shard, (check) => counts.get(check) ?? 0, {
    repeats: deps.shared === undefined,
  });
  const decisions = decideEarly(run, preflight, chosen);
  const reportFailures = createFailureWatch(
    run.catalogue,
    (id) => withoutSharedKeys(id, evidenceLog.evidenceOn(id), run),
    (kind, requirement) => deps.watch({ kind, requirement }),
  );
  return {
    pipeline,
    evidenceLog,
    runContext,
    clock: deps.clock,
    signal: deps.signal,
    runs: settings.runs,
    inputsOf,
    budget: settings.budget,
    maxCreates: settings.maxCreates,
    ...retryPolicy(settings.budget),
    path: settings.path === null ? null : partsOfPath(settings.path).position,
    ...(mayPostpone(run) && creations.endReserves !== undefined
      ? { endReserves: creations.endReserves }
      : {}),
    includesCase: (check, index) => isInShard(check, index) && (deps.includesCase?.(check, index) ?? true),
    sendsAlone: () => run.client.state().sendsAlone,
    onCause: reportFailures,
    onPathNotFound,
    onExchange: () => {},
    ...(deps.shared === undefined
      ? {}
      : { enterPhase: deps.shared.enter, isStoreFilled: settings.shard.index > 1 }),
    ...(deps.onAttempt === undefined ? {} : { onAttempt: deps.onAttempt }),
    onChecked: (check) => {
      reportFailures();
      decisions?.checked(check);
    },
  };
};

const finish = (run: Run, ended: EndReason | null, isUnjudgeable = false): RunResult => {
  const input = inputOf(run, ended, isUnjudgeable);
  return { ...buildOutcome(input), context: run };
};

const unjudgeable = (run: Run, why: EndReason): RunResult => finish(run, why, true);
