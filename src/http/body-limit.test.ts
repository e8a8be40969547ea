import { expect, test } from 'vitest';
import { createBodyLimit } from './body-limit.ts';
import type { TransportResult } from './exchange.ts';

const mebibyte = 1024 * 1024;
const resultWith = (status: number): TransportResult => ({
  ok: true,
  response: { status, headers: [], body: new Uint8Array() },
  reused: false,
});
const longName = JSON.stringify({ name: 'é'.repeat(100_000), categoryId: 1 });

test('explicit limit -> unchanged by created animals', () => {
  const limit = createBodyLimit(10);
  limit.sending(longName);
  expect(limit.bytes()).toBe(10);
});

test('default limit -> 1 MiB, plus room for a created animal with every character escaped', () => {
  const limit = createBodyLimit(undefined);
  limit.sending('{"name":"Rex","categoryId":1}');
  expect(limit.bytes()).toBe(mebibyte);
  limit.sending(longName)(resultWith(201));
  expect(limit.bytes()).toBeGreaterThanOrEqual(mebibyte + 600_000);
});

test('rejected creation -> no room, creation without a response -> room, because it may be stored', () => {
  const limit = createBodyLimit(undefined);
  limit.sending(longName)(resultWith(400));
  expect(limit.bytes()).toBe(mebibyte);
  limit.sending(longName)({
    ok: false,
    failure: { kind: 'reset', detail: { code: 'closed', bodyBytes: null }, reused: false },
  });
  expect(limit.bytes()).toBeGreaterThan(mebibyte);
});
