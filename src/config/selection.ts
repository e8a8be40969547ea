import { groupOf, type Requirement } from '../openapi/requirement.ts';
import type { RunSettings } from './settings.ts';
import { didYouMean } from './suggest.ts';
import { quoted } from './values.ts';

/** A requirement id or a group as the catalogue writes it: it may be given in any case. */
export const canonicalId = (word: string): string => word.toUpperCase();

/** Tells whether a requirement id or a group, as `--only` and `--skip` take them, means this requirement. */
const selects = (word: string, id: string): boolean =>
  canonicalId(word) === id || canonicalId(word) === groupOf(id);

/** The requirements that hold for any API that an OpenAPI document describes, as `--spec` judges it. */
const general = /^(GEN-\d+|AUTH-[12]|RATE-[12])$/;

/** What a run judges: the requirements on servers that `only` and `skip` leave. */
export const selected = (
  requirements: readonly Requirement[],
  { only, skip, spec }: Pick<RunSettings, 'only' | 'skip' | 'spec'>,
): readonly Requirement[] =>
  requirements.filter(
    ({ id, subject }) =>
      subject === 'server' &&
      (spec === null || general.test(id)) &&
      (only.length === 0 || only.some((word) => selects(word, id))) &&
      !skip.some((word) => selects(word, id)),
  );

/** Says what is wrong with a requirement id (or, where groups may stand, a group) that `run` is given; null: nothing. */
export const problemOfId = (
  word: string,
  requirements: readonly Requirement[],
  options: { readonly groups: boolean },
): string | null => {
  const meant = requirements.filter(
    ({ id }) => canonicalId(word) === id || (options.groups && selects(word, id)),
  );
  if (meant.some(({ subject }) => subject === 'server')) return null;
  if (meant.length > 0) return `${word} is a requirement on ${meant[0]?.subject}s, and run tests servers`;
  const ids = requirements.filter(({ subject }) => subject === 'server').map(({ id }) => id);
  const known = options.groups ? [...ids, ...new Set(ids.map(groupOf))] : ids;
  const hint = didYouMean(word, known) || ': the command requirements lists them';
  return `unknown requirement ${quoted(word)}${hint}`;
};
