/** A lock that many share, or one holds alone. */
export interface ExclusiveLock {
  /** Waits for the lock. Returns the function that releases it. */
  acquire(exclusive: boolean): Promise<() => void>;
}

/** A free lock: those who want it alone come before those who wait for them. */
export const createExclusiveLock = (): ExclusiveLock => {
  let holders = 0;
  let isExclusive = false;
  let exclusiveWaiting = 0;
  const waiting: (() => void)[] = [];
  const change = () => new Promise<void>((resolve) => waiting.push(resolve));
  const release = (exclusive: boolean) => () => {
    holders -= 1;
    if (exclusive) isExclusive = false;
    for (const wake of waiting.splice(0)) wake();
  };
  return {
    acquire: async (exclusive) => {
      if (exclusive) exclusiveWaiting += 1;
      while (isExclusive || (exclusive ? holders > 0 : exclusiveWaiting > 0)) await change();
      if (exclusive) {
        exclusiveWaiting -= 1;
        isExclusive = true;
      }
      holders += 1;
      return release(exclusive);
    },
  };
};
