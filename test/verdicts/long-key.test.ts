import { expect, test } from 'vitest';
import { createInProcessTransport } from '../../src/http/in-process.ts';
import type { Patch } from '../../src/reference/patch.ts';
import { handlerOf } from '../../src/selftest/server.ts';
import { createVirtualClock } from '../../src/time/virtual-clock.ts';
import { nowhere } from '../support/build.ts';
import { faultNamed } from '../support/faults.ts';
import { runInWords } from '../support/run-in-words.ts';
import { testReference } from '../support/servers.ts';

/** As long as a signed token with some claims. */
const key = `eyJ${'k3y-'.repeat(225)}`;

const page = new TextEncoder().encode('<html><h1>400 Request Header Or Cookie Too Large</h1></html>');
const tooLarge = { status: 400, headers: [['content-type', 'text/html']] as const, body: page };

/** The failures of a server behind a front end that accepts at most 8,000 characters before the body. */
const judge = async (patches: readonly Patch[]) => {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const keys = [{ key, plan: 'business' }] as const;
  const reference = testReference({ clock: clock.inside, keys, seedPets: 30, patches });
  const transport = createInProcessTransport(async (request, connection) => {
    const head = request.url.length + request.headers.flat().join('').length;
    return head > 8_000 ? tooLarge : handlerOf(reference)(request, connection);
  }, clock);
  const { outcome } = await runInWords(
    { only: ['AUTH', 'ERR'] },
    { clock, target: nowhere({ keys: { main: key, 'rate-limit': null }, transport }) },
  );
  return outcome.requirements.flatMap(({ failures }) => failures.map(({ message }) => message));
};

test('long key -> no request is too large for front ends', async () => {
  expect(await judge([])).toEqual([]);
});

test('long key accepted in a wrong place -> reported with its place', async () => {
  expect(await judge([faultNamed('key-in-query-as-token').patch])).toEqual(
    Array.from({ length: 4 }, () =>
      expect.stringMatching(/ with the valid key in the query, as token: expected 401 .*, got 20[01]$/),
    ),
  );
});
