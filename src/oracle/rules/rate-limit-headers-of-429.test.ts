import { describe, expect, test } from 'vitest';
import {
  causesIn,
  causesWith,
  findingsOf,
  httpDateOf,
  now,
  parsedResponse,
  passedIn,
  type ResponseStub,
  serverModelAt,
} from '../../../test/support/build.ts';
import { listPets } from '../../check/requests.ts';
import { bearer } from '../../http/credentials.ts';
import { retryWait } from '../../rate-limit/headers.ts';

const [remaining, reset] = ['X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

describe('RATE-7 and RATE-14', () => {
  test.each([
    ['0', 'seconds', 0, []],
    ['30', 'seconds', 30, []],
    [httpDateOf(now + 30), 'HTTP-date', 30, []],
    ['Sun Mar  1 12:00:30 2026', 'HTTP-date', 30, []],
    ['1.5', 'decimal seconds', 1.5, ['RATE-14: header-form (decimal seconds)']],
    ['PT30S', 'ISO 8601 duration', 30, ['RATE-14: header-form (ISO 8601 duration)']],
    ['2026-03-01T12:00:30Z', 'ISO 8601 date', 30, ['RATE-14: header-form (ISO 8601 date)']],
  ])('Retry-After %j -> a time, form %s', (value, form, seconds, causes) => {
    const response = { status: 429, headers: { 'Retry-After': value } };
    const findings = findingsOf(listPets({}), response);
    expect(causesIn(findings)).toEqual(causes);
    expect(passedIn(findings)).toContain('RATE-7');
    expect(passedIn(findings).includes('RATE-14')).toBe(causes.length === 0);
    expect(findings).toContainEqual(expect.objectContaining({ subject: 'form of Retry-After', value: form }));
    expect(retryWait(parsedResponse(listPets({}), response))).toMatchObject({ form, seconds });
  });

  test.each([
    ['-1', 'malformed'],
    ['soon', 'malformed'],
    ['30, 60', 'malformed'],
    [`${httpDateOf(now)}Z`, 'malformed'],
    ['', 'missing'],
    [null, 'missing'],
  ])('Retry-After %j -> not a time', (value, problem) => {
    expect(causesWith({ 'Retry-After': value }, 429)).toEqual([`RATE-7: header-${problem}`]);
    expect(causesWith({ 'Retry-After': value }, 401)).toEqual([]);
  });
});

describe('RATE-10', () => {
  const limited = (headers: NonNullable<ResponseStub['headers']>) =>
    causesWith({ [reset]: `${now + 30}`, ...headers }, 429);
  test('429 with Remaining above 0 -> breach', () => {
    expect(limited({})).toEqual([]);
    expect(limited({ [remaining]: '1' })).toEqual(['RATE-10: remaining-on-429']);
    expect(passedIn(findingsOf(listPets({}), { status: 429 }))).toContain('RATE-10');
  });

  test.each([
    ['90', []],
    ['91', ['RATE-10: retry-after-beyond-reset']],
    [httpDateOf(now + 90), []],
    [httpDateOf(now + 91), ['RATE-10: retry-after-beyond-reset']],
    [httpDateOf(now - 5), []],
  ])('Retry-After %s -> breach if it is more than a minute after Reset', (value, causes) => {
    expect(limited({ 'Retry-After': value })).toEqual(causes);
  });

  test('Retry-After as a date without Date -> compared with Reset', () => {
    expect(limited({ Date: null, 'Retry-After': httpDateOf(now + 90) })).toEqual([]);
    expect(limited({ Date: null, 'Retry-After': httpDateOf(now + 7_200) })).toEqual([
      'RATE-10: retry-after-beyond-reset',
    ]);
  });

  test('other limit of the plan may explain the 429 -> inconclusive', () => {
    const headers = { [remaining]: '3', [reset]: `${now + 30}`, 'Retry-After': '3600' };
    const short = { ...headers, 'Retry-After': '20' };
    const explained = { ...serverModelAt(), mayBeOtherLimit: () => true };
    const probe = listPets({ credential: bearer('main') });
    for (const findings of [
      findingsOf(probe, { status: 429, headers }),
      findingsOf(probe, { status: 429, headers: short }, explained),
    ])
      expect(findings).toContainEqual(
        expect.objectContaining({ kind: 'inconclusive', requirement: 'RATE-10' }),
      );
    expect(causesIn(findingsOf(probe, { status: 429, headers: short }))).toEqual([
      'RATE-10: remaining-on-429',
    ]);
  });

  test('unreadable Reset, Date or Retry-After -> no breach of RATE-10', () => {
    expect(limited({ Date: null, 'Retry-After': '3600' })).toEqual([]);
    expect(limited({ [reset]: 'soon', 'Retry-After': '3600' })).toEqual([
      'RATE-2: header-malformed (X-RateLimit-Reset)',
    ]);
    expect(limited({ 'Retry-After': 'later' })).toEqual(['RATE-7: header-malformed']);
  });
});

test('RATE-12: body of a 429 -> observed', () => {
  const seen = ['', '{}', 'Slow down'].map((body) =>
    findingsOf(listPets({}), { status: 429, body }).find(({ requirement }) => requirement === 'RATE-12'),
  );
  expect(seen.map((finding) => finding?.kind === 'observation' && finding.value)).toEqual([
    'empty',
    'JSON',
    'not JSON',
  ]);
});
