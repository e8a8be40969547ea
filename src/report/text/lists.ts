import { excerpt } from '../../json/excerpt.ts';
import { stringifyJson } from '../../json/stringify.ts';
import type { ProblemOf } from '../../oracle/problem.ts';
import type { AskedList, ListProblem } from '../../oracle/problems/lists.ts';
import { missingFromPage } from './missing.ts';
import { aboutInWords } from './requests.ts';
import type { Texts } from './texts.ts';
import { animals, type ProblemText } from './words.ts';

/** What an animal is known by. */
const markOf = ({ knownBy, animal }: ProblemOf<'stored-after-refusal'>): string =>
  knownBy === 'categoryId' ? `categoryId ${animal.categoryId}` : `name ${JSON.stringify(animal.name)}`;

const inWords = ({ status, page }: AskedList): string => {
  if (page === 'default') return 'GET /pets without parameters';
  return status === undefined ? 'GET /pets' : `GET /pets with status=${status}`;
};

const shownBy = (problem: ProblemOf<'missing-from-list'>): string =>
  'shownBy' in problem && problem.shownBy === 'getPet' ? 'GET /pets/{petId}' : 'GET /pets';

const missing = (problem: ProblemOf<'missing-from-list'>): ProblemText => {
  if (problem.in === 'page') return missingFromPage(problem);
  const { id, count } = problem;
  const without = `got ${animals(count)} without`;
  if (problem.in === 'list of exact limit')
    return {
      message: `${inWords(problem.list)} and limit=${problem.wanted}: expected all ${animals(problem.wanted)}, ${without} animal ${id}`,
      expected: animals(problem.wanted),
      actual: `${animals(count)} without ${id}`,
    };
  const wanted = {
    'list after creation': `the created animal ${id}, ${without} it (the page is not full)`,
    'list of large integers': `the created animal ${id} (categoryId ${'categoryId' in problem ? problem.categoryId : ''}), ${without} it (the page is not full)`,
    'list between': `animal ${id}, ${without} it. ${shownBy(problem)} shows it with status ${problem.list.status} before and after`,
  }[problem.in];
  return {
    message: `${inWords(problem.list)}: expected ${wanted}`,
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
    message: `${request}: expected only status ${status}, got another status in ${others} of ${animals(count)}`,
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
    const [where, other] = lacking === 'filtered' ? [filtered, plain] : [plain, filtered];
    return {
      message: `${where}: expected animal ${ids[0]} (status ${status}), got ${animals(count)} without it. ${other} lists it, and the page is not full`,
      expected: `animal ${ids[0]} in ${where}`,
      actual: `${animals(count)} without ${ids.slice(0, 5).join(', ')}`,
    };
  },
};
