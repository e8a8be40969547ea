import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { expect, test } from 'vitest';
import { createHttpTransport } from '../src/http/transport.ts';
import { createReference } from '../src/reference/reference.ts';
import type { Target } from '../src/run/run-deps.ts';
import { systemClock } from '../src/time/clock.ts';
import { randomFrom } from '../src/util/random.ts';
import { judge } from './support/paced-run.ts';
import { alarms } from './support/run-in-words.ts';

const main = 'main-key-of-these-tests';

/** A reference server on a socket that closes each connection after this many requests, without announcing it. */
const openClosing = async (after: number): Promise<Target> => {
  const reference = createReference({
    clock: systemClock,
    keys: [{ key: main, plan: 'enterprise' }],
    random: randomFrom(1),
    seedPets: 12,
    patches: [],
  });
  const listener = getRequestListener(reference.fetch);
  const responses = new WeakMap<Socket, number>();
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const { socket } = request;
    const count = (responses.get(socket) ?? 0) + 1;
    responses.set(socket, count);
    if (count === after) response.on('finish', () => socket.end());
    void listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const transport = createHttpTransport({ concurrency: 8, clock: systemClock });
  const close = async () => {
    await transport.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    keys: { main, 'rate-limit': null },
    plans: { main: null, 'rate-limit': null },
    reference: false,
    transport,
    close,
  };
};

test.each([2, 7, 20])('connections closed without notice after %i requests -> no alarm', async (after) => {
  const target = await openClosing(after);
  try {
    const { outcome } = await judge(target, systemClock, { only: ['CREATE', 'GEN-4'], runs: 5 });
    expect(alarms(outcome)).toEqual([]);
  } finally {
    await target.close();
  }
});
