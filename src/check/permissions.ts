import { isLoopback } from '../config/loopback.ts';
import type { RunSettings } from '../config/settings.ts';
import type { Header } from '../http/exchange.ts';
import type { OperationChoice } from '../openapi/operation-choice.ts';
import { reservedForRefusals } from './creations.ts';

/** What a run may do, according to its settings and target. */
export interface RunPermissions {
  /** The document describes another API than the animal store. */
  readonly otherApi: boolean;
  /** Every invalid request must be refused. */
  readonly strictRequests: boolean;
  /** Invalid requests must get documented statuses, too. */
  readonly strictStatuses: boolean;
  /** There is a valid key. */
  readonly hasKey: boolean;
  /** The names of headers that each request has, in lower case, and of the cookies among them as `cookie NAME`. */
  readonly given: readonly string[];
  readonly readOnly: boolean;
  readonly risky: boolean;
  /** How many resources may be created by requests that the server should accept. */
  readonly creations: number;
  /** The operations of another API that the user chose. */
  readonly choice: OperationChoice;
  /** The target is on this machine. */
  readonly loopback: boolean;
}

/** The same with every operation that is not skipped: others may be needed for their resources. */
export const withHelpers = (permissions: RunPermissions): RunPermissions => ({
  ...permissions,
  choice: { ...permissions.choice, only: [] },
});

/** Returns the permissions of a run with these settings against this target. */
export const permissionsOf = (
  {
    spec,
    readOnly,
    maxCreates,
    risky,
    strictRequests,
    strictStatuses,
    operations,
    skipOperations,
  }: RunSettings,
  {
    baseUrl,
    hasKey,
    headers,
  }: { readonly baseUrl: string; readonly hasKey: boolean; readonly headers: readonly Header[] },
): RunPermissions => {
  const loopback = isLoopback(baseUrl);
  return {
    otherApi: spec !== null,
    strictRequests,
    strictStatuses,
    hasKey,
    given: headers.flatMap(givenNames),
    readOnly,
    creations: maxCreates - reservedForRefusals(maxCreates),
    risky: risky ?? loopback,
    choice: { only: operations, skip: skipOperations },
    loopback,
  };
};

const givenNames = ([name, value]: Header): readonly string[] => [
  name.toLowerCase(),
  ...(name.toLowerCase() === 'cookie'
    ? value.split(';').map((pair) => `cookie ${(pair.split('=')[0] ?? '').trim()}`)
    : []),
];
