import type { NotSent, QueueOptions, RequestQueue, SendPermit } from './client-types.ts';
import type { PacedRequest, PaceSlot, WaitReason } from './pacing-types.ts';

interface Waiting {
  readonly paced: PacedRequest;
  /** Returns why the request must not be sent any more, or null. */
  readonly refusal: () => NotSent | null;
  readonly give: (permit: SendPermit) => void;
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
export const createRequestQueue = (options: QueueOptions): RequestQueue => {
  const state = createState(options);
  return {
    next: (paced, { isRetry, refusal }) =>
      new Promise((give) => {
        const queue = state.queues[paced.expects429 ? 'expects-429' : paced.slot];
        if (isRetry) queue.unshift({ paced, refusal, give });
        else queue.push({ paced, refusal, give });
        drain(state);
      }),
    done: () => {
      state.inFlight -= 1;
      drain(state);
    },
    recheck: () => drain(state),
    latest: () => state.sent,
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
  if (gate.kind !== 'go' || state.inFlight >= (gate.isAlone ? 1 : concurrency)) return 'blocked';
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
