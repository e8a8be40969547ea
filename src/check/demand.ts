/** Throws the problem of a definition as an error, unless the condition is true. */
export const demand = (condition: boolean, problem: string): void => {
  if (!condition) throw new Error(problem);
};

export const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
