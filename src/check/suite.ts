import type { Probe } from '../finding/probe.ts';
import type { EndReason } from '../finding/reason.ts';
import type { ApiDocument, Operation } from '../openapi/document.ts';
import type { Check } from './check.ts';
import type { RunPermissions } from './permissions.ts';

/** All checks that a run may select from. The command, the package, or the self-test passes them in. */
export interface Suite {
  /** For the operations of the animal store. */
  readonly animalStore: readonly Check[];
  /** For operations of any document. */
  general(
    document: ApiDocument,
    operations: readonly Operation[],
    permissions: RunPermissions,
  ): readonly Check[];
  /** The first requests to a server of another API. */
  firstRequests(document: ApiDocument, permissions: RunPermissions): readonly Probe[];
  /** The flags that give credentials which the document needs and the run lacks. */
  missingFlags(document: ApiDocument, permissions: RunPermissions): readonly string[];
  /** Why a run with the document of another API would send nothing; null if it would send something. */
  whyNothingCanBeSent(document: ApiDocument, permissions: RunPermissions): EndReason | null;
}
