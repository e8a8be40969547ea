import { expect, test } from 'vitest';
import { createAccountSharing } from './account-sharing.ts';
import type { RateLimit } from './headers.ts';

const said = (remaining: number | null, limit = 60, resetAt = 60_000): RateLimit => ({
  limit,
  remaining,
  resetAt,
  date: null,
  retryAfter: null,
});

const kind = 'no key';

test('until the headers tell, the account may be shared', () => {
  const account = createAccountSharing();
  account.observeWithKey(said(50));
  expect([account.mayBeShared(kind), account.isShared(kind)]).toEqual([true, false]);
});

test('one counter that falls for both is shared, in the next window too', () => {
  const account = createAccountSharing();
  account.observeWithKey(said(3));
  account.observeWithoutKey(kind, said(2));
  account.observeWithKey(said(1));
  expect(account.isShared(kind)).toBe(true);
  account.observeWithKey(said(59, 60, 120_000));
  expect(account.isShared(kind)).toBe(true);
  account.observeWithoutKey(kind, said(58, 60, 120_000));
  expect(account.isShared(kind)).toBe(true);
});

test.each([
  ['another limit', said(49, 100)],
  ['more left than the key has', said(59)],
  ['less left than may have been sent meanwhile', said(5)],
])('%s tells accounts apart', (_, without) => {
  const account = createAccountSharing();
  account.observeWithKey(said(50));
  account.observeWithoutKey(kind, without);
  expect(account.mayBeShared(kind)).toBe(false);
});

test('a counter that does not fall for the other is none of its own', () => {
  const account = createAccountSharing();
  account.observeWithKey(said(50));
  account.observeWithoutKey(kind, said(49));
  account.observeWithoutKey(kind, said(35));
  account.observeWithKey(said(49));
  expect(account.mayBeShared(kind)).toBe(false);
});

test('answers without the headers tell nothing, and after three nothing is expected of them', () => {
  const account = createAccountSharing();
  account.observeWithKey(said(50));
  account.observeWithoutKey(kind, said(null));
  account.observeWithoutKey(kind, said(null));
  expect(account.mayBeShared(kind)).toBe(true);
  account.observeWithoutKey(kind, said(null));
  expect(account.mayBeShared(kind)).toBe(false);
});

test('each kind has an account of its own', () => {
  const account = createAccountSharing();
  account.observeWithKey(said(50));
  account.observeWithoutKey(kind, said(10_000, 10_000));
  account.observeWithoutKey('the key as a cookie', said(49));
  expect([account.mayBeShared(kind), account.isShared('the key as a cookie')]).toEqual([false, true]);
});
