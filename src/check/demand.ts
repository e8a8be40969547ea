export const demand = (condition: boolean, problem: string): void => {
  if (!condition) throw new Error(problem);
};

export const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
