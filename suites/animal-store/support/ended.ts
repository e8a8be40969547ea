import { CaseEnded } from '../../../src/check/case-ended.ts';

/** Returns the result, or null if the case ended before there was one. Any other error is an error of the suite, and is thrown. */
export const nullIfEnded = async <Result>(work: Promise<Result>): Promise<Result | null> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof CaseEnded) return null;
    throw error;
  }
};
