/** Throws an error with the problem of a definition unless a condition is met. */
export const demand = (isMet: boolean, problem: string): void => {
  if (!isMet) throw new Error(problem);
};

export const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
