/** Throws an error that names the problem of a definition if something is not as it must be. */
export const demand = (isMet: boolean, problem: string): void => {
  if (!isMet) throw new Error(problem);
};

export const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
