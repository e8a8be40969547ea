import type { Finding } from '../finding/finding.ts';
import type { NotSent, QueueOptions, RequestQueue, SendPermit } from '../http/client-types.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Pacing } from '../http/pacing-types.ts';
import { type CreationAllowance, createPermit } from '../run/creation-allowance.ts';
import type { OwnPart, SharedRun } from '../run/shared-run.ts';
import type { Channel } from './channel.ts';
import type { Common, FindingThere, HubCalls, Permit, SeenExchange } from './protocol.ts';

/** What a worker knows of the others, and what they need from it. */
const createState = (hub: Channel<HubCalls>) => ({
  hub,
  part: null as OwnPart | null,
  common: {
    latest: 0,
    isShared: { main: false, 'rate-limit': false },
    countsUp: false,
    sendsAlone: false,
    stored: 0,
    creationsLeft: Number.POSITIVE_INFINITY,
    sentByOthers: [],
    news: [],
  } as Common,
  confirmed: new Set<string>(),
  findings: new Map<number, readonly FindingThere[]>(),
});

type State = ReturnType<typeof createState>;

const hear = (state: State, common: Common): void => {
  state.common = common;
  state.part?.sentByOthers(common.sentByOthers);
  for (const news of common.news)
    if (news.kind === 'confirmed') state.confirmed.add(news.cause);
    else state.part?.hear(news);
};

/** The part of a worker in a run of several processes. The calls of `hub` are for the process that started it. */
export const createWorkerRun = (hub: Channel<HubCalls>, concurrency: number) => {
  const state = createState(hub);
  let stopped: Promise<() => void> | null = null;
  const shared: SharedRun = {
    createQueue: (options) => createHubQueue(state, options),
    sendsAlone: () => state.common.sendsAlone,
    pacing: pacingOf(state),
    creations: creationsOf(state),
    concurrency,
    causes: {
      haveConfirmed: (cause) => state.confirmed.has(cause),
      confirmed: (cause) => hub.tell('tell', { kind: 'confirmed', cause }),
    },
    tell: (news) => hub.tell('tell', news),
    join: (part) => {
      state.part = part;
    },
    findingsOn: ({ id, ...exchange }) => {
      const findings = state.findings.get(id) ?? [];
      state.findings.delete(id);
      return findings.map(
        (finding): Finding =>
          finding.kind === 'breach' ? { ...finding, exchange: { id, ...exchange } } : finding,
      );
    },
    storedByOthers: () => state.common.stored,
    enter: async (phase) => hear(state, await hub.call('enter', phase)),
    stopOthers: async () => {
      hear(state, await hub.call('stopOthers'));
      return () => hub.tell('letOthersGoOn');
    },
  };
  return {
    shared,
    stop: async (): Promise<void> => {
      stopped = state.part?.stop() ?? null;
      await stopped;
    },
    goOn: (): void => void stopped?.then((release) => release()),
  };
};

/** The process that started the workers paces their requests: here are only the answers to questions. */
const pacingOf = (state: State): Pacing => ({
  ask: () => ({ kind: 'go' }),
  sent: () => () => undefined,
  estimate: () => ({ ms: 0, basis: { kind: 'none' } }),
  isShared: (slot) => state.common.isShared[slot],
  countsUp: () => state.common.countsUp,
});

const creationsOf = (state: State): CreationAllowance => {
  let used = 0;
  return {
    reserve: async (refusedUnder, stage = 'usual', kind = '') => {
      const reserved = await state.hub.call('reserve', refusedUnder, stage, kind);
      if (!reserved.granted) return reserved;
      return createPermit((created) => {
        if (created !== false) used += 1;
        state.hub.tell('release', reserved.number, created, state.part?.stored() ?? 0);
      });
    },
    get used() {
      return used;
    },
    get left() {
      return state.common.creationsLeft;
    },
  };
};

/** A request that waits for its permit, or has it and waits for the gate. */
interface Waiting {
  readonly refusal: () => NotSent | null;
  readonly give: (permit: SendPermit) => void;
  number: number | null;
}

/** A queue whose permits come from the process that started the workers. The gate of this process decides, too. */
const createHubQueue = (state: State, options: QueueOptions): RequestQueue => {
  const { hub } = state;
  const waiting = new Set<Waiting>();

  const ended = async (number: number, exchange: Exchange | null): Promise<void> => {
    const timedOut = exchange?.failure?.kind === 'timeout';
    const { findings, ...common } = await hub.call('ended', number, exchange && seenOf(exchange), timedOut);
    if (exchange !== null) state.findings.set(exchange.id, findings);
    hear(state, common);
  };

  const give = (each: Waiting, permit: SendPermit): void => {
    waiting.delete(each);
    each.give(permit);
  };

  /** Gives a request its permit, or refuses it. Returns whether it still waits. */
  const decide = (each: Waiting): boolean => {
    const gate = options.gate(options.clock.now(), 0);
    const reason = each.refusal() ?? (gate.kind === 'refused' ? gate.reason : null);
    const { number } = each;
    if (reason !== null) {
      if (number !== null) void ended(number, null);
      give(each, { kind: 'refused', reason });
    } else if (number !== null && gate.kind === 'go')
      give(each, { kind: 'go', number, ended: (exchange) => ended(number, exchange) });
    return waiting.has(each);
  };

  const permitted = (each: Waiting, permit: Permit, slot: Parameters<QueueOptions['onEnded']>[0]): void => {
    if (permit.kind === 'go') {
      if (!waiting.has(each)) return void ended(permit.number, null);
      each.number = permit.number;
      decide(each);
      return;
    }
    const { reason } = permit;
    if (reason.code === 'rate-limit' && 'key' in reason && reason.detail !== 'others') {
      if (reason.operation === undefined) options.onEnded(slot, reason);
    }
    if (waiting.has(each)) give(each, permit);
  };

  const recheck = (): void => {
    for (const each of waiting) decide(each);
  };

  return {
    next: (paced, { isRetry, refusal }) =>
      new Promise((resolve) => {
        const each: Waiting = { refusal, give: resolve, number: null };
        waiting.add(each);
        if (decide(each))
          hub.call('next', paced, isRetry).then((permit) => permitted(each, permit, paced.slot));
      }),
    done: recheck,
    recheck,
    latest: () => state.common.latest,
  };
};

const seenOf = ({ request, startedAt, durationMs, response }: Exchange): SeenExchange | null =>
  response && {
    method: request.method,
    query: request.query,
    startedAt,
    durationMs,
    response: { status: response.status, headers: response.headers },
  };
