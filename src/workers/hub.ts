import { type Phase, phases } from '../check/check.ts';
import { permissionsOf } from '../check/permissions.ts';
import type { RunSettings } from '../config/settings.ts';
import { MAX_TOTAL_TIMEOUT_MS } from '../http/client.ts';
import type { SendPermit } from '../http/client-types.ts';
import type { RespondedExchange } from '../http/exchange.ts';
import type { PacedRequest } from '../http/pacing-types.ts';
import { parseResponse } from '../http/parsed-response.ts';
import { createRequestQueue } from '../http/request-queue.ts';
import { createTimeoutBudget } from '../http/timeout-budget.ts';
import { createKeyMonitors } from '../rate-limit/monitors/key-monitors.ts';
import { type CreationPermit, createCreationAllowance } from '../run/creation-allowance.ts';
import { createCreationsByKind } from '../run/creations-by-kind.ts';
import type { ProgressListener, Target } from '../run/run-deps.ts';
import { oneByOne } from '../run/schedule.ts';
import type { News } from '../run/shared-run.ts';
import { createRunPacing } from '../run/wire-up.ts';
import type { Clock } from '../time/clock.ts';
import type { Channel } from './channel.ts';
import type { Common, FindingThere, HubCalls, SeenExchange, WorkerCalls } from './protocol.ts';

interface HubOptions {
  readonly settings: RunSettings & { readonly seed: number };
  readonly target: Target;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly watch: ProgressListener;
}

type Granted = Extract<SendPermit, { kind: 'go' }> & { readonly paced: PacedRequest };

/** What this process knows of a worker. */
const createWorker = (channel: Channel<WorkerCalls>, ended: Promise<unknown>) => ({
  channel,
  ended,
  isGone: false,
  inFlight: new Map<number, Granted>(),
  creations: new Map<number, Extract<CreationPermit, { granted: true }>>(),
  stored: 0,
  sentByOthers: [] as number[],
  news: [] as News[],
  /** The phase that it waits for; null: it works. */
  waitsFor: null as { readonly phase: Phase; readonly begin: () => void } | null,
  /** Each ends a turn as the only one that works, in the order of the turns: the checks of a worker wait for turns of their own. */
  turns: [] as (() => void)[],
});

type Worker = ReturnType<typeof createWorker>;

type Hub = ReturnType<typeof createState>;

const createState = (options: HubOptions) => {
  const { settings, target, clock, signal, watch } = options;
  const headers = target.headers ?? [];
  const permissions = permissionsOf(settings, {
    baseUrl: target.baseUrl,
    hasKey: target.keys.main !== null,
    headers,
  });
  const note = (each: Extract<Parameters<ProgressListener>[0], { kind: 'note' }>['note']) =>
    watch({ kind: 'note', note: each });
  const pacing = createRunPacing(settings, { target, seed: settings.seed, permissions, note });
  const timeouts = createTimeoutBudget(MAX_TOTAL_TIMEOUT_MS, settings.timeout);
  const createAllowance = settings.spec === null ? createCreationAllowance : createCreationsByKind;
  return {
    pacing,
    timeouts,
    queue: createRequestQueue({
      clock,
      pacing,
      concurrency: settings.concurrency,
      gate: () =>
        signal.aborted
          ? { kind: 'refused', reason: { code: 'interrupted' } }
          : { kind: 'go', isAlone: timeouts.sendsAlone() },
      onWait: (_, reason, untilMs) => watch({ kind: 'waiting', reason, untilMs }),
      onEnded: () => undefined,
      signal,
    }),
    monitors: createKeyMonitors({
      concurrency: settings.concurrency,
      maxWaitMs: settings.maxWait * 1000,
      plans: target.plans,
      isShared: pacing.isShared,
    }),
    creations: createAllowance(settings.maxCreates, settings.readOnly),
    clock,
    workers: new Set<Worker>(),
    /** The end of the last turn of a worker that works alone. */
    lastTurn: Promise.resolve(),
    reserved: 0,
  };
};

/**
 * What the workers of a run share, in the process that started them: one pace, one limit of creations, the rules on limits of keys, and
 * the order of phases.
 */
export const createHub = (options: HubOptions) => {
  const hub = createState(options);
  return {
    estimate: (requests: number) => hub.pacing.estimate('main', requests, hub.clock.now()),
    /** Refuses all requests that wait, after the run was interrupted. */
    recheck: hub.queue.recheck,
    /** Takes in a worker. `ended` resolves when it has done its part, or when its process ends. */
    join: (channel: Channel<WorkerCalls>, ended: Promise<unknown>, watch: ProgressListener): void => {
      const worker = createWorker(channel, ended);
      hub.workers.add(worker);
      channel.serve({ ...callsOf(hub, worker), watch });
      const left = () => leave(hub, worker);
      ended.then(left, left);
    },
  };
};

const callsOf = (hub: Hub, worker: Worker): Omit<HubCalls, 'watch'> => ({
  next: async (paced: PacedRequest, isRetry: boolean) => {
    const refusal = () => (worker.isGone ? ({ code: 'interrupted' } as const) : null);
    const permit = await hub.queue.next(paced, { isRetry, refusal });
    if (permit.kind === 'refused') return permit;
    worker.inFlight.set(permit.number, { ...permit, paced });
    hub.timeouts.started(permit.number, hub.clock.now());
    if (worker.isGone) requestEnded(hub, worker, permit.number, null);
    return { kind: 'go', number: permit.number };
  },
  ended: (...args: Parameters<HubCalls['ended']>) => {
    const findings = requestEnded(hub, worker, ...args);
    return { ...commonOf(hub, worker), findings };
  },
  reserve: async (...args: Parameters<HubCalls['reserve']>) => {
    const permit = await hub.creations.reserve(...args);
    if (!permit.granted) return permit;
    if (worker.isGone) permit.release(false);
    hub.reserved += 1;
    worker.creations.set(hub.reserved, permit);
    return { granted: true, number: hub.reserved };
  },
  release: (number: number, created: boolean | null, stored: number) => {
    worker.creations.get(number)?.release(created);
    worker.creations.delete(number);
    worker.stored = stored;
  },
  tell: (news: News) => {
    for (const other of othersOf(hub, worker)) other.news.push(news);
  },
  enter: async (phase: Phase) => {
    await new Promise<void>((begin) => {
      worker.waitsFor = { phase, begin };
      beginPhase(hub);
    });
    return commonOf(hub, worker);
  },
  stopOthers: async () => {
    await stopOthers(hub, worker);
    return commonOf(hub, worker);
  },
  letOthersGoOn: () => worker.turns.shift()?.(),
});

const othersOf = ({ workers }: Hub, worker: Worker): readonly Worker[] =>
  [...workers].filter((each) => each !== worker);

const commonOf = (hub: Hub, worker: Worker): Common => {
  const { pacing, queue, creations, timeouts } = hub;
  return {
    latest: queue.latest(),
    isShared: { main: pacing.isShared('main'), 'rate-limit': pacing.isShared('rate-limit') },
    countsUp: pacing.countsUp(),
    sendsAlone: timeouts.sendsAlone(),
    stored: othersOf(hub, worker).reduce((sum, { stored }) => sum + stored, 0),
    creationsLeft: creations.left,
    sentByOthers: worker.sentByOthers.splice(0),
    news: worker.news.splice(0),
  };
};

/** Lets pacing and the rules on limits of keys see the end of a request. */
const requestEnded = (
  hub: Hub,
  worker: Worker,
  number: number,
  seen: SeenExchange | null,
  timedOut = false,
): readonly FindingThere[] => {
  const granted = worker.inFlight.get(number);
  if (granted === undefined) return [];
  worker.inFlight.delete(number);
  const { paced, ended } = granted;
  hub.timeouts.ended(number, hub.clock.now(), timedOut);
  const exchange = seen && exchangeOf(number, paced, seen);
  void ended(exchange, hub.clock.now());
  const findings = exchange === null ? [] : findingsOn(hub, exchange, paced);
  if (exchange !== null && paced.slot === 'main')
    for (const other of othersOf(hub, worker)) other.sentByOthers.push(exchange.startedAt);
  hub.queue.done();
  return findings;
};

const findingsOn = (
  { monitors }: Hub,
  exchange: RespondedExchange,
  { expects429, isDocumented }: PacedRequest,
): readonly FindingThere[] => {
  const inputSpace = isDocumented ? 'documented' : 'undocumented';
  const probe = { request: exchange.request, inputSpace, expects: [], label: '' } as const;
  return monitors.observe(parseResponse(exchange), probe, { expects429 }).map((finding) => {
    if (finding.kind !== 'breach') return finding;
    const { exchange: _, ...rest } = finding;
    return rest;
  });
};

/** The exchange, as far as limits of keys are concerned. */
const exchangeOf = (
  id: number,
  { slot, operation, mayCountElsewhere }: PacedRequest,
  { method, query, startedAt, durationMs, response }: SeenExchange,
): RespondedExchange => ({
  id,
  request: {
    operation,
    method,
    path: '',
    query,
    headers: [],
    body: null,
    credential: {
      label: '',
      chargedTo: slot === 'anonymous' ? null : slot,
      ...(mayCountElsewhere ? { mayCountElsewhere } : {}),
      apply: () => ({ headers: [] }),
    },
  },
  wire: { method, url: '', headers: [], body: null },
  startedAt,
  durationMs,
  response: { ...response, body: new Uint8Array() },
  failure: null,
});

/** Lets the next phase begin if no worker is in an earlier one. Where nothing else may be in flight, the workers take turns. */
const beginPhase = ({ workers }: Hub): void => {
  const all = [...workers];
  const waiting = all.flatMap(({ waitsFor }) => waitsFor ?? []);
  if (waiting.length < all.length) return;
  const next = phases.find((phase) => waiting.some((each) => each.phase === phase));
  const ready = all.filter(({ waitsFor }) => waitsFor?.phase === next);
  for (const worker of next !== undefined && oneByOne.includes(next) ? ready.slice(0, 1) : ready) {
    worker.waitsFor?.begin();
    worker.waitsFor = null;
  }
};

const stopOthers = async (hub: Hub, worker: Worker): Promise<void> => {
  // Its messages may come after its end.
  if (worker.isGone) return;
  const before = hub.lastTurn;
  let stopped: readonly Worker[] = [];
  hub.lastTurn = new Promise<void>((end) => {
    worker.turns.push(() => {
      for (const other of stopped) other.channel.tell('goOn');
      end(before);
    });
  });
  await before;
  if (worker.isGone) return;
  stopped = othersOf(hub, worker);
  await Promise.all(stopped.map(({ channel, ended }) => Promise.race([channel.call('stop'), ended])));
};

/** Gives back what a worker has that ended, so that the others do not wait for it. */
const leave = (hub: Hub, worker: Worker): void => {
  if (!hub.workers.delete(worker)) return;
  worker.isGone = true;
  for (const number of [...worker.inFlight.keys()]) requestEnded(hub, worker, number, null);
  for (const permit of worker.creations.values()) permit.release(null);
  for (const endTurn of worker.turns.splice(0)) endTurn();
  hub.queue.recheck();
  beginPhase(hub);
};
