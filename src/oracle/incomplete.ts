import type { Breach } from './finding.ts';
import { animals, asWritten, type Knowledge, type OwnAnimal } from './rule.ts';

type Animal = Pick<OwnAnimal, 'id' | 'at'>;

const mostIds = 5;

const idsOf = (ids: readonly bigint[]): string =>
  `${ids.length === 1 ? 'id' : 'ids'} ${ids.slice(0, mostIds).join(', ')}${ids.length > mostIds ? ', …' : ''}`;

/** Orders in which a store may keep its animals, and what those are called that come first in them, and last. */
const orders: readonly {
  readonly by: (a: Animal, b: Animal) => number;
  readonly ends: readonly [first: string, last: string];
}[] = [
  { by: (a, b) => a.at - b.at, ends: ['oldest', 'newest'] },
  { by: (a, b) => (a.id < b.id ? -1 : 1), ends: ['with the lowest ids', 'with the highest ids'] },
];

/** Of fewer it is no wonder that they stand at an end. */
const fewestTelling = 2;

/** What those have in common that are there: a store that forgets keeps the newest, say. */
const kept = (wanted: readonly Animal[], isMissing: (animal: Animal) => boolean): string => {
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

/** A list that was asked for, and what should be in it. */
interface Page {
  readonly wanted: readonly Animal[];
  readonly listed: readonly (bigint | null)[];
  readonly most: number;
  /** The status that is asked for; null: any. */
  readonly status: string | null;
}

/** So many of the creations of missing animals are shown. */
const mostCreations = 3;

/** What is wrong with a page that could hold `most` animals, and lacks some of those that the run created and wants to see there. */
export const incomplete = (
  { wanted, listed, most, status }: Page,
  { creationsOf }: Pick<Knowledge, 'creationsOf'>,
): Omit<Breach, 'kind' | 'requirement' | 'rule' | 'exchange'> => {
  const ids = new Set(listed);
  const isMissing = ({ id }: Animal) => !ids.has(id);
  const missing = wanted.filter(isMissing).map(({ id }) => id);
  const origin = missing.slice(0, mostCreations).flatMap(creationsOf);
  const [first] = origin;
  const how = status === null ? 'created' : `created with status ${status}`;
  const all = wanted.length === 1 ? 'the animal' : `all ${animals(wanted.length)}`;
  const which = missing.length === wanted.length ? all : `${missing.length} of the ${animals(wanted.length)}`;
  const are = missing.length === 1 ? 'is' : 'are';
  const shown = listed.filter((id) => id !== null);
  return {
    message: `The list is not a full page, but ${which} that this run ${how} ${are} missing${kept(wanted, isMissing)}`,
    expected: `${all} that this run ${how} (${idsOf(wanted.map(({ id }) => id))}), or a full page of ${most}`,
    origin,
    beside: wanted.filter(({ id }) => ids.has(id)).flatMap(({ id }) => creationsOf(id)),
    ...(first === undefined ? {} : { request: asWritten(first) }),
    actual: `${animals(listed.length)}${shown.length === 0 ? '' : ` (${idsOf(shown)})`}, missing ${idsOf(missing)}`,
  };
};
