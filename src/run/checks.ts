import type { ApiDocument } from '../document/api-document.ts';
import type { Check } from './check.ts';

/** The checks of a run: the animal store's, or for another document the general ones. */
export const loadChecks = async (
  _document: ApiDocument,
  _general: boolean,
): Promise<readonly Check<unknown>[]> => {
  const { checks } = await import('../../suites/index.ts');
  return checks;
};
