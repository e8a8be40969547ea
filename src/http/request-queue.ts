import type { Clock } from '../time/clock.ts';
import type { NotSent } from './client-types.ts';
import type { KeyEnd, PacedRequest, PaceSlot, Pacing, RequestEnded } from './pacing.ts';

/** A request whose turn has come; or why it never will. `number` counts all requests that were let go, from 1 on. */
export type Turn =
  | {
      readonly kind: 'go';
      /** Tells the pacing what came of it. */
      readonly ended: RequestEnded;
      readonly number: number;
    }
  | { readonly kind: 'refused'; readonly reason: NotSent };

/** What all requests are subject to, whatever their key. `answer`: ask again once something in flight has come back. */
export type Gate =
  | { readonly kind: 'go' | 'answer' }
  | { readonly kind: 'refused'; readonly reason: NotSent };

interface Waiting {
  readonly paced: PacedRequest;
  /** Why it need not be sent any more; null: it still is. */
  readonly refusal: () => NotSent | null;
  readonly give: (turn: Turn) => void;
}

export interface RequestQueue {
  /** Waits for the turn of a request. Requests of one key go in the order in which they came, those sent `again` first. */
  next(paced: PacedRequest, options: { again: boolean; refusal: () => NotSent | null }): Promise<Turn>;
  /** A request that had its turn is over: another may go. Its `ended` must have been called before. */
  done(): void;
  /** Has the requests that wait look again at the gate. */
  review(): void;
}

type Lane = PaceSlot | 'asked';
const lanes: readonly Lane[] = ['asked', 'rate-limit', 'main', 'anonymous'];

/** Lets requests go when their pace, the number of requests in flight, and the gate allow it. Sleeps only while a pace says so. */
export const createRequestQueue = (options: {
  readonly clock: Clock;
  readonly pacing: Pacing;
  readonly concurrency: number;
  readonly gate: (now: number, sent: number) => Gate;
  readonly onWait: (reason: string, untilMs: number) => void;
  readonly onEnded: (slot: PaceSlot, end: KeyEnd) => void;
  readonly signal: AbortSignal;
}): RequestQueue => {
  const { clock, pacing } = options;
  const waiting: Record<Lane, Waiting[]> = { asked: [], main: [], 'rate-limit': [], anonymous: [] };
  const wakeAt: Record<Lane, number> = { asked: 0, main: 0, 'rate-limit': 0, anonymous: 0 };
  let flying = 0;
  let sent = 0;

  const sleepUntil = (lane: Lane, untilMs: number, reason: string): void => {
    if (wakeAt[lane] === untilMs) return;
    wakeAt[lane] = untilMs;
    options.onWait(reason, untilMs);
    const wake = (): void => {
      if (wakeAt[lane] === untilMs) wakeAt[lane] = 0;
      letGo();
    };
    clock.sleep(untilMs - clock.now(), options.signal).then(wake, () => undefined);
  };

  /** @returns whether the first of the lane could be dealt with, so that the next may be looked at */
  const serveFirst = (lane: Lane, first: Waiting): boolean => {
    const now = clock.now();
    const gate = options.gate(now, sent);
    const reason = first.refusal() ?? (gate.kind === 'refused' ? gate.reason : null);
    if (reason !== null) return give(lane, { kind: 'refused', reason });
    if (gate.kind === 'answer' || flying >= options.concurrency) return false;
    const permission = pacing.ask(first.paced, now);
    if (permission.kind === 'ended') {
      options.onEnded(first.paced.slot, permission.end);
      return give(lane, { kind: 'refused', reason: { code: 'rate-limit', ...permission.end } });
    }
    if (permission.kind === 'wait') sleepUntil(lane, permission.untilMs, permission.reason);
    if (permission.kind !== 'go') return false;
    flying += 1;
    sent += 1;
    return give(lane, { kind: 'go', ended: pacing.sent(first.paced, now), number: sent });
  };
  const give = (lane: Lane, turn: Turn): boolean => {
    waiting[lane].shift()?.give(turn);
    return true;
  };

  const letGo = (): void => {
    for (const lane of lanes) {
      for (let first = waiting[lane][0]; first !== undefined; first = waiting[lane][0])
        if (!serveFirst(lane, first)) break;
    }
  };

  return {
    next: (paced, { again, refusal }) =>
      new Promise((give) => {
        const lane = waiting[paced.expects429 ? 'asked' : paced.slot];
        if (again) lane.unshift({ paced, refusal, give });
        else lane.push({ paced, refusal, give });
        letGo();
      }),
    done: () => {
      flying -= 1;
      letGo();
    },
    review: letGo,
  };
};
