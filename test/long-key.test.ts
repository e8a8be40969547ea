import { expect, test } from 'vitest';
import { createPlainTransport } from '../src/http/in-process.ts';
import { incomingRequest } from '../src/reference/incoming.ts';
import type { Patch } from '../src/reference/patch.ts';
import { createReference } from '../src/reference/reference.ts';
import { createVirtualClock } from '../src/time/virtual-clock.ts';
import { randomFrom } from '../src/util/random.ts';
import { nowhere } from './support/build.ts';
import { faultNamed } from './support/faults.ts';
import { runInWords } from './support/run-in-words.ts';

/** As long as a signed token with some claims in it. */
const key = `eyJ${'k3y-'.repeat(225)}`;

const page = new TextEncoder().encode('<html><h1>400 Request Header Or Cookie Too Large</h1></html>');
const tooLarge = { status: 400, headers: [['content-type', 'text/html']] as const, body: page };

/** What fails on a server behind a front end that bears so much before the body, and no more. */
const judge = async (patches: readonly Patch[]) => {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const reference = createReference({
    clock: clock.inside,
    keys: [{ key, plan: 'business' }],
    random: randomFrom(1),
    seedPets: 30,
    patches,
  });
  const transport = createPlainTransport(async (request, connection) => {
    const head = request.url.length + request.headers.flat().join('').length;
    if (head > 8_000) return tooLarge;
    const { status, headers, body } = await reference.respond(incomingRequest(request), connection);
    return { status, headers: Object.entries(headers), body: body ?? new Uint8Array() };
  }, clock);
  const { outcome } = await runInWords(
    { only: ['AUTH', 'ERR'] },
    { clock, target: nowhere({ keys: { main: key, 'rate-limit': null }, transport }) },
  );
  return outcome.requirements.flatMap(({ failures }) => failures.map(({ message }) => message));
};

test('a long key is looked for everywhere without a request that front ends refuse', async () => {
  expect(await judge([])).toEqual([]);
});

test('a long key that counts elsewhere is found, and told by its place', async () => {
  expect(await judge([faultNamed('key-in-query-as-token').patch])).toEqual(
    Array.from({ length: 4 }, () =>
      expect.stringMatching(/ with the valid key in the query, as token: expected 401 .*, got 20[01]$/),
    ),
  );
});
