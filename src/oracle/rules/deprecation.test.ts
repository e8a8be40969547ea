import { describe, expect, test } from 'vitest';
import { causesIn, findingsOf, passedIn, serverModelAt } from '../../../test/support/build.ts';
import { getPet, listPets } from '../../check/requests.ts';

const rex = { id: 7n, name: 'Rex', categoryId: 1n };
const findings = (headers: Readonly<Record<string, string>>) =>
  findingsOf(getPet('7'), { json: rex, headers });
const causes = (headers: Readonly<Record<string, string>>) => causesIn(findings(headers));
const removal = 'Thu, 05 Dec 2030 00:00:00 GMT';

describe('Deprecation and Sunset', () => {
  test('absent -> observed, no breach', () => {
    expect(causes({})).toEqual([]);
    expect(findings({})).toContainEqual(
      expect.objectContaining({ requirement: 'GET-6', subject: 'Deprecation and Sunset', value: 'absent' }),
    );
  });

  test.each([
    [{ Deprecation: '@1688169599' }],
    [{ Deprecation: '@-1' }],
    [{ Deprecation: '@1688169599;by=docs; note="a \\"b\\"";final' }],
    [{ Sunset: removal }],
    [{ Sunset: 'Thursday, 05-Dec-30 12:00:00 GMT' }],
    [{ Deprecation: '@1688169599', Sunset: removal }],
    [{ Deprecation: `@${Date.parse(removal) / 1000}`, Sunset: removal }],
  ])('%j -> passed', (headers) => {
    expect(causes(headers)).toEqual([]);
    expect(passedIn(findings(headers))).toContain('GET-6');
  });

  test.each([
    ['Wed, 04 Dec 2030 10:00:00 GMT'],
    ['Thu, 05 Dec 2030 23:59:59 GMT'],
    ['Fri, 06 Dec 2030 12:00:00 GMT'],
  ])('Sunset on the day in any time zone: %s -> no breach', (value) => {
    expect(causes({ Sunset: value })).toEqual([]);
  });

  test.each([
    ['Wed, 04 Dec 2030 09:59:59 GMT'],
    ['Fri, 06 Dec 2030 12:00:01 GMT'],
    ['Fri, 05 Dec 2031 00:00:00 GMT'],
  ])('Sunset on another day: %s -> breach', (value) => {
    expect(causes({ Sunset: value })).toEqual(['GET-6: sunset-date']);
  });

  test.each([['2030-12-05'], ['1922659200'], ['@1922659200'], ['soon']])(
    'Sunset not an HTTP-date: %s -> breach',
    (value) => {
      expect(causes({ Sunset: value })).toEqual(['GET-6: sunset-malformed']);
    },
  );

  test.each([['true'], ['1688169599'], [removal], ['@soon'], ['@1.5']])(
    'Deprecation malformed: %s -> breach',
    (value) => {
      expect(causes({ Deprecation: value })).toEqual(['GET-6: deprecation-malformed']);
    },
  );

  test('Sunset with a wrong weekday -> breach', () => {
    const wrong = new Date(Date.parse(removal))
      .toUTCString()
      .replace(/^.../, (day) => (day === 'Mon' ? 'Tue' : 'Mon'));
    expect(causes({ Sunset: wrong })).toEqual(['GET-6: sunset-weekday']);
  });

  test('Sunset before Deprecation -> breach', () => {
    expect(causes({ Deprecation: '@1999999999', Sunset: removal })).toEqual([
      'GET-6: sunset-before-deprecation',
    ]);
  });

  test('any status except a server error -> tested', () => {
    for (const status of [400, 401, 404])
      expect(causesIn(findingsOf(getPet('7'), { status, headers: { Sunset: 'soon' } }))).toContain(
        'GET-6: sunset-malformed',
      );
    expect(
      causesIn(findingsOf(getPet('7'), { status: 503, headers: { Sunset: 'soon' } })).join(),
    ).not.toContain('GET-6');
  });

  test.each([{ Deprecation: '@1688169599' }, { Sunset: removal }, { Deprecation: 'true', Sunset: removal }])(
    'operation is not deprecated: %j -> breach',
    (headers) => {
      expect(causesIn(findingsOf(listPets({}), { headers }))).toEqual(['GET-6: not-deprecated']);
    },
  );

  test('operation is removed -> not tested', () => {
    const gone = findingsOf(
      getPet('7'),
      { json: rex, headers: { Sunset: 'soon' } },
      serverModelAt('2031-01-01'),
    );
    expect(causesIn(gone)).toEqual([]);
  });
});
