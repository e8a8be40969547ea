import type { RequestKind } from '../http/pacing.ts';
import type { Sequence } from './window.ts';

/** A request of this run that a key may be charged with. */
export interface LoggedRequest {
  readonly kind: string;
  readonly safe: boolean;
  readonly sentAt: Sequence;
  /** Infinite while it is in flight. */
  landedAt: Sequence;
  /** Null: no response came yet, or ever. */
  status: number | null;
}

/** The latest requests of a run, whichever key they carry: two keys may have one counter. */
export interface RequestLog {
  sent(kind: RequestKind): LoggedRequest;
  landed(request: LoggedRequest, status: number | null): void;
  /** What the server may have counted after `earlier`, up to and including `later`; null: that is no longer known. */
  between(earlier: LoggedRequest, later: LoggedRequest): readonly LoggedRequest[] | null;
  inFlight(): number;
}

/** Without a valid key. */
export const keyless: RequestKind = { name: 'keyless', safe: true };

const KEPT = 1_000;

export const createRequestLog = (): RequestLog => {
  let requests: LoggedRequest[] = [];
  let forgottenUntil: Sequence = 0;
  let place: Sequence = 0;
  let inFlight = 0;

  const forget = (): void => {
    const [dropped, kept] = [requests.slice(0, -KEPT), requests.slice(-KEPT)];
    forgottenUntil = Math.max(forgottenUntil, ...dropped.map(({ landedAt }) => Math.min(landedAt, place)));
    requests = kept;
  };

  return {
    sent: ({ name, safe }) => {
      place += 1;
      inFlight += 1;
      const request = {
        kind: name,
        safe,
        sentAt: place,
        landedAt: Number.POSITIVE_INFINITY,
        status: null,
      };
      requests.push(request);
      if (requests.length >= 2 * KEPT) forget();
      return request;
    },
    landed: (request, status) => {
      place += 1;
      inFlight -= 1;
      request.landedAt = place;
      request.status = status;
    },
    between: (earlier, later) =>
      earlier.sentAt < forgottenUntil
        ? null
        : requests.filter(
            (each) => each !== earlier && each.landedAt > earlier.sentAt && each.sentAt < later.landedAt,
          ),
    inFlight: () => inFlight,
  };
};
