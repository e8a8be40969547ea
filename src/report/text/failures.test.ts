import { expect, test } from 'vitest';
import { breachOf, exchangeOf, noSettings, nowhere } from '../../../test/support/build.ts';
import { createPet, getPet, listPets } from '../../check/requests.ts';
import type { About, Probe } from '../../finding/probe.ts';
import type { FoundFailure, FoundOutcome } from '../../run/found-outcome.ts';
import { failed, outcomeOf } from '../../run/run-testing.ts';
import { describeOutcome } from './failures.ts';

const plain = (text: string) => text;
const found = outcomeOf(failed('LIST-3'));
const context = {
  settings: noSettings,
  target: nowhere(),
  seed: 7,
  redact: plain,
  redactResponse: plain,
};
const wrong = '200 GET /pets: Retry-After has a form that RFC 9110 does not define (some form)';
const last = [{ probe: getPet('2'), status: 200 }];
const aboutOf = (probe: Probe): About => ({ kind: 'request', probe });

/** The failure of an outcome, with other facts. */
const described = (changes: Partial<FoundFailure>, redact = plain) => {
  const outcome: FoundOutcome = {
    ...found,
    requirements: found.requirements.map((result) => ({
      ...result,
      failures: result.failures.map((failure) => ({ ...failure, ...changes })),
    })),
  };
  return describeOutcome(outcome, { ...context, redact, redactResponse: redact }).requirements.flatMap(
    ({ failures }) => failures,
  )[0];
};

test('describeOutcome: a failure -> its sentences, rule, and variant', () => {
  expect(described({})).toMatchObject({
    message: wrong,
    expected: 'Retry-After: whole seconds, or an HTTP-date (RFC 9110, 10.2.3)',
    actual: 'Retry-After: that',
    rule: 'header-form',
    variant: 'some form',
  });
  const breach = { ...breachOf('GEN-4'), problem: { rule: 'server-error', wrongStatus: 502 } as const };
  expect(described({ breach })).toMatchObject({ rule: 'server-error', variant: '502' });
});

test('describeOutcome: the server went down with several requests in flight -> all are named, and none is blamed', () => {
  const inFlight = [getPet('7'), createPet(null, { label: 'null instead of an object' }), getPet('7')];
  expect(described({ crash: { inFlight, isAlone: false, last } })?.message).toBe(
    'The server closed the connection of 3 requests in flight, and accepts none since: POST /pets with null instead of an object; GET /pets/7 (2 times). Send each alone to see which one is the reason. Last response: GET /pets/2 (200)',
  );
});

test('describeOutcome: an exchange without a response -> the reason in words, redacted', () => {
  const exchange = {
    ...{ id: 1, check: 'LIST-1', operation: 'listPets', startedAt: 0, durationMs: 1, breaches: [] },
    request: { method: 'GET', url: 'http://host/v1/pets', headers: {}, body: null },
    response: null,
    failure: { code: 'not-decoded', coding: 'secret' },
  } as const;
  const redact = (text: string) => text.replaceAll('secret', '…');
  const { exchanges } = describeOutcome({ ...found, exchanges: [exchange] }, { ...context, redact });
  expect(exchanges).toEqual([{ ...exchange, failure: 'the body is not valid …, its Content-Encoding' }]);
});

test.each<[facts: Partial<FoundFailure>, sentence: string]>([
  [{ servesWithoutKey: true }, 'A request without a key is served as well (AUTH-1)'],
  [
    { commonVariant: { phrase: 'with Accept: */*', headers: [] } },
    'Only requests with Accept: */* fail this way',
  ],
  [
    { crash: { inFlight: [], isAlone: false, last } },
    'The server stopped accepting connections between two requests. Last response: GET /pets/2 (200)',
  ],
  [
    { crash: { inFlight: [getPet('7')], isAlone: true, last: [] } },
    'The server stopped accepting connections during this request',
  ],
])('describeOutcome: facts that explain a failure -> a sentence after its message: %#', (facts, sentence) => {
  expect(described(facts)?.message).toBe(`${wrong}. ${sentence}`);
});

test('others: each request once, with its actual value if that differs and is short', () => {
  const other = (limit: number, value: string) => ({
    ...breachOf('LIST-3', 'some form', value),
    about: aboutOf(listPets({ limit })),
  });
  const long = 'so many words that they hide the request '.repeat(2);
  const others = [other(2, 'that'), other(3, 'soon'), other(4, long), other(2, 'later'), other(1, 'that')];
  expect(described({ breach: other(1, 'that'), others })?.others).toEqual([
    'GET /pets with limit=2',
    'GET /pets with limit=3 → Retry-After: soon',
    'GET /pets with limit=4',
  ]);
});

test('passed: the most similar requests, without requests that also failed', () => {
  const [one, two] = [listPets({ limit: 1 }), listPets({ limit: 2 })];
  const creation = exchangeOf(createPet({ name: 'Rex' }), { status: 201 });
  const candidates = [aboutOf(one), aboutOf(two), { kind: 'creation', exchange: creation } as const];
  expect(described({ passed: { candidates, breaching: [aboutOf(two)] } })?.passed?.toSorted()).toEqual([
    'GET /pets with limit=1',
    'POST /pets {"name":"Rex"}',
  ]);
});

test('describeOutcome: keys of the run -> redacted in every text', () => {
  const redact = (text: string) => text.replaceAll('Retry-After', '…');
  const texts = described({}, redact);
  for (const text of [texts?.message, texts?.expected, texts?.actual]) {
    expect(text).toContain('…');
    expect(text).not.toContain('Retry-After');
  }
});

test('describeOutcome: animals that an earlier run left -> each failure says so', () => {
  const [result] = found.requirements.filter(({ failures }) => failures.length > 0);
  const left = (result?.failures ?? []).map((failure) => ({ ...failure, leftBy: 'conformance-0abcdef-' }));
  const requirements = [1, 2].flatMap(() =>
    result === undefined ? [] : [{ ...result, failures: left.map((one) => ({ ...one })) }],
  );
  const messages = describeOutcome({ ...found, requirements }, context).requirements.map(
    ({ failures }) => failures[0]?.message,
  );
  const source = 'An animal of run conformance-0abcdef is wrong: restart the server, or clean its store';
  expect(messages).toEqual([`${wrong}. ${source}`, `${wrong}. ${source}`]);
});
