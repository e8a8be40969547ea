import { expect, test } from 'vitest';
import { createBodyLimit } from './body-limit.ts';
import type { TransportResult } from './exchange.ts';

const mebibyte = 1024 * 1024;
const answerWith = (status: number): TransportResult => ({
  ok: true,
  response: { status, headers: [], body: new Uint8Array() },
  reused: false,
});
const longName = JSON.stringify({ name: 'é'.repeat(100_000), categoryId: 1 });

test('a limit that is given -> kept exactly, whatever the run creates', () => {
  const limit = createBodyLimit(10);
  limit.sending(longName);
  expect(limit.bytes()).toBe(10);
});

test('no limit given -> 1 MiB, and room for a created animal with every character escaped', () => {
  const limit = createBodyLimit(undefined);
  limit.sending('{"name":"Rex","categoryId":1}');
  expect(limit.bytes()).toBe(mebibyte);
  limit.sending(longName)(answerWith(201));
  expect(limit.bytes()).toBeGreaterThanOrEqual(mebibyte + 600_000);
});

test('a creation that was refused -> no room; one without a response -> room, as it may be stored', () => {
  const limit = createBodyLimit(undefined);
  limit.sending(longName)(answerWith(400));
  expect(limit.bytes()).toBe(mebibyte);
  limit.sending(longName)({ ok: false, failure: { kind: 'reset', message: '', reused: false } });
  expect(limit.bytes()).toBeGreaterThan(mebibyte);
});
