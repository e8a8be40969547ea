import type { ApiDocument } from '../document/api-document.ts';
import { knownOperations } from '../oracle/kind.ts';
import type { RunSettings } from '../settings/settings.ts';
import type { Check, Probe } from './check.ts';
import { isLoopback } from './target.ts';

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

/** Of a run by these settings against such a target. */
export const circumstancesOf = (
  { spec, readOnly, maxCreates, risky }: RunSettings,
  { baseUrl, hasKey }: { readonly baseUrl: string; readonly hasKey: boolean },
): Circumstances => {
  const loopback = isLoopback(baseUrl);
  return { foreign: spec !== null, hasKey, readOnly, maxCreates, risky: risky ?? loopback, loopback };
};

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

/** Why a run by a document of another API would send nothing; null: it does not stand in the document. */
export const loadReasonForSilence = async (
  document: ApiDocument,
  circumstances: Circumstances,
): Promise<string | null> => {
  const { whyNothingCanBeSent } = await import('../../suites/general/index.ts');
  return whyNothingCanBeSent(document, circumstances);
};

/** The requests with which a server of another API is first looked at. */
export const loadFirstRequests = async (
  document: ApiDocument,
  circumstances: Circumstances,
): Promise<readonly Probe[]> => {
  const { firstRequests } = await import('../../suites/general/index.ts');
  return firstRequests(document, circumstances);
};
