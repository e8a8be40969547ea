import { describe, expect, test } from 'vitest';
import {
  type Answer,
  causesIn,
  causesWith,
  findingsOf,
  httpDateOf,
  metIn,
  now,
  readingOf,
} from '../../../test/support/judging.ts';
import { listPets } from '../../run/probes.ts';
import { readRetryAfter } from './rate-limit-headers.ts';

const [remaining, reset] = ['X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

describe('RATE-7', () => {
  test.each([
    ['0', 'seconds', 0],
    ['30', 'seconds', 30],
    [httpDateOf(now + 30), 'HTTP-date', 30],
    ['Sunday, 01-Mar-26 12:00:30 GMT', 'HTTP-date', 30],
    ['Sun Mar  1 12:00:30 2026', 'HTTP-date', 30],
  ] as const)('%j says when to try again', (value, form, seconds) => {
    const answer = { status: 429, headers: { 'Retry-After': value } };
    const findings = findingsOf(listPets({}), answer);
    expect(causesIn(findings)).toEqual([]);
    expect(metIn(findings)).toContain('RATE-7');
    expect(findings).toContainEqual(expect.objectContaining({ subject: 'form of Retry-After', value: form }));
    expect(readRetryAfter(readingOf(listPets({}), answer))).toEqual({ form, seconds });
  });

  test.each([
    ['-1'],
    ['1.5'],
    ['soon'],
    ['30s'],
    ['PT30S'],
    ['30, 30'],
    [`${httpDateOf(now)}Z`],
    ['2026-03-01T12:00:30Z'],
  ])('%j does not', (value) => {
    expect(causesWith({ 'Retry-After': value }, 429)).toEqual(['RATE-7: malformed']);
  });

  test('its absence is a cause of its own', () => {
    expect(causesWith({ 'Retry-After': null }, 429)).toEqual(['RATE-7: absent']);
    expect(causesWith({ 'Retry-After': '' }, 429)).toEqual(['RATE-7: absent']);
  });

  test('no other status needs it', () => {
    expect(causesWith({ 'Retry-After': null }, 401)).toEqual([]);
  });
});

describe('RATE-10', () => {
  const limited = (headers: NonNullable<Answer['headers']>) =>
    causesWith({ [reset]: `${now + 30}`, ...headers }, 429);
  test('nothing remains in a 429', () => {
    expect(limited({})).toEqual([]);
    expect(limited({ [remaining]: '1' })).toEqual(['RATE-10: remaining']);
    expect(metIn(findingsOf(listPets({}), { status: 429 }))).toContain('RATE-10');
  });

  test.each([
    ['90', []],
    ['91', ['RATE-10: beyond reset']],
    [httpDateOf(now + 90), []],
    [httpDateOf(now + 91), ['RATE-10: beyond reset']],
    [httpDateOf(now - 5), []],
  ])('Retry-After: %s reaches a minute beyond Reset at most', (value, causes) => {
    expect(limited({ 'Retry-After': value })).toEqual(causes);
  });

  test('a date needs no Date to be held against Reset', () => {
    expect(limited({ Date: null, 'Retry-After': httpDateOf(now + 90) })).toEqual([]);
    expect(limited({ Date: null, 'Retry-After': httpDateOf(now + 7_200) })).toEqual([
      'RATE-10: beyond reset',
    ]);
  });

  test('both are told', () => {
    expect(limited({ [remaining]: '3', 'Retry-After': '3600' })).toEqual([
      'RATE-10: remaining',
      'RATE-10: beyond reset',
    ]);
  });

  test('a ban may outlast the limit, and leave requests', () => {
    const headers = { [remaining]: '3', [reset]: `${now + 30}`, 'Retry-After': '3600' };
    const findings = findingsOf({ ...listPets({}), inWait: true }, { status: 429, headers });
    expect(causesIn(findings)).toEqual([]);
    expect(metIn(findings)).not.toContain('RATE-10');
  });

  test('nothing is held against a Reset, a Date or a Retry-After that cannot be read', () => {
    expect(limited({ Date: null, 'Retry-After': '3600' })).toEqual([]);
    expect(limited({ [reset]: 'soon', 'Retry-After': '3600' })).toEqual(['RATE-2: Reset form']);
    expect(limited({ 'Retry-After': 'later' })).toEqual(['RATE-7: malformed']);
  });
});

test('RATE-12: the body of a 429 is observed', () => {
  const seen = ['', '{}', 'Slow down'].map((body) =>
    findingsOf(listPets({}), { status: 429, body }).find(({ requirement }) => requirement === 'RATE-12'),
  );
  expect(seen.map((finding) => finding?.kind === 'observed' && finding.value)).toEqual([
    'empty',
    'JSON',
    'not JSON',
  ]);
});
