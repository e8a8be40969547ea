import type { Check } from '../check/check.ts';
import type { ApiDocument } from '../openapi/document.ts';
import { knownOperations } from '../oracle/kind.ts';
import type { Probe } from '../oracle/probe.ts';
import type { Reason } from '../oracle/reason.ts';
import type { RunPermissions } from './permissions.ts';

/**
 * The checks of a run: for another document the general ones; for the animal store's its own, and the general ones for operations
 * that these do not know.
 */
export const loadChecks = async (
  document: ApiDocument,
  permissions: RunPermissions,
): Promise<readonly Check<unknown>[]> => {
  const { generalChecks } = await import('../../suites/openapi/index.ts');
  if (permissions.foreign) return generalChecks(document, document.operations, permissions);
  const { checks } = await import('../../suites/animal-store/index.ts');
  const added = document.operations.filter(({ id }) => !knownOperations.includes(id));
  return added.length === 0 ? checks : [...checks, ...generalChecks(document, added, permissions)];
};

/** Why a run by a document of another API would send nothing; null: it does not stand in the document. */
export const explainEmptySpec = async (
  document: ApiDocument,
  permissions: RunPermissions,
): Promise<Reason | null> => {
  const { whyNothingCanBeSent } = await import('../../suites/openapi/index.ts');
  return whyNothingCanBeSent(document, permissions);
};

/** The requests with which a server of another API is first looked at. */
export const loadFirstRequests = async (
  document: ApiDocument,
  permissions: RunPermissions,
): Promise<readonly Probe[]> => {
  const { firstRequests } = await import('../../suites/openapi/index.ts');
  return firstRequests(document, permissions);
};
