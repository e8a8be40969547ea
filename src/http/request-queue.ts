import type { Clock } from '../time/clock.ts';
import type { NotSent } from './client-types.ts';
import type { KeyEnd, PacedRequest, PaceSlot, Pacing, RequestEnded, WaitReason } from './pacing-types.ts';

/** Permission to send a request, or why it is not sent. `number` counts the requests sent, from 1. */
export type SendPermit =
  | {
      readonly kind: 'go';
      /** Call this with the response, for pacing. */
      readonly ended: RequestEnded;
      readonly number: number;
    }
  | { readonly kind: 'refused'; readonly reason: NotSent };

/** A decision about requests with any key. `response`: ask again after the next response. */
export type Gate =
  | { readonly kind: 'go' | 'response' }
  | { readonly kind: 'refused'; readonly reason: NotSent };

interface Waiting {
  readonly paced: PacedRequest;
  /** Returns why the request must not be sent any more, or null. */
  readonly refusal: () => NotSent | null;
  readonly give: (permit: SendPermit) => void;
}

export type RequestQueue = ReturnType<typeof createRequestQueue>;

interface QueueOptions {
  readonly clock: Clock;
  readonly pacing: Pacing;
  /** Limit of requests in flight. */
  readonly concurrency: number;
  readonly gate: (now: number, sent: number) => Gate;
  readonly onWait: (slot: PaceSlot, reason: WaitReason, untilMs: number) => void;
  readonly onEnded: (slot: PaceSlot, end: KeyEnd) => void;
  readonly signal: AbortSignal;
}

type QueueName = PaceSlot | 'expects-429';
const queueNames: readonly QueueName[] = ['expects-429', 'rate-limit', 'main', 'anonymous'];

type State = ReturnType<typeof createState>;

const createState = (options: QueueOptions) => ({
  ...options,
  queues: { 'expects-429': [], main: [], 'rate-limit': [], anonymous: [] } as Record<QueueName, Waiting[]>,
  wakeAt: {
    'expects-429': new Set<number>(),
    main: new Set<number>(),
    'rate-limit': new Set<number>(),
    anonymous: new Set<number>(),
  },
  inFlight: 0,
  sent: 0,
});

/** Creates a queue that permits requests by pacing, requests in flight, and the gate. It sleeps only if pacing requires it. */
export const createRequestQueue = (options: QueueOptions) => {
  const state = createState(options);
  return {
    /** Waits until a request may be sent. Requests of one key are sent in order, retries first. */
    next: (
      paced: PacedRequest,
      { isRetry, refusal }: { readonly isRetry: boolean } & Pick<Waiting, 'refusal'>,
    ): Promise<SendPermit> =>
      new Promise((give) => {
        const queue = state.queues[paced.expects429 ? 'expects-429' : paced.slot];
        if (isRetry) queue.unshift({ paced, refusal, give });
        else queue.push({ paced, refusal, give });
        drain(state);
      }),
    /** Call this when a request is complete, after its `ended`. */
    done: (): void => {
      state.inFlight -= 1;
      drain(state);
    },
    /** Asks the gate again about waiting requests. */
    recheck: (): void => drain(state),
  };
};

const drain = (state: State): void => {
  for (const name of queueNames) {
    const queue = state.queues[name];
    let index = 0;
    for (let next = queue[index]; next !== undefined; next = queue[index]) {
      const outcome = tryNext(state, name, next);
      if (outcome === 'blocked') break;
      // Requests of one operation keep their order, because all of them wait.
      if (outcome === 'waits alone') index += 1;
    }
  }
};

/** Tries to permit or reject a request of a queue. `waits alone`: the requests after it need not wait. */
const tryNext = (state: State, name: QueueName, waiting: Waiting): 'done' | 'blocked' | 'waits alone' => {
  const { clock, pacing, concurrency } = state;
  const { paced, refusal } = waiting;
  const now = clock.now();
  const gate = state.gate(now, state.sent);
  const reason = refusal() ?? (gate.kind === 'refused' ? gate.reason : null);
  if (reason !== null) return give(state, name, waiting, { kind: 'refused', reason });
  if (gate.kind === 'response' || state.inFlight >= concurrency) return 'blocked';
  const permission = pacing.ask(paced, now);
  if (permission.kind === 'ended') {
    if (permission.ofRoute !== true) state.onEnded(paced.slot, permission.end);
    return give(state, name, waiting, { kind: 'refused', reason: { code: 'rate-limit', ...permission.end } });
  }
  if (permission.kind === 'wait') {
    sleepUntil(state, name, paced.slot, permission);
    return permission.ofRoute === true ? 'waits alone' : 'blocked';
  }
  if (permission.kind !== 'go') return 'blocked';
  state.inFlight += 1;
  state.sent += 1;
  return give(state, name, waiting, { kind: 'go', ended: pacing.sent(paced, now), number: state.sent });
};

const give = ({ queues }: State, name: QueueName, waiting: Waiting, permit: SendPermit): 'done' => {
  queues[name].splice(queues[name].indexOf(waiting), 1);
  waiting.give(permit);
  return 'done';
};

const sleepUntil = (
  state: State,
  name: QueueName,
  slot: PaceSlot,
  { untilMs, reason }: { readonly untilMs: number; readonly reason: WaitReason },
): void => {
  const { wakeAt, clock } = state;
  if (wakeAt[name].has(untilMs)) return;
  wakeAt[name].add(untilMs);
  state.onWait(slot, reason, untilMs);
  const wake = (): void => {
    wakeAt[name].delete(untilMs);
    drain(state);
  };
  clock.sleep(untilMs - clock.now(), state.signal).then(wake, () => undefined);
};
