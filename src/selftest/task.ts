/** One server to be judged, as it travels to a worker: names only, for patches are functions. */
export interface Task {
  readonly kind: 'fault' | 'dialect' | 'combination' | 'degenerate';
  /** One name; of a combination every dialect in the order in which they are applied. */
  readonly names: readonly string[];
  /** Of the run, and of the server's own choices. */
  readonly seed: number;
  /** Requirements or groups to judge alone; empty: all. */
  readonly only: readonly string[];
  /** Requests at most; null: as many as a run takes. */
  readonly budget: number | null;
  /** Every case of every check is made; else of a fault those that its requirement needs, and a part of the others. */
  readonly thorough: boolean;
}

/** As people call it: the name, or the names of a combination. */
export const titleOf = ({ names }: Pick<Task, 'names'>): string => names.join(' + ');
