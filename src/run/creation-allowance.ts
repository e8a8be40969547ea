import { reservedForRefusals } from '../check/creations.ts';
import type { Reason } from '../finding/reason.ts';
import { memoizedByValue } from '../util/memoize.ts';

/** Permission to send one request that may create an animal. */
export type CreationPermit =
  | { readonly granted: false; readonly reason: Extract<Reason, { code: 'read-only' | 'max-creates' }> }
  | {
      readonly granted: true;
      /** `true`: it created. `false`: it did not. `null`: not known; counted as created unless released before. */
      release(created: boolean | null): void;
    };

/** A permission that calls `release` only the first time that it is released. */
export const createPermit = (
  release: (created: boolean | null) => void,
): Extract<CreationPermit, { granted: true }> => {
  let isReleased = false;
  return {
    granted: true,
    release: (created) => {
      if (isReleased) return;
      isReleased = true;
      release(created);
    },
  };
};

/** Keeps the number of creations within a limit. */
export interface CreationAllowance {
  /**
   * Waits while pending requests may still use up the rest.
   *
   * @param refusedUnder the requirement that the server should refuse the request by; null: it is meant to create
   * @param kind what another API creates
   */
  reserve(refusedUnder: string | null, stage?: Stage, kind?: string): Promise<CreationPermit>;
  /** What was created, or possibly created. */
  readonly used: number;
  /** How many more may be created by requests that are meant to. */
  readonly left: number;
  /** Ends all reserves and shares: from now on, any request may use what is left, except `kept`. Absent: they stay. */
  endReserves?(kept: number): void;
}

/** How many creations requests that should be refused may use up. */
export interface RefusedShares {
  /** Of all. */
  readonly part: number;
  /** Of that part, for one requirement, so that a server that accepts its cases leaves some to the others. */
  readonly ofOneRequirement: number;
}

/** The animal store has many requirements on refusals. */
const sharesOfStore: RefusedShares = { part: 1 / 5, ofOneRequirement: 0.4 };

/**
 * This part of the reserve is for requirements whose requests created nothing so far: a server that accepts invalid animals may still check
 * keys. One request of each is sent at a time, even if the reserve is used up, so that each creates at most one animal.
 */
const partOfHarmless = 0.3;

/** Shrinking a failing case may create this part of the reserve besides, so that later checks find what they need. */
const partOfShrinking = 0.7;

/** Creations, or requests that may create, of one purpose. */
interface Count {
  used: number;
  pending: number;
}

/**
 * When a request is sent. `late`: hardly any request that the server should refuse follows, so the reserve for them is free. `shrinking`:
 * to make a failing case smaller.
 */
export type Stage = 'usual' | 'late' | 'shrinking';

type State = ReturnType<typeof createState>;

const createCount = (): Count => ({ used: 0, pending: 0 });

const createState = (most: number, shares: RefusedShares) => ({
  most,
  shares,
  /** Creations that are kept for requests that should be refused. */
  reserve: reservedForRefusals(most),
  all: createCount(),
  /** Requests that are meant to create. */
  wanted: createCount(),
  /** Those of cases that are made smaller. */
  shrinking: createCount(),
  /** Requests that should be refused. */
  refused: createCount(),
  ofRequirement: memoizedByValue((_requirement: string) => createCount()),
  waiting: [] as (() => void)[],
  /** What is kept after the end of the reserves; null: they have not ended. */
  keptAtEnd: null as number | null,
});

/** Keeps the number of created animals within `most`, including ones the server should have refused. */
export const createCreationAllowance = (
  most: number,
  readOnly: boolean,
  shares = sharesOfStore,
): CreationAllowance => {
  const state = createState(most, shares);
  return {
    reserve: (refusedUnder, stage = 'usual') =>
      readOnly
        ? Promise.resolve({ granted: false, reason: { code: 'read-only', detail: 'creation' } })
        : reserve(state, () => limitsOf(state, refusedUnder, stage)),
    endReserves: (kept) => {
      state.keptAtEnd = kept;
    },
    get used() {
      return state.all.used;
    },
    get left() {
      const { all, wanted, keptAtEnd } = state;
      if (!readOnly && keptAtEnd !== null) return Math.max(0, most - keptAtEnd - all.used);
      return readOnly ? 0 : Math.max(0, Math.min(most - state.reserve - wanted.used, most - all.used));
    },
  };
};

type Limit = readonly [count: Count, limit: number];

const isFull = ({ used, pending }: Count, limit: number): boolean => used + pending >= limit;

/** The counts that a request adds to, each with its limit. */
const limitsOf = (
  { most, shares, reserve, all, wanted, shrinking, refused, ofRequirement, keptAtEnd }: State,
  refusedUnder: string | null,
  stage: Stage,
): readonly Limit[] => {
  if (keptAtEnd !== null && stage !== 'shrinking') return [[all, most - keptAtEnd]];
  if (refusedUnder === null)
    return [
      [all, most],
      stage === 'shrinking'
        ? [shrinking, Math.floor(reserve * partOfShrinking)]
        : [wanted, stage === 'late' ? most : most - reserve],
    ];
  const own = ofRequirement(refusedUnder);
  const forRefused = Math.ceil(most * shares.part);
  const mostRefused = Math.max(1, forRefused - Math.floor(forRefused * partOfHarmless));
  return [
    [all, most],
    [refused, isFull(own, 1) ? mostRefused : most],
    [own, Math.max(1, Math.floor(forRefused * shares.ofOneRequirement))],
  ];
};

const reserve = async (state: State, limits: () => readonly Limit[]): Promise<CreationPermit> => {
  const full = () => limits().find(([count, limit]) => isFull(count, limit))?.[0];
  for (let count = full(); count !== undefined; count = full()) {
    if (count.pending === 0)
      return { granted: false, reason: { code: 'max-creates', detail: 'most', most: state.most } };
    await new Promise<void>((resolve) => state.waiting.push(resolve));
  }
  return grant(
    state,
    limits().map(([count]) => count),
  );
};

const grant = ({ waiting }: State, counts: readonly Count[]): CreationPermit => {
  for (const count of counts) count.pending += 1;
  return createPermit((created) => {
    for (const count of counts) {
      count.pending -= 1;
      if (created !== false) count.used += 1;
    }
    for (const wake of waiting.splice(0)) wake();
  });
};
