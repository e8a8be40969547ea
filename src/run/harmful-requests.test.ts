import { describe, expect, test } from 'vitest';
import { breachOf, checkNamed, failedExchangeOf, parsedResponse } from '../../test/support/build.ts';
import { createPetWithBody, getPet, listPets } from '../check/requests.ts';
import type { Probe } from '../finding/probe.ts';
import type { Exchange } from '../http/exchange.ts';
import { notYetKnown } from './evidence.ts';
import { crashOf, createCrashTracker, createListBreakage, withoutAfterCrash } from './harmful-requests.ts';

const silent = (probe: Probe, kind: 'reset' | 'refused', startedAt = 0) =>
  failedExchangeOf(probe, kind, { startedAt, durationMs: 10 });
const dropped = (probe: Probe, startedAt = 0) => ({ probe, exchange: silent(probe, 'reset', startedAt) });
const respondedTo = (probe: Probe, startedAt: number) => {
  const response = parsedResponse(probe, {});
  return { probe, response: { ...response, exchange: { ...response.exchange, startedAt } } };
};
const unusual = { ...listPets({ limit: 0 }), inputSpace: 'undocumented', label: 'limit=0' } as const;
const plain = getPet('7');

describe('suspects of a crash', () => {
  test('everything in flight, undocumented requests first', () => {
    const crashTracker = createCrashTracker();
    const [first, second] = [dropped(plain), dropped(unusual)];
    for (const each of [first, second]) crashTracker.dropped(each);
    crashTracker.responded(respondedTo(plain, 5));
    expect(crashTracker.suspects()).toEqual([second, first]);
  });

  test('not requests dropped before the target accepted another one', () => {
    const crashTracker = createCrashTracker();
    crashTracker.dropped(dropped(unusual));
    crashTracker.responded(respondedTo(plain, 10));
    expect(crashTracker.suspects()).toEqual([]);
    const later = dropped(plain, 20);
    crashTracker.dropped(later);
    expect(crashTracker.suspects()).toEqual([later]);
  });

  test('come with the last responses', () => {
    const crashTracker = createCrashTracker();
    for (const id of ['1', '2', '3', '4']) crashTracker.responded(respondedTo(getPet(id), 0));
    const { last, ...between } = crashOf(crashTracker, silent(plain, 'refused'));
    expect(between).toEqual({ inFlight: [], isAlone: false });
    expect(last.map(({ probe, status }) => [probe.request.path, status])).toEqual([
      ['/pets/2', 200],
      ['/pets/3', 200],
      ['/pets/4', 200],
    ]);
    const [alone, other] = [dropped(unusual), dropped(plain)];
    crashTracker.dropped(alone);
    expect(crashOf(crashTracker, alone.exchange)).toMatchObject({ inFlight: [unusual], isAlone: true });
    crashTracker.dropped(other);
    expect(crashOf(crashTracker, alone.exchange)).toMatchObject({
      inFlight: [unusual, plain],
      isAlone: false,
    });
  });
});

describe('causes of a crash', () => {
  const causeOf = (exchange: Exchange) => ({
    breach: { ...breachOf('GEN-4'), exchange },
    check: checkNamed('GEN-4 a check'),
    path: null,
    seen: 1,
    tries: 1,
    occurrences: 1,
    inputs: [],
    others: [],
    ...notYetKnown,
  });

  test('requests in flight -> replace requests that only found the target gone', () => {
    const crashTracker = createCrashTracker();
    const [first, second] = [dropped(plain), dropped(unusual)];
    for (const each of [first, second]) crashTracker.dropped(each);
    const [late, plainCause, unusualCause] = [
      causeOf(silent(plain, 'refused')),
      causeOf(first.exchange),
      causeOf(second.exchange),
    ];
    expect(withoutAfterCrash([late, plainCause, unusualCause], crashTracker)).toEqual([
      unusualCause,
      plainCause,
    ]);
  });

  test('nothing known to be in flight -> kept', () => {
    const late = causeOf(silent(plain, 'refused'));
    expect(withoutAfterCrash([late], createCrashTracker())).toEqual([late]);
    const crashTracker = createCrashTracker();
    crashTracker.dropped(dropped(unusual));
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

const stepResult = (step: Step, startedAt: number, durationMs: number) => {
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
  const responded = steps.map((step, index) => stepResult(step, 10 * index, durationMs));
  for (const each of responded) breakage.responded(each);
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
    'the creation failed too -> that creation',
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
    'in flight too, while lists succeed after every other creation',
    ['creation', 'creation', 'list', 'list', 'list fails', 'creation', 'list fails'],
    5,
  ],
])('a creation in flight with the list -> the culprit: %s', (_, steps, culprit) => {
  expect(culpritIn([...steps, 'get'], 15)).toBe(culprit);
});
