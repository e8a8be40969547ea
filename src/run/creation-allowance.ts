/** Leave to send one request that may create an animal. */
export type Reservation =
  | { readonly granted: false; readonly reason: string }
  | {
      readonly granted: true;
      /** `true`: it created. `false`: it did not. `null`: not known, counted as created unless settled before. */
      settle(created: boolean | null): void;
    };

/** An answer that says that something was created, or may say so. */
export const isCreation = (method: string, status: number): boolean =>
  status === 201 || (method === 'POST' && status < 300);

/** Keeps the number of created animals within `--max-creates`, wanted or not. */
export interface CreationAllowance {
  /** Waits while requests under way may still use up the rest. `wanted`: it is meant to create; else it is meant to be refused. */
  reserve(wanted: boolean): Promise<Reservation>;
  /** Animals created, or possibly created. */
  readonly used: number;
}

/** Kept back from what is meant to create: without leave for one more creation nothing can be sent that is meant to be refused. */
export const keptBack = (most: number): number => (most < 2 ? 0 : Math.min(40, Math.ceil(most / 5)));

/** An allowance of `most` creations. */
export const createCreationAllowance = (most: number, readOnly: boolean): CreationAllowance => {
  let used = 0;
  let pending = 0;
  const waiting: (() => void)[] = [];
  const refusal = readOnly
    ? 'nothing may be created (--read-only)'
    : `the run may create ${most} ${most === 1 ? 'animal' : 'animals'} at most (--max-creates)`;

  const reservation = (): Reservation => {
    pending += 1;
    let settled = false;
    return {
      granted: true,
      settle: (created) => {
        if (settled) return;
        settled = true;
        pending -= 1;
        if (created !== false) used += 1;
        for (const wake of waiting.splice(0)) wake();
      },
    };
  };

  return {
    reserve: async (wanted) => {
      const within = wanted ? most - keptBack(most) : most;
      while (!readOnly && used + pending >= within && pending > 0) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      return readOnly || used + pending >= within ? { granted: false, reason: refusal } : reservation();
    },
    get used() {
      return used;
    },
  };
};
