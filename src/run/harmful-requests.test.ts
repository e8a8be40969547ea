import { describe, expect, test } from 'vitest';
import { breachOf, checkNamed, parsedResponse, silenceOf } from '../../test/support/build.ts';
import { createPetWithBody, getPet, listPets } from '../check/requests.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Probe } from '../oracle/probe.ts';
import { crashOf, createCrashTracker, createListBreakage, withoutAfterCrash } from './harmful-requests.ts';

const silent = (probe: Probe, kind: 'reset' | 'refused', startedAt = 0) =>
  silenceOf(probe, kind, { startedAt, durationMs: 10 });
const dropped = (probe: Probe, startedAt = 0) => ({ probe, exchange: silent(probe, 'reset', startedAt) });
const answered = (probe: Probe, startedAt: number) => {
  const response = parsedResponse(probe, {});
  return { probe, response: { ...response, exchange: { ...response.exchange, startedAt } } };
};
const odd = { ...listPets({ limit: 0 }), inputSpace: 'undocumented', label: 'limit=0' } as const;
const plain = getPet('7');

describe('what may have brought a target down', () => {
  test('is all that was under way, what the document does not describe first', () => {
    const crashTracker = createCrashTracker();
    const [first, second] = [dropped(plain), dropped(odd)];
    for (const each of [first, second]) crashTracker.dropped(each);
    crashTracker.answered(answered(plain, 5));
    expect(crashTracker.suspects()).toEqual([second, first]);
  });

  test('is nothing that was dropped before the target took up another request', () => {
    const crashTracker = createCrashTracker();
    crashTracker.dropped(dropped(odd));
    crashTracker.answered(answered(plain, 10));
    expect(crashTracker.suspects()).toEqual([]);
    const later = dropped(plain, 20);
    crashTracker.dropped(later);
    expect(crashTracker.suspects()).toEqual([later]);
  });

  test('is told with what was answered last', () => {
    const crashTracker = createCrashTracker();
    for (const id of ['1', '2', '3', '4']) crashTracker.answered(answered(getPet(id), 0));
    const { last, ...between } = crashOf(crashTracker, silent(plain, 'refused'));
    expect(between).toEqual({ isDuringRequest: false, others: [] });
    expect(last.map(({ probe, status }) => [probe.request.path, status])).toEqual([
      ['/pets/2', 200],
      ['/pets/3', 200],
      ['/pets/4', 200],
    ]);
    const [alone, other] = [dropped(odd), dropped(plain)];
    crashTracker.dropped(alone);
    expect(crashOf(crashTracker, alone.exchange)).toMatchObject({ isDuringRequest: true, others: [] });
    crashTracker.dropped(other);
    expect(crashOf(crashTracker, alone.exchange)).toMatchObject({ isDuringRequest: true, others: [plain] });
  });
});

describe('causes', () => {
  const causeOf = (exchange: Exchange) => ({
    breach: { ...breachOf('GEN-4'), exchange },
    check: checkNamed('GEN-4 a check'),
    path: null,
    seen: 1,
    tries: 1,
    occurrences: 1,
    others: [],
  });

  test('of requests that only found the target gone give way to those that were under way', () => {
    const crashTracker = createCrashTracker();
    const [first, second] = [dropped(plain), dropped(odd)];
    for (const each of [first, second]) crashTracker.dropped(each);
    const [late, ordinary, unusual] = [
      causeOf(silent(plain, 'refused')),
      causeOf(first.exchange),
      causeOf(second.exchange),
    ];
    expect(withoutAfterCrash([late, ordinary, unusual], crashTracker)).toEqual([unusual, ordinary]);
  });

  test('stay where nothing is known to have been under way', () => {
    const late = causeOf(silent(plain, 'refused'));
    expect(withoutAfterCrash([late], createCrashTracker())).toEqual([late]);
    const crashTracker = createCrashTracker();
    crashTracker.dropped(dropped(odd));
    expect(withoutAfterCrash([late], crashTracker)).toEqual([late]);
  });
});

type Step = 'list' | 'list fails' | 'creation' | 'creation fails' | 'get' | 'get fails' | 'bad limit fails';

const probes = {
  list: listPets({ limit: 5 }),
  creation: createPetWithBody('{}'),
  get: getPet('7'),
  'bad limit': listPets({ limit: '0', inputSpace: 'undocumented' }),
};

const answer = (step: Step, startedAt: number, durationMs: number) => {
  const name = step.replace(' fails', '') as keyof typeof probes;
  const ordinary = name === 'creation' ? 201 : 200;
  const probe = probes[name];
  const response = parsedResponse(
    probe,
    { status: step.endsWith('fails') ? 500 : ordinary },
    { startedAt, durationMs },
  );
  return { probe, response };
};

/** The place of the culprit among these steps, which take `durationMs` each and start every 10 ms; null: none. */
const culpritIn = (steps: readonly Step[], durationMs = 5): number | null => {
  const breakage = createListBreakage();
  const responded = steps.map((step, index) => answer(step, 10 * index, durationMs));
  for (const each of responded) breakage.answered(each);
  const culprit = breakage.culprit();
  return culprit === null ? null : responded.findIndex(({ response }) => response.exchange === culprit);
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

test.each<[string, readonly Step[], number]>([
  [
    'sent after the list that fails first',
    ['list', 'creation', 'list', 'list', 'list fails', 'creation', 'list fails'],
    5,
  ],
  ['sent before it', ['creation', 'list', 'list', 'creation', 'list fails', 'get', 'list fails'], 3],
  [
    'under way as well, while lists succeed after every other',
    ['creation', 'creation', 'list', 'list', 'list fails', 'creation', 'list fails'],
    5,
  ],
])('a creation that is under way together with the list is the culprit: %s', (_, steps, culprit) => {
  expect(culpritIn([...steps, 'get'], 15)).toBe(culprit);
});
