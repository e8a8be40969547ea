import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { expect, test } from 'vitest';
import { createHttpTransport } from '../../src/http/transport.ts';
import type { Target } from '../../src/run/run-deps.ts';
import { systemClock } from '../../src/time/clock.ts';
import { mainKey } from '../support/counting-server.ts';
import { judge } from '../support/paced-run.ts';
import { alarms } from '../support/run-in-words.ts';
import { openServer, testReference } from '../support/servers.ts';

/** A reference server on a socket that closes each connection after this many requests, without announcing it. */
const openClosing = async (after: number): Promise<Target> => {
  const reference = testReference({ keys: [{ key: mainKey, plan: 'enterprise' }] });
  const listener = getRequestListener(reference.fetch);
  const responses = new WeakMap<Socket, number>();
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const { socket } = request;
    const count = (responses.get(socket) ?? 0) + 1;
    responses.set(socket, count);
    if (count === after) response.on('finish', () => socket.end());
    void listener(request, response);
  });
  const transport = createHttpTransport({ concurrency: 8, clock: systemClock });
  return {
    baseUrl: `http://${await openServer(server)}/v1`,
    keys: { main: mainKey, 'rate-limit': null },
    plans: { main: null, 'rate-limit': null },
    reference: false,
    transport,
    close: transport.close,
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
