/** Returns a function that runs tasks, at most so many at the same time; the others wait for their turn. */
export const atMost = (most: number): (<Result>(task: () => Promise<Result>) => Promise<Result>) => {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      // The place goes to the next task, so `running` stays.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
};
