import type { Json } from '../../json/json.ts';
import { defineProblem, type ProblemText, type Seen } from '../define-problem.ts';
import { animals } from '../words/values.ts';

/** An animal that the run created. `at`: milliseconds by the run's clock. */
export interface Created {
  readonly id: bigint;
  readonly at: number;
}

/** A list that was requested. `page`: without parameters, so only the default page. */
type RequestedList = {
  readonly status?: string | undefined;
  readonly page?: 'default' | undefined;
};

/** A page that is not full lacks animals of the run. */
type FromPage = {
  readonly in: 'page';
  readonly wanted: readonly Created[];
  readonly listed: readonly (bigint | null)[];
  readonly most: number;
  /** Null: any status. */
  readonly status: string | null;
};

/** A list of `count` animals lacks one. */
type FromList = { count: number } & (
  | { in: 'list after creation'; list: RequestedList; id: bigint }
  /** Another operation shows the animal with that status before and after the list. */
  | { in: 'list between'; list: { readonly status: string }; shownBy: 'listPets' | 'getPet'; id: bigint }
  | { in: 'list of large integers'; list: RequestedList; id: Json | undefined; categoryId: bigint }
  | { in: 'list of exact limit'; list: { readonly status: string }; id: bigint; wanted: number }
);

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
const missingFromPage = ({ wanted, listed, most, status }: FromPage, { request }: Seen): ProblemText => {
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

const listInWords = ({ status, page }: RequestedList): string => {
  if (page === 'default') return 'GET /pets without parameters';
  return status === undefined ? 'GET /pets' : `GET /pets with status=${status}`;
};

const notFull = '(the page is not full)';

/** What a list lacks, as the end of a message. */
const lacking = (facts: Exclude<FromList, { in: 'list of exact limit' }>): string => {
  const without = `got ${animals(facts.count)} without it`;
  switch (facts.in) {
    case 'list after creation':
      return `the created animal ${facts.id}, ${without} ${notFull}`;
    case 'list of large integers':
      return `the created animal ${facts.id} (categoryId ${facts.categoryId}), ${without} ${notFull}`;
    case 'list between': {
      const shownBy = facts.shownBy === 'getPet' ? 'GET /pets/{petId}' : 'GET /pets';
      return `animal ${facts.id}, ${without}. ${shownBy} shows it with status ${facts.list.status} before and after`;
    }
  }
};

const missingFromList = (facts: FromList): ProblemText => {
  const { id, count } = facts;
  const list = listInWords(facts.list);
  return facts.in === 'list of exact limit'
    ? {
        message: `${list} and limit=${facts.wanted}: expected all ${animals(facts.wanted)}, got ${animals(count)} without animal ${id}`,
        expected: animals(facts.wanted),
        actual: `${animals(count)} without ${id}`,
      }
    : {
        message: `${list}: expected ${lacking(facts)}`,
        expected: `animal ${id} in the list`,
        actual: `${animals(count)} without it`,
      };
};

const variantOf = (facts: FromPage | FromList): string | undefined => {
  if (facts.in === 'page') return facts.status === null ? 'short page' : 'short page by status';
  if (facts.in === 'list of exact limit') return 'limit equals count';
  if (facts.in !== 'list after creation') return 'by status';
  const { page, status } = facts.list;
  return page === 'default' ? 'default page' : status === undefined ? undefined : 'by status';
};

/** A list that lacks animals. */
export const missingKinds = {
  'missing-from-list': defineProblem<FromPage | FromList>({
    example: { in: 'list after creation', list: { status: 'available' }, id: 7n, count: 3 },
    saysBothSides: true,
    text: (facts, seen) => (facts.in === 'page' ? missingFromPage(facts, seen) : missingFromList(facts)),
    variant: variantOf,
  }),
};
