import { keyless, type LoggedRequest } from './request-log.ts';

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
