import type { Created, ListProblem } from '../../oracle/problems/lists.ts';
import { animals, type ProblemText } from './words.ts';

type MissingFromPage = Extract<ListProblem, { in: 'page' }>;

const mostIds = 5;

const idsOf = (ids: readonly bigint[]): string =>
  `${ids.length === 1 ? 'id' : 'ids'} ${ids.slice(0, mostIds).join(', ')}${ids.length > mostIds ? ', …' : ''}`;

/** Orders in which a store may keep its animals, and what those are called that come first in them, and last. */
const orders: readonly {
  readonly by: (a: Created, b: Created) => number;
  readonly ends: readonly [first: string, last: string];
}[] = [
  { by: (a, b) => a.at - b.at, ends: ['oldest', 'newest'] },
  { by: (a, b) => (a.id < b.id ? -1 : 1), ends: ['with the lowest ids', 'with the highest ids'] },
];

/** Of fewer it is no wonder that they stand at an end. */
const fewestTelling = 2;

/** What those have in common that are there: a store that forgets keeps the newest, say. */
const kept = (wanted: readonly Created[], isMissing: (animal: Created) => boolean): string => {
  const there = wanted.filter((animal) => !isMissing(animal)).length;
  if (Math.min(there, wanted.length - there) < fewestTelling) return '';
  for (const { by, ends } of orders) {
    const sorted = wanted.toSorted(by);
    const [first, last] = ends;
    if (!sorted.slice(-there).some(isMissing)) return `, only the ${there} ${last} are there`;
    if (!sorted.slice(0, there).some(isMissing)) return `, only the ${there} ${first} are there`;
  }
  return '';
};

/** The sentences about a page that is not full, and lacks some of the animals that it should have. */
export const missingFromPage = ({ wanted, listed, most, status }: MissingFromPage): ProblemText => {
  const ids = new Set(listed);
  const isMissing = ({ id }: Created) => !ids.has(id);
  const missing = wanted.filter(isMissing).map(({ id }) => id);
  const how = status === null ? 'created' : `created with status ${status}`;
  const all = wanted.length === 1 ? 'the animal' : `all ${animals(wanted.length)}`;
  const which = missing.length === wanted.length ? all : `${missing.length} of the ${animals(wanted.length)}`;
  const are = missing.length === 1 ? 'is' : 'are';
  const shown = listed.filter((id) => id !== null);
  return {
    message: `The list is not a full page, but ${which} that this run ${how} ${are} missing${kept(wanted, isMissing)}`,
    expected: `${all} that this run ${how} (${idsOf(wanted.map(({ id }) => id))}), or a full page of ${most}`,
    actual: `${animals(listed.length)}${shown.length === 0 ? '' : ` (${idsOf(shown)})`}, missing ${idsOf(missing)}`,
  };
};
