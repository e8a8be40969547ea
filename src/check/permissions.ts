import type { RunSettings } from '../config/settings.ts';
import { reservedForRefusals } from './creations.ts';

/** What a run may do, according to its settings and target. */
export interface RunPermissions {
  /** The document describes another API than the animal store. */
  readonly otherApi: boolean;
  /** There is a valid key. */
  readonly hasKey: boolean;
  readonly readOnly: boolean;
  readonly risky: boolean;
  /** How many resources may be created by requests that the server should accept. */
  readonly creations: number;
  /** The target is on this machine. */
  readonly loopback: boolean;
}

/** Returns the permissions of a run with these settings against this target. */
export const permissionsOf = (
  { spec, readOnly, maxCreates, risky }: RunSettings,
  { baseUrl, hasKey }: { readonly baseUrl: string; readonly hasKey: boolean },
): RunPermissions => {
  const loopback = isLoopback(baseUrl);
  return {
    otherApi: spec !== null,
    hasKey,
    readOnly,
    creations: maxCreates - reservedForRefusals(maxCreates),
    risky: risky ?? loopback,
    loopback,
  };
};

/** Whether the target is on this machine, so that requests slow nobody else down. */
const isLoopback = (baseUrl: string): boolean => {
  const { hostname } = new URL(baseUrl);
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\./.test(hostname)
  );
};
