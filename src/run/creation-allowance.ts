import { reservedForRefusals } from '../check/creations.ts';
import type { Reason } from '../oracle/reason.ts';

/** Permission to send one request that may create an animal. */
export type Reservation =
  | { readonly granted: false; readonly reason: Extract<Reason, { code: 'read-only' | 'max-creates' }> }
  | {
      readonly granted: true;
      /** `true`: it created. `false`: it did not. `null`: not known, counted as created unless settled before. */
      settle(created: boolean | null): void;
    };

/** Keeps the number of created animals within `--max-creates`, including ones the server should have refused. */
export interface CreationAllowance {
  /**
   * Waits while requests under way may still use up the rest.
   *
   * @param refusedUnder the requirement that the server should refuse the request by; null: it is meant to create
   * @param isLast no request that the server should refuse comes after it
   */
  reserve(refusedUnder: string | null, isLast?: boolean): Promise<Reservation>;
  /** Animals created, or possibly created. */
  readonly used: number;
  /** How many more may be created by requests that are meant to. */
  readonly left: number;
}

/** At most this part of the reserve is for one requirement, so that a server that accepts its cases leaves some to the others. */
const partOfOneRequirement = 0.4;

/**
 * This part of the reserve is for requirements whose requests created nothing so far, one request of each at a time: a server that accepts
 * invalid animals may still check keys.
 */
const partOfHarmless = 0.2;

/** Creations, or requests that may create, of one purpose. */
interface Count {
  used: number;
  pending: number;
}

const isFull = ({ used, pending }: Count, most: number): boolean => used + pending >= most;

/** An allowance of `most` creations. */
export const createCreationAllowance = (most: number, readOnly: boolean): CreationAllowance => {
  const all: Count = { used: 0, pending: 0 };
  const wanted: Count = { used: 0, pending: 0 };
  const refused: Count = { used: 0, pending: 0 };
  const byRequirement = new Map<string, Count>();
  const waiting: (() => void)[] = [];
  const reserve = reservedForRefusals(most);

  const countOf = (requirement: string): Count => {
    const known = byRequirement.get(requirement) ?? { used: 0, pending: 0 };
    byRequirement.set(requirement, known);
    return known;
  };

  /** The counts that a request adds to, each with its limit. */
  const limitsOf = (refusedUnder: string | null, isLast: boolean): readonly (readonly [Count, number])[] => {
    if (refusedUnder === null)
      return [
        [all, most],
        [wanted, isLast ? most : most - reserve],
      ];
    const own = countOf(refusedUnder);
    const forHarmless = isFull(own, 1) ? Math.floor(reserve * partOfHarmless) : 0;
    return [
      [all, most],
      [refused, Math.max(1, reserve - forHarmless)],
      [own, Math.max(1, Math.floor(reserve * partOfOneRequirement))],
    ];
  };

  const reservation = (counts: readonly Count[]): Reservation => {
    for (const count of counts) count.pending += 1;
    let settled = false;
    return {
      granted: true,
      settle: (created) => {
        if (settled) return;
        settled = true;
        for (const count of counts) {
          count.pending -= 1;
          if (created !== false) count.used += 1;
        }
        for (const wake of waiting.splice(0)) wake();
      },
    };
  };

  return {
    reserve: async (refusedUnder, isLast = false) => {
      if (readOnly) return { granted: false, reason: { code: 'read-only', detail: 'creation' } };
      const full = () => limitsOf(refusedUnder, isLast).find(([count, limit]) => isFull(count, limit))?.[0];
      for (let count = full(); count !== undefined; count = full()) {
        if (count.pending === 0)
          return { granted: false, reason: { code: 'max-creates', detail: 'most', most } };
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      return reservation(limitsOf(refusedUnder, isLast).map(([count]) => count));
    },
    get used() {
      return all.used;
    },
    get left() {
      return readOnly ? 0 : Math.max(0, Math.min(most - reserve - wanted.used, most - all.used));
    },
  };
};
