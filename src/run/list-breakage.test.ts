import { expect, test } from 'vitest';
import { readingOf } from '../../test/support/judging.ts';
import { createPet, getPet, listPets } from '../check/requests.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import { createListBreakage } from './list-breakage.ts';

type Step = 'list' | 'list fails' | 'creation' | 'creation fails' | 'get' | 'get fails' | 'bad limit fails';

const probes = {
  list: listPets({ limit: 5 }),
  creation: createPet('{}'),
  get: getPet('7'),
  'bad limit': listPets({ limit: '0', inputSpace: 'undocumented' }),
};

const answer = (step: Step) => {
  const name = step.replace(' fails', '') as keyof typeof probes;
  const ordinary = name === 'creation' ? 201 : 200;
  const probe = probes[name];
  return { probe, reading: readingOf(probe, { status: step.endsWith('fails') ? 500 : ordinary }) };
};

/** The place of the culprit among these steps; null: none. */
const culpritIn = (steps: readonly Step[]): number | null => {
  const breakage = createListBreakage();
  const readings: ParsedResponse[] = [];
  for (const step of steps) {
    const answered = answer(step);
    readings.push(answered.reading);
    breakage.answered(answered);
  }
  const culprit = breakage.culprit();
  return culprit === null ? null : readings.findIndex(({ exchange }) => exchange === culprit);
};

test.each<[string, readonly Step[], number | null]>([
  [
    'lists fail after a creation -> the last creation before',
    ['list', 'creation', 'creation', 'list fails', 'creation', 'list fails'],
    2,
  ],
  [
    'the creation failed as well -> that creation',
    ['list', 'creation fails', 'list fails', 'get', 'list fails'],
    1,
  ],
  ['one list fails -> none', ['list', 'creation', 'list fails', 'get'], null],
  [
    'as many lists succeed afterwards -> none',
    ['list', 'creation', 'list fails', 'get', 'list', 'list', 'list fails'],
    null,
  ],
  [
    'nothing is served afterwards -> none',
    ['list', 'creation', 'list fails', 'list fails', 'get fails', 'creation fails'],
    null,
  ],
  ['lists never succeeded -> none', ['creation', 'list fails', 'list fails', 'get'], null],
  ['lists failed before any creation -> none', ['list', 'list fails', 'creation', 'list fails', 'get'], null],
  [
    'only lists with an invalid limit fail -> none',
    ['list', 'creation', 'bad limit fails', 'bad limit fails', 'get'],
    null,
  ],
])('%s', (_, steps, culprit) => {
  expect(culpritIn(steps)).toBe(culprit);
});
