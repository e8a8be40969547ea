import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { type Listening, listen } from '../../src/reference/listen.ts';
import {
  createReference,
  type Reference,
  type ReferenceOptions,
  type WebServer,
} from '../../src/reference/reference.ts';
import { systemClock } from '../../src/time/clock.ts';
import { randomFrom } from '../../src/util/random.ts';
import { afterFile } from './after-file.ts';

/** A reference server with 12 animals, in real time unless it gets another clock. */
export const testReference = (
  options: Partial<ReferenceOptions> & Pick<ReferenceOptions, 'keys'>,
): Reference => createReference({ clock: systemClock, random: randomFrom(1), seedPets: 12, ...options });

/** Serves on the loopback interface, on any free port by default, until the tests of the file end. */
export const serveOnSocket = async (
  server: WebServer,
  { host = '127.0.0.1', port = 0 } = {},
): Promise<Listening> => {
  const listening = await listen(server, { host, port });
  afterFile(listening.close);
  return listening;
};

/** Opens a server on a free port of the loopback interface, until the tests of the file end. Returns its host and port. */
export const openServer = async (server: Server): Promise<string> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterFile(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};
