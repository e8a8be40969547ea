import type { Json } from '../json/json.ts';
import type { Probe } from './probe.ts';

/** A response that shows a status, with the sequence numbers between which it came. */
interface Observed {
  readonly probe: Probe;
  readonly sequence: number;
  readonly sequenceAtEnd: number;
}

/** The statuses with which the animals of the run were shown. */
export interface StatusHistory {
  add(id: bigint, status: Json | undefined, observed: Observed): void;
  /** The status in the latest response that was complete before the request with this sequence was sent; null: none. */
  shown(id: bigint, sequence: number): { readonly status: Json | undefined } | null;
  /** Some animal was shown with another status than before: this server changes animals without a request. */
  readonly hasChanges: boolean;
  /** Some animal got a status again that it had before. */
  readonly statusesReturn: boolean;
}

interface SeenStatus {
  readonly status: Json | undefined;
  readonly sequenceAtEnd: number;
}

interface FormerStatus extends SeenStatus {
  readonly former: ReadonlySet<Json | undefined>;
}

interface State {
  readonly latest: Map<bigint, SeenStatus>;
  /** All statuses of each animal, by operation: a list and getPet that differ are not a change. */
  readonly former: Map<string, FormerStatus>;
  hasChanges: boolean;
  statusesReturn: boolean;
}

/** No status was shown yet. */
export const createStatusHistory = (): StatusHistory => {
  const state: State = { latest: new Map(), former: new Map(), hasChanges: false, statusesReturn: false };
  return {
    add: (id, status, observed) => {
      addLatest(state, id, status, observed);
      addFormer(state, id, status, observed);
    },
    shown: (id, sequence) => {
      const latest = state.latest.get(id);
      return latest === undefined || sequence <= latest.sequenceAtEnd ? null : latest;
    },
    get hasChanges() {
      return state.hasChanges;
    },
    get statusesReturn() {
      return state.statusesReturn;
    },
  };
};

const addLatest = (
  state: State,
  id: bigint,
  status: Json | undefined,
  { sequence, sequenceAtEnd }: Observed,
): void => {
  const before = state.latest.get(id);
  // Sent before the other response came: either of the two may be newer.
  if (before !== undefined && sequence <= before.sequenceAtEnd) return;
  state.hasChanges ||= before !== undefined && before.status !== status;
  state.latest.set(id, { status, sequenceAtEnd });
};

const addFormer = (
  state: State,
  id: bigint,
  status: Json | undefined,
  { probe, sequence, sequenceAtEnd }: Observed,
): void => {
  // A list by status shows one status only.
  if (state.statusesReturn || probe.listing?.status.kind === 'given') return;
  const key = `${probe.request.operation} ${id}`;
  const before = state.former.get(key);
  if (before !== undefined && sequence <= before.sequenceAtEnd) return;
  const former = before?.former ?? new Set<Json | undefined>();
  state.statusesReturn = before !== undefined && before.status !== status && former.has(status);
  state.former.set(key, {
    status,
    sequenceAtEnd,
    former: former.has(status) ? former : new Set([...former, status]),
  });
};
