import { groupOf, type Requirement } from '../openapi/requirement.ts';
import { idProblems } from './refusals.ts';
import type { RunSettings } from './settings.ts';

/** Returns a requirement id or group as the catalogue writes it. Users may write it in any case. */
export const canonicalId = (word: string): string => word.toUpperCase();

/** Whether an id or group of `--only` or `--skip` selects this requirement. */
const selects = (word: string, id: string): boolean =>
  canonicalId(word) === id || canonicalId(word) === groupOf(id);

/** Requirements that are tested with a rate-limit key that nobody else uses, because others may use up the limit. */
export const needsOwnKey: readonly string[] = ['RATE-5', 'RATE-6', 'RATE-8', 'RATE-9', 'RATE-13'];

/** Any 429 tests them, but no check causes one without that key. */
export const needsRefusal: readonly string[] = ['RATE-7', 'RATE-10', 'RATE-14'];

/** Returns the requirements, by default on servers, that `only` and `skip` select. */
export const selected = (
  requirements: readonly Requirement[],
  { only, skip }: Pick<RunSettings, 'only' | 'skip'>,
  subjects: readonly Requirement['subject'][] = ['server'],
): readonly Requirement[] =>
  requirements.filter(
    ({ id, subject }) =>
      subjects.includes(subject) &&
      (only.length === 0 || only.some((word) => selects(word, id))) &&
      !skip.some((word) => selects(word, id)),
  );

/** Returns the problem of a requirement id, or of a group if groups are allowed; null: none. */
export const problemOfId = (
  word: string,
  requirements: readonly Requirement[],
  options: { readonly groups: boolean; readonly subjects?: readonly Requirement['subject'][] },
): string | null => {
  const { subjects = ['server'] } = options;
  const isTested = ({ subject }: Requirement): boolean => subjects.includes(subject);
  const matches = requirements.filter(
    ({ id }) => canonicalId(word) === id || (options.groups && selects(word, id)),
  );
  if (matches.some(isTested)) return null;
  if (matches.length > 0) return idProblems.ofClients(word, `${matches[0]?.subject}`);
  const ids = requirements.filter(isTested).map(({ id }) => id);
  const known = options.groups ? [...ids, ...new Set(ids.map(groupOf))] : ids;
  return idProblems.unknown(word, known);
};
