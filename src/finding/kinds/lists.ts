import { excerpt } from '../../json/excerpt.ts';
import type { JsonObject } from '../../json/json.ts';
import { stringifyJson } from '../../json/stringify.ts';
import { defineProblem } from '../define-problem.ts';
import { aboutInWords } from '../words/requests.ts';
import { animals, jsonOrAbsent } from '../words/values.ts';

const limits = {
  limit: (most: number) => `limit=${most}`,
  default: () => 'the default limit',
  maximum: () => 'the maximum',
} as const;

/** `knownBy`: the member that identifies the animal. */
type StoredAfterRefusal = {
  readonly status: number;
  readonly knownBy: 'name' | 'categoryId';
  readonly animal: JsonObject;
};

/** The member that identifies an animal, in words. */
const markOf = ({ knownBy, animal }: StoredAfterRefusal): string =>
  knownBy === 'categoryId' ? `categoryId ${animal.categoryId}` : `name ${JSON.stringify(animal.name)}`;

/** Problems with lists of animals. `count`: the length of the list. */
export const listKinds = {
  'too-many-items': defineProblem<{
    most: number;
    why: keyof typeof limits;
    count: number;
    isCut: boolean;
  }>({
    example: { most: 20, why: 'default', count: 21, isCut: false },
    saysBothSides: true,
    text: ({ most, why, count, isCut }, { request }) => ({
      message: `${request}: expected at most ${animals(most)} (${limits[why](most)}), got ${count}`,
      expected: `at most ${animals(most)}`,
      actual: isCut ? `at least ${animals(count)}` : animals(count),
    }),
  }),
  'wrong-filter': defineProblem<{ status: string; others: number; count: number; example: JsonObject }>({
    example: { status: 'adopted', others: 2, count: 20, example: { id: 7n, status: 'available' } },
    saysBothSides: true,
    text: ({ status, others, count, example }, { request }) => ({
      message: `${request}: expected only status ${status}, got status ${jsonOrAbsent(example.status)} (${others} of ${animals(count)})`,
      expected: `"status":"${status}" in every animal`,
      actual: stringifyJson(example),
    }),
  }),
  /** `items`: the positions of both, counted from 1. */
  'duplicate-id': defineProblem<{
    id: bigint;
    items: readonly [number, number];
    count: number;
    others: readonly bigint[];
  }>({
    example: { id: 7n, items: [1, 3], count: 3, others: [] },
    text: ({ id, items, count, others }, { request }) => {
      const places = `items ${items[0]} and ${items[1]} of ${count}`;
      const more =
        others.length === 0 ? '' : `, and ${others.length} more: ${excerpt(others.join(', '), 40)}`;
      return {
        message: `${request}: animal ${id} appears twice (${places}${more})`,
        expected: 'every id once',
        actual: `id ${id} in ${places}`,
      };
    },
  }),
  'stored-after-refusal': defineProblem<StoredAfterRefusal>({
    example: { status: 400, knownBy: 'name', animal: { id: 7n, name: 'Rex' } },
    text: (facts, { about, request }) => ({
      message: `${about === undefined ? request : aboutInWords(about)} was refused with ${facts.status}, but its animal was stored`,
      expected: `no animal in the list with the ${markOf(facts)} of a creation that was refused`,
      actual: stringifyJson(facts.animal),
    }),
  }),
  /** `in`: the list that lacks the animals. */
  'lists-disagree': defineProblem<{
    status: string;
    in: 'filtered' | 'plain';
    missing: readonly (bigint | null)[];
    count: number;
  }>({
    example: { status: 'available', in: 'filtered', missing: [7n], count: 3 },
    saysBothSides: true,
    text: ({ status, in: lacking, missing, count }) => {
      const [filtered, plain] = [`GET /pets with status=${status}`, 'GET /pets'];
      const [incomplete, other] = lacking === 'filtered' ? [filtered, plain] : [plain, filtered];
      return {
        message: `${incomplete}: expected animal ${missing[0]} (status ${status}), got ${animals(count)} without it. ${other} lists it, and the page is not full`,
        expected: `animal ${missing[0]} in ${incomplete}`,
        actual: `${animals(count)} without ${missing.slice(0, 5).join(', ')}`,
      };
    },
  }),
};
