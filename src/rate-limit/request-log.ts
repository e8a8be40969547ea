import type { RequestKind } from '../http/pacing.ts';
import type { Sequence } from './window.ts';

/** What requests cost at most, by kind and status: the least by which Remaining ever fell when one went alone. */
export interface RequestCosts {
  /** Remaining fell by so much over this one request. */
  learn(request: LoggedRequest, fall: number): void;
  /** Infinite: not known. */
  most(request: LoggedRequest): number;
}

const LIMITED = 429;

export const createRequestCosts = (): RequestCosts => {
  const costs = new Map<string, Map<number, number>>();
  const highest = (): number => Math.max(1, ...[...costs.values()].flatMap((each) => [...each.values()]));

  /** Of a request whose status says nothing of its cost, or is not known yet. */
  const mostOfKind = ({ kind, safe }: LoggedRequest): number => {
    const known = costs.get(kind);
    return known === undefined || !safe ? Number.POSITIVE_INFINITY : Math.max(1, ...known.values());
  };

  return {
    learn: ({ kind, status }, fall) => {
      if (status === null) return;
      const known = costs.get(kind) ?? new Map<number, number>();
      costs.set(kind, known);
      known.set(status, Math.min(known.get(status) ?? fall, fall));
    },
    most: (request) => {
      const { kind, status } = request;
      if (kind === keyless.name) return highest();
      if (status === null || status === LIMITED) return mostOfKind(request);
      const known = costs.get(kind)?.get(status);
      return known === undefined ? Number.POSITIVE_INFINITY : Math.max(1, known);
    },
  };
};

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
