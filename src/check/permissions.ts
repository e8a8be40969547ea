import type { RunSettings } from '../config/settings.ts';
import { reservedForRefusals } from './creations.ts';

export interface RunPermissions {
  /** The document describes another API than the animal store. */
  readonly otherApi: boolean;
  readonly hasKey: boolean;
  readonly readOnly: boolean;
  readonly risky: boolean;
  /** How many resources may be created by requests that the server should accept. */
  readonly creations: number;
  readonly loopback: boolean;
}

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
