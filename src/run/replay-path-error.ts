import type { RunSettings } from '../config/settings.ts';

/** A path that leads nowhere, in one line that says what to do. */
export const replayPathError = ({ path, only }: Pick<RunSettings, 'path' | 'only'>): string =>
  `--path ${path} leads to no case of ${only.join(', ')}, so nothing was repeated: give --seed, --only and --path, and the other flags, as the failure printed them`;

/** Nothing was repeated: that says neither that a failure is gone nor that it is still there. */
export class ReplayPathNotFound extends Error {
  override name = 'NoSuchCase';
}
