import type { Fault, Patch } from '../patch.ts';
import { replace } from '../patch-kit/core.ts';

/** A fault of the base URL: the URL is wrong, not the responses. */
export interface VersionFault extends Fault {
  /** The path of the base URL instead of `/v1`, without a trailing slash. */
  readonly basePath: string;
}

/** Serves everything below another path, and nothing below `/v1`. */
const servedAt = (basePath: string): Patch =>
  replace('route', (before) => (method, path) => {
    const isBelow = path.startsWith(`${basePath}/`);
    return before(method, isBelow ? `/v1${path.slice(basePath.length)}` : '/elsewhere');
  });

const based = (name: string, basePath: string, description: string): VersionFault => ({
  name,
  requirement: 'VER-1',
  companions: [],
  description,
  basePath,
  patch: servedAt(basePath),
});

/** Mistakes in the base URL. */
export const versionFaults: readonly VersionFault[] = [
  based('base-without-version', '/animals', 'The base address has no version segment.'),
  based('base-of-version-2', '/v2', 'The base address ends in /v2, though the API version is 1.0.0.'),
  based('base-of-version-1-0-0', '/v1.0.0', 'The base address ends in the whole version, /v1.0.0.'),
  based(
    'version-before-the-end-of-the-base',
    '/v1/store',
    'The base address goes on after the version segment.',
  ),
];
