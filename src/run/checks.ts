import type { ApiDocument } from '../document/api-document.ts';
import { knownOperations } from '../oracle/kind.ts';
import type { Check, Probe } from './check.ts';

/** What a run has leave and means to do. */
export interface Circumstances {
  /** The document is that of another API. */
  readonly foreign: boolean;
  /** There is a valid key. */
  readonly hasKey: boolean;
  readonly readOnly: boolean;
  readonly risky: boolean;
  readonly maxCreates: number;
  /** The target stands on this machine. */
  readonly loopback: boolean;
}

/**
 * The checks of a run: for another document the general ones; for the animal store's its own, and the general ones for operations
 * that these do not know.
 */
export const loadChecks = async (
  document: ApiDocument,
  circumstances: Circumstances,
): Promise<readonly Check<unknown>[]> => {
  const { generalChecks } = await import('../../suites/general/index.ts');
  if (circumstances.foreign) return generalChecks(document, document.operations, circumstances);
  const { checks } = await import('../../suites/index.ts');
  const added = document.operations.filter(({ id }) => !knownOperations.includes(id));
  return added.length === 0 ? checks : [...checks, ...generalChecks(document, added, circumstances)];
};

/** Why a run sent nothing. */
export const loadReasonForSilence = async (
  document: ApiDocument,
  circumstances: Circumstances,
): Promise<string> => {
  const { whyNothingIsSent } = await import('../../suites/general/index.ts');
  return whyNothingIsSent(document, circumstances);
};

/** The requests with which a server of another API is first looked at. */
export const loadFirstRequests = async (
  document: ApiDocument,
  circumstances: Circumstances,
): Promise<readonly Probe[]> => {
  const { firstRequests } = await import('../../suites/general/index.ts');
  return firstRequests(document, circumstances);
};
