import type { Probe } from '../finding/probe.ts';
import type { Json } from '../json/json.ts';

/** A response that shows a status. `sequence`: of its request. `sequenceAtEnd`: at its arrival. */
interface StatusResponse {
  readonly probe: Probe;
  readonly sequence: number;
  readonly sequenceAtEnd: number;
}

interface LatestStatus {
  readonly status: Json | undefined;
  readonly sequenceAtEnd: number;
}

interface FormerStatus extends LatestStatus {
  readonly former: ReadonlySet<Json | undefined>;
}

const createState = () => ({
  latest: new Map<bigint, LatestStatus>(),
  /** All statuses of each animal by operation, because a difference between a list and getPet is not a change. */
  former: new Map<string, FormerStatus>(),
  hasChanges: false,
  statusesReturn: false,
});

type State = ReturnType<typeof createState>;

/** The statuses of the run's animals in responses. */
export const createStatusHistory = () => {
  const state = createState();
  return {
    add: (id: bigint, status: Json | undefined, response: StatusResponse): void => {
      addLatest(state, id, status, response);
      addFormer(state, id, status, response);
    },
    /** Returns the status in the latest response before the request with this sequence was sent, or null. */
    shown: (id: bigint, sequence: number): { readonly status: Json | undefined } | null => {
      const latest = state.latest.get(id);
      return latest === undefined || sequence <= latest.sequenceAtEnd ? null : latest;
    },
    /** The status of an animal has changed, so this server changes animals without a request. */
    get hasChanges() {
      return state.hasChanges;
    },
    /** An animal has returned to an earlier status. */
    get statusesReturn() {
      return state.statusesReturn;
    },
  };
};

const addLatest = (
  state: State,
  id: bigint,
  status: Json | undefined,
  { sequence, sequenceAtEnd }: StatusResponse,
): void => {
  const before = state.latest.get(id);
  // The request was sent before the other response arrived, so either of the two may be newer.
  if (before !== undefined && sequence <= before.sequenceAtEnd) return;
  state.hasChanges ||= before !== undefined && before.status !== status;
  state.latest.set(id, { status, sequenceAtEnd });
};

const addFormer = (
  state: State,
  id: bigint,
  status: Json | undefined,
  { probe, sequence, sequenceAtEnd }: StatusResponse,
): void => {
  // A list by status shows only one status.
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
