import { groupOf } from '../../openapi/requirement.ts';
import type { Culprit, ServerFailure } from '../../run/outcome.ts';
import { foldRows } from './id-ranges.ts';
import { stepText } from './steps.ts';
import { counted } from './units.ts';

/** A failure of one requirement. */
export interface FailureOf {
  readonly requirement: string;
  readonly failure: ServerFailure;
}

export type Source =
  | ({
      readonly kind: 'failure';
      /** The likely bug in a sentence; null: no pattern matches. */
      readonly bug: string | null;
    } & FailureOf)
  /** A successful request after which others fail. */
  | { readonly kind: 'request'; readonly culprit: Culprit };

/** What to fix first, and what that clears. */
export type RootCause = Source & {
  /** Further failures that this one explains. */
  readonly explains: readonly FailureOf[];
  /** Requirements that fail only because of this root cause. Its own requirement may be one of them. */
  readonly clears: readonly string[];
  /** Requirements that could not be tested because of this root cause. */
  readonly blocks: readonly string[];
};

/** What to fix, in a sentence. */
export const rootCauseText = (cause: RootCause): string =>
  cause.kind === 'request'
    ? `Lists fail since this request: ${stepText(cause.culprit)}`
    : `${cause.requirement} ${cause.bug ?? cause.failure.message}`;

/** The requirements that have a failure of this root cause. */
export const affectedBy = (cause: RootCause): readonly string[] => [
  ...new Set([
    ...(cause.kind === 'failure' ? [cause.requirement] : []),
    ...cause.explains.map(({ requirement }) => requirement),
  ]),
];

/** `clears 8 failures: LIST-8, CREATE-1, and some of GEN-3; blocks LIST-9`. */
export const effectText = (cause: RootCause): string => {
  const some = affectedBy(cause).filter((id) => !cause.clears.includes(id));
  const partly = some.length === 0 ? [] : [`some of ${some.join(', ')}`];
  const ids = [
    ...cause.clears,
    ...(cause.clears.length === 0 ? partly : partly.map((text) => `and ${text}`)),
  ];
  const failures = cause.explains.length + (cause.kind === 'failure' ? 1 : 0);
  const clears = `clears ${counted(failures, 'failure')}: ${ids.join(', ')}`;
  const blocked = [...Map.groupBy(cause.blocks, groupOf).values()].flatMap(foldRows);
  return blocked.length === 0 ? clears : `${clears}; blocks ${blocked.join(', ')}`;
};
