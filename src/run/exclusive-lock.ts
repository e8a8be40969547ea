/** Lets requests pass side by side, or one of them alone. */
export interface Gate {
  /** Waits its turn; what it gives is to be called when the request is over. */
  enter(alone: boolean): Promise<() => void>;
}

/** An open gate: those who want to pass alone come before those who wait for them. */
export const createGate = (): Gate => {
  let passing = 0;
  let closed = false;
  let wanting = 0;
  const waiting: (() => void)[] = [];
  const change = () => new Promise<void>((resolve) => waiting.push(resolve));
  const leave = (alone: boolean) => () => {
    passing -= 1;
    if (alone) closed = false;
    for (const wake of waiting.splice(0)) wake();
  };
  return {
    enter: async (alone) => {
      if (alone) wanting += 1;
      while (closed || (alone ? passing > 0 : wanting > 0)) await change();
      if (alone) {
        wanting -= 1;
        closed = true;
      }
      passing += 1;
      return leave(alone);
    },
  };
};
