/** A lock with many shared holders or one exclusive holder. */
export interface ExclusiveLock {
  /** Waits for the lock. Returns the function that releases it. */
  acquire(exclusive: boolean): Promise<() => void>;
}

/** Creates a free lock. A waiting exclusive request comes before later shared requests. */
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
