import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  breachesIn,
  causesIn,
  conformingHeaders,
  document,
  errorOf,
  failedExchangeOf,
  findingsOf,
  serverModelAt,
} from '../../test/support/build.ts';
import { createPet, getPet, listOrders, listPets } from '../check/requests.ts';
import { anonymous } from '../http/credentials.ts';
import { pageBounds, statusesOf } from './document-figures.ts';
import { judgeNoResponse, oracleRequirements } from './oracle.ts';

const rex = { id: 7n, name: 'Rex', categoryId: 1n, status: 'sold' };
const newRex = { name: 'Rex', categoryId: 1n, status: 'sold' };

describe('an exchange', () => {
  test.each([
    ['listPets 200', listPets({}), { json: [rex] }],
    ['an empty list', listPets({}), { json: [] }],
    ['createPetWithBody 201', createPet(newRex), { status: 201, json: rex }],
    ['createPetWithBody 400', createPet({}, { inputSpace: 'undocumented' }), { status: 400 }],
    ['getPet 200', getPet('7'), { json: rex }],
    ['getPet 404', getPet('8'), { status: 404 }],
    ['listOrders 200', listOrders(), { json: { anything: [1n] } }],
    ['a 401', listPets({ credential: anonymous }), { status: 401 }],
    ['a 429', listPets({}), { status: 429 }],
    ['an extra header', listPets({}), { lines: [['Server', 'x']] as const }],
  ])('that conforms breaches nothing: %s', (_, probe, answer) => {
    expect(causesIn(findingsOf(probe, answer))).toEqual([]);
  });

  test('is judged the same in whatever order its header lines come', () => {
    const lines = [...Object.entries(conformingHeaders), ['X-Extra', '1'] as const];
    const none = Object.fromEntries(Object.keys(conformingHeaders).map((name) => [name, null]));
    const answers = fc.record({
      status: fc.constantFrom(200, 400, 401, 404, 429, 500),
      lines: fc.shuffledSubarray(lines, { minLength: lines.length }),
    });
    fc.assert(
      fc.property(answers, ({ status, lines: shuffled }) => {
        const judged = (order: readonly (readonly [string, string])[]) =>
          findingsOf(listPets({}), { status, headers: none, lines: order }).map(
            ({ kind, requirement }) => `${kind} ${requirement}`,
          );
        expect(judged(shuffled)).toEqual(judged(lines));
      }),
    );
  });

  test('is told all that is wrong with it, not the first thing alone', () => {
    const answer = {
      status: 404,
      json: { code: 1n, status: 500n },
      headers: { 'Content-Type': 'text/plain', 'X-RateLimit-Limit': '0', 'X-RateLimit-Reset': '60' },
    };
    expect(causesIn(findingsOf(getPet('8'), answer)).map((cause) => cause.split(':')[0])).toEqual(
      expect.arrayContaining(['GEN-2', 'GEN-3', 'ERR-1', 'ERR-2', 'RATE-2']),
    );
    expect(
      causesIn(findingsOf(getPet('8'), answer)).filter((cause) => cause.startsWith('RATE-2')),
    ).toHaveLength(3);
  });

  test('names itself in every breach', () => {
    const findings = breachesIn(findingsOf(listPets({}), { status: 500, body: '' }));
    expect(findings.length).toBeGreaterThan(0);
    for (const { exchange } of findings) expect(exchange.response?.status).toBe(500);
  });

  test('with a redirect is not documented', () => {
    expect(causesIn(findingsOf(listPets({}), { status: 302, body: '' }))).toEqual([
      'GEN-1: undocumented-status',
    ]);
  });
});

describe('a removed operation', () => {
  const html = { status: 410, body: '<h1>Gone</h1>', headers: { 'X-RateLimit-Limit': null } };
  const expects = [{ requirement: 'GET-5', statuses: ['4xx' as const], because: 'it was removed' }];

  test('may answer with any 4xx from the first moment of the day on, and no earlier', () => {
    const judged = (date: string) =>
      causesIn(findingsOf(getPet('7', { expects }), html, serverModelAt(date)));
    expect(judged('2030-12-04T09:59:59Z')).toContain('GEN-1: undocumented-status');
    for (const date of ['2030-12-04T10:00:00Z', '2030-12-06T11:59:59Z', '2030-12-06', '2040-01-01'])
      expect(judged(date)).toEqual([]);
  });

  test('that still serves is no longer what the document says, but on the day it may', () => {
    const judged = (date: string) =>
      causesIn(findingsOf(getPet('7', { expects }), { json: rex }, serverModelAt(date)));
    expect(judged('2030-12-07')).toEqual(['GET-5: status (4xx)']);
    const wrong = findingsOf(getPet('7'), { json: { id: 'x' } }, serverModelAt('2030-12-05T12:00:00Z'));
    expect(causesIn(wrong)).toContain('GEN-3: schema (required )');
  });
});

describe('silence', () => {
  const probe = listPets({ limit: 5 });

  test.each(['refused', 'reset', 'timeout', 'malformed', 'unreachable'] as const)(
    '%s is a failure of the server',
    (kind) => {
      const exchange = failedExchangeOf(probe, kind, { message: 'what the transport says' });
      expect(judgeNoResponse(probe, exchange)).toEqual([
        {
          kind: 'breach',
          requirement: 'GEN-4',
          problem: { rule: 'no-response', failure: kind, detail: 'what the transport says' },
          exchange,
          probe,
        },
      ]);
    },
  );

  test('of an interrupted run is none', () => {
    expect(judgeNoResponse(probe, failedExchangeOf(probe, 'aborted'))).toEqual([]);
  });
});

test('the oracle gives evidence on what it says, for every requirement it names', () => {
  const serverModel = { ...serverModelAt(), plan: () => 'business' as const };
  const answers = [
    findingsOf(listPets({}), { json: [rex] }, serverModel),
    findingsOf(listPets({ credential: anonymous }), { status: 401, json: errorOf(401) }, serverModel),
    findingsOf(listPets({}), { status: 429 }, serverModel),
    findingsOf(getPet('7'), { json: rex }, serverModel),
  ];
  const given = new Set(answers.flat().map(({ requirement }) => requirement));
  expect(oracleRequirements.filter((id) => !given.has(id))).toEqual([]);
});

test('the figures of the document are read from it', () => {
  expect(pageBounds(document)).toEqual({ minimum: 1, maximum: 100, default: 20 });
  expect(statusesOf(document)).toEqual(['available', 'pending', 'sold']);
  const changed = {
    ...document,
    operations: [
      {
        ...(document.operations.find(({ id }) => id === 'listPets') ?? document.operations[0]),
        parameters: [{ name: 'limit', schema: { minimum: 2, maximum: 5, default: 3 } }],
      },
    ],
  };
  expect(pageBounds(changed as unknown as typeof document)).toEqual({ minimum: 2, maximum: 5, default: 3 });
});
