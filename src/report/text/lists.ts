import { excerpt } from '../../json/excerpt.ts';
import { stringifyJson } from '../../json/stringify.ts';
import type { ProblemOf } from '../../oracle/problem.ts';
import type { Created, ListProblem, RequestedList } from '../../oracle/problems/lists.ts';
import { aboutInWords } from './requests.ts';
import type { Seen, Texts } from './texts.ts';
import { animals, jsonOrAbsent, type ProblemText } from './words.ts';

type MissingFromPage = Extract<ListProblem, { in: 'page' }>;

const mostIds = 5;

const idsOf = (ids: readonly bigint[]): string =>
  `${ids.length === 1 ? 'id' : 'ids'} ${ids.slice(0, mostIds).join(', ')}${ids.length > mostIds ? ', …' : ''}`;

/** Possible orders of a store, with names for the animals at both ends. */
const orders: readonly {
  readonly by: (a: Created, b: Created) => number;
  readonly ends: readonly [first: string, last: string];
}[] = [
  { by: (a, b) => a.at - b.at, ends: ['oldest', 'newest'] },
  { by: (a, b) => (a.id < b.id ? -1 : 1), ends: ['with the lowest ids', 'with the highest ids'] },
];

/** Fewer animals may be at one end by chance. */
const fewestAtEnd = 2;

/** What the listed animals have in common. For example, a store that loses animals may keep the newest. */
const commonEnd = (wanted: readonly Created[], isMissing: (animal: Created) => boolean): string => {
  const present = wanted.filter((animal) => !isMissing(animal)).length;
  if (Math.min(present, wanted.length - present) < fewestAtEnd) return '';
  for (const { by, ends } of orders) {
    const sorted = wanted.toSorted(by);
    const [first, last] = ends;
    if (!sorted.slice(-present).some(isMissing)) return `, only the ${present} ${last} are there`;
    if (!sorted.slice(0, present).some(isMissing)) return `, only the ${present} ${first} are there`;
  }
  return '';
};

/** The sentences about a page that is not full, but lacks animals. */
const missingFromPage = ({ wanted, listed, most, status }: MissingFromPage, { request }: Seen) => {
  const ids = new Set(listed);
  const isMissing = ({ id }: Created) => !ids.has(id);
  const missing = wanted.filter(isMissing).map(({ id }) => id);
  const how = status === null ? 'created' : `created with status ${status}`;
  const all = wanted.length === 1 ? 'the animal' : `all ${animals(wanted.length)}`;
  const which = missing.length === wanted.length ? all : `${missing.length} of the ${animals(wanted.length)}`;
  const are = missing.length === 1 ? 'is' : 'are';
  const shown = listed.filter((id) => id !== null);
  return {
    message: `${request}: the list is not a full page, but ${which} that this run ${how} ${are} missing${commonEnd(wanted, isMissing)}`,
    expected: `${all} that this run ${how} (${idsOf(wanted.map(({ id }) => id))}), or a full page of ${most}`,
    actual: `${animals(listed.length)}${shown.length === 0 ? '' : ` (${idsOf(shown)})`}, missing ${idsOf(missing)}`,
  };
};

/** The member that identifies an animal in a message. */
const markOf = ({ knownBy, animal }: ProblemOf<'stored-after-refusal'>): string =>
  knownBy === 'categoryId' ? `categoryId ${animal.categoryId}` : `name ${JSON.stringify(animal.name)}`;

const listInWords = ({ status, page }: RequestedList): string => {
  if (page === 'default') return 'GET /pets without parameters';
  return status === undefined ? 'GET /pets' : `GET /pets with status=${status}`;
};

const shownBy = (problem: ProblemOf<'missing-from-list'>): string =>
  'shownBy' in problem && problem.shownBy === 'getPet' ? 'GET /pets/{petId}' : 'GET /pets';

const missing = (problem: ProblemOf<'missing-from-list'>, seen: Seen): ProblemText => {
  if (problem.in === 'page') return missingFromPage(problem, seen);
  const { id, count } = problem;
  const without = `got ${animals(count)} without`;
  if (problem.in === 'list of exact limit')
    return {
      message: `${listInWords(problem.list)} and limit=${problem.wanted}: expected all ${animals(problem.wanted)}, ${without} animal ${id}`,
      expected: animals(problem.wanted),
      actual: `${animals(count)} without ${id}`,
    };
  const wanted = {
    'list after creation': `the created animal ${id}, ${without} it (the page is not full)`,
    'list of large integers': `the created animal ${id} (categoryId ${'categoryId' in problem ? problem.categoryId : ''}), ${without} it (the page is not full)`,
    'list between': `animal ${id}, ${without} it. ${shownBy(problem)} shows it with status ${problem.list.status} before and after`,
  }[problem.in];
  return {
    message: `${listInWords(problem.list)}: expected ${wanted}`,
    expected: `animal ${id} in the list`,
    actual: `${animals(count)} without it`,
  };
};

const limits: Readonly<Record<ProblemOf<'too-many-items'>['why'], (most: number) => string>> = {
  limit: (most) => `limit=${most}`,
  default: () => 'the default limit',
  maximum: () => 'the maximum',
};

/** The sentences about lists of animals. */
export const listTexts: Texts<ListProblem> = {
  'too-many-items': ({ most, why, count, isCut }, { request }) => ({
    message: `${request}: expected at most ${animals(most)} (${limits[why](most)}), got ${count}`,
    expected: `at most ${animals(most)}`,
    actual: isCut ? `at least ${animals(count)}` : animals(count),
  }),
  'wrong-filter': ({ status, others, count, example }, { request }) => ({
    message: `${request}: expected only status ${status}, got status ${jsonOrAbsent(example.status)} (${others} of ${animals(count)})`,
    expected: `"status":"${status}" in every animal`,
    actual: stringifyJson(example),
  }),
  'duplicate-id': ({ id, items, count, others }, { request }) => {
    const places = `items ${items[0]} and ${items[1]} of ${count}`;
    const more = others.length === 0 ? '' : `, and ${others.length} more: ${excerpt(others.join(', '), 40)}`;
    return {
      message: `${request}: animal ${id} appears twice (${places}${more})`,
      expected: 'every id once',
      actual: `id ${id} in ${places}`,
    };
  },
  'stored-after-refusal': (problem, { about, request }) => ({
    message: `${about === undefined ? request : aboutInWords(about)} was refused with ${problem.status}, but its animal was stored`,
    expected: `no animal in the list with the ${markOf(problem)} of a creation that was refused`,
    actual: stringifyJson(problem.animal),
  }),
  'missing-from-list': missing,
  'lists-disagree': ({ status, in: lacking, missing: ids, count }) => {
    const [filtered, plain] = [`GET /pets with status=${status}`, 'GET /pets'];
    const [incomplete, other] = lacking === 'filtered' ? [filtered, plain] : [plain, filtered];
    return {
      message: `${incomplete}: expected animal ${ids[0]} (status ${status}), got ${animals(count)} without it. ${other} lists it, and the page is not full`,
      expected: `animal ${ids[0]} in ${incomplete}`,
      actual: `${animals(count)} without ${ids.slice(0, 5).join(', ')}`,
    };
  },
};
