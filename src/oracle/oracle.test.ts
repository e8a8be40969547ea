import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  causesIn,
  conformingHeaders,
  errorOf,
  failedExchangeOf,
  findingsOf,
  serverModelAt,
} from '../../test/support/build.ts';
import { getPet, listPets } from '../check/requests.ts';
import { anonymous } from '../http/credentials.ts';
import { judgeNoResponse, oracleRequirements } from './oracle.ts';

const rex = { id: 7n, name: 'Rex', categoryId: 1n, status: 'sold' };

describe('exchange', () => {
  test('header lines in any order -> same findings', () => {
    const lines = [...Object.entries(conformingHeaders), ['X-Extra', '1'] as const];
    const none = Object.fromEntries(Object.keys(conformingHeaders).map((name) => [name, null]));
    const responses = fc.record({
      status: fc.constantFrom(200, 400, 401, 404, 429, 500),
      lines: fc.shuffledSubarray(lines, { minLength: lines.length }),
    });
    fc.assert(
      fc.property(responses, ({ status, lines: shuffled }) => {
        const causes = (order: readonly (readonly [string, string])[]) =>
          findingsOf(listPets({}), { status, headers: none, lines: order }).map(
            ({ kind, requirement }) => `${kind} ${requirement}`,
          );
        expect(causes(shuffled)).toEqual(causes(lines));
      }),
    );
  });

  test('several problems -> all of them are found', () => {
    const response = {
      status: 404,
      json: { code: 1n, status: 500n },
      headers: { 'Content-Type': 'text/plain', 'X-RateLimit-Limit': '0', 'X-RateLimit-Reset': '60' },
    };
    expect(causesIn(findingsOf(getPet('8'), response)).map((cause) => cause.split(':')[0])).toEqual(
      expect.arrayContaining(['GEN-2', 'GEN-3', 'ERR-1', 'ERR-2', 'RATE-2']),
    );
    expect(
      causesIn(findingsOf(getPet('8'), response)).filter((cause) => cause.startsWith('RATE-2')),
    ).toHaveLength(3);
  });
});

describe('removed operation', () => {
  const html = { status: 410, body: '<h1>Gone</h1>', headers: { 'X-RateLimit-Limit': null } };
  const expects = [{ requirement: 'GET-5', statuses: ['4xx' as const], because: 'it was removed' }];

  test('any 4xx from the start of the day on -> no breach, earlier -> breach', () => {
    const causes = (date: string) =>
      causesIn(findingsOf(getPet('7', { expects }), html, serverModelAt(date)));
    expect(causes('2030-12-04T09:59:59Z')).toContain('GEN-1: undocumented-status');
    for (const date of ['2030-12-04T10:00:00Z', '2030-12-06T11:59:59Z', '2030-12-06', '2040-01-01'])
      expect(causes(date)).toEqual([]);
  });

  test('still works after the day -> breach of GET-5, on the day -> tested as before', () => {
    const causes = (date: string) =>
      causesIn(findingsOf(getPet('7', { expects }), { json: rex }, serverModelAt(date)));
    expect(causes('2030-12-07')).toEqual(['GET-5: status (4xx)']);
    const wrong = findingsOf(getPet('7'), { json: { id: 'x' } }, serverModelAt('2030-12-05T12:00:00Z'));
    expect(causesIn(wrong)).toContain('GEN-3: schema (required )');
  });
});

describe('no response', () => {
  const probe = listPets({ limit: 5 });

  test.each(['refused', 'reset', 'timeout', 'malformed', 'unreachable'] as const)(
    '%s -> breach of GEN-4',
    (kind) => {
      const exchange = failedExchangeOf(probe, kind);
      expect(judgeNoResponse(probe, exchange)).toEqual([
        {
          kind: 'breach',
          side: 'server',
          requirement: 'GEN-4',
          problem: { rule: 'no-response', failure: kind, detail: exchange.failure.detail },
          exchange,
          probe,
        },
      ]);
    },
  );

  test('interrupted run -> no breach', () => {
    expect(judgeNoResponse(probe, failedExchangeOf(probe, 'aborted'))).toEqual([]);
  });
});

test('oracleRequirements -> each has a finding', () => {
  const serverModel = { ...serverModelAt(), plan: () => 'business' as const };
  const responses = [
    findingsOf(listPets({}), { json: [rex] }, serverModel),
    findingsOf(listPets({ credential: anonymous }), { status: 401, json: errorOf(401) }, serverModel),
    findingsOf(listPets({}), { status: 429 }, serverModel),
    findingsOf(getPet('7'), { json: rex }, serverModel),
  ];
  const given = new Set(responses.flat().map(({ requirement }) => requirement));
  expect(oracleRequirements.filter((id) => !given.has(id))).toEqual([]);
});
