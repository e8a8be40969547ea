import { expect, test } from 'vitest';
import { type Answer, causesIn, findingsOf } from '../../test/support/judging.ts';
import { getPet, listPets } from '../run/probes.ts';

const unread = {
  Date: null,
  'Content-Type': 'text/plain; charset=utf-8',
  Connection: 'close',
  'X-RateLimit-Limit': null,
  'X-RateLimit-Remaining': null,
  'X-RateLimit-Reset': null,
};

const page: Answer = { status: 400, headers: unread, body: '400 Bad Request' };

const causes = (path: string, answer: Answer) =>
  causesIn(findingsOf(getPet(path, { space: 'outside' }), answer));

test('an HTTP parser may refuse a malformed target in its own words', () => {
  expect(causes('%zz', page)).toEqual([]);
  expect(causes('%', page)).toEqual([]);
  expect(causes('1%00', page)).toEqual([]);
  const list = listPets({ limit: '', space: 'outside' });
  const query = { ...list, request: { ...list.request, query: 'limit=%zz' } };
  expect(causesIn(findingsOf(query, page))).toEqual([]);
});

test('an HTTP parser may refuse a target that is longer than it reads in its own words', () => {
  const html: Answer = { ...page, headers: { ...unread, 'Content-Type': 'text/html' } };
  expect(causes('1'.repeat(5_000), html)).toEqual([]);
});

test.each<[string, string, Answer]>([
  ['to a target that is a URI', 'abc', page],
  ['to a long name of two thousand letters', 'a'.repeat(2_000), page],
  ['to a URI that is no UTF-8', '%FF%FE', page],
  ['with a Date', '%zz', { ...page, headers: { ...unread, Date: 'Sun, 01 Mar 2026 12:00:00 GMT' } }],
  ['on a connection that stays', '%zz', { ...page, headers: { ...unread, Connection: null } }],
  ['with a limit', '%zz', { ...page, headers: { ...unread, 'X-RateLimit-Limit': '1000' } }],
  ['of another status', '%zz', { ...page, status: 404 }],
])('an answer %s is the service its own', (_, path, answer) => {
  expect(causes(path, answer)).toContain('ERR-1: no-error-body');
});
