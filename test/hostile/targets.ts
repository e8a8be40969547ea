import net, { type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { key } from '../support/command.ts';
import { openServer, serveOnSocket, testReference } from '../support/servers.ts';
import type { Behavior } from './behaviors.ts';
import type { HostileServer } from './servers.ts';

/** Writes each piece in another turn of the event loop, so in another packet. */
const respond = (socket: Socket, hostile: HostileServer, at = 0): void => {
  const { pieces, pause, closes } = hostile;
  const piece = pieces[at];
  const after = (next: () => void) => (pause > 0 ? setTimeout(next, pause) : setImmediate(next));
  if (socket.destroyed) return;
  if (piece !== undefined) socket.write(piece, () => after(() => respond(socket, hostile, at + 1)));
  else if (closes === 'end') socket.end();
  else if (closes === 'reset') socket.resetAndDestroy();
  else if (closes === 'again') respond(socket, hostile);
};

const isRequest = (chunk: Buffer): boolean => /^[A-Z]+ \/\S* HTTP\/1\.1\r\n/.test(chunk.toString('latin1'));

/** Opens a server that sends the bytes of `hostile` for every request. */
export const sendingBytes = async (hostile: HostileServer) => {
  let received = '';
  let accepted = Promise.resolve();
  const server = net.createServer({ pauseOnConnect: hostile.accepting > 0 }, (socket) => {
    socket.setNoDelay();
    if (hostile.accepting > 0)
      accepted = accepted.then(() => delay(hostile.accepting)).then(() => void socket.resume());
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (isRequest(chunk)) respond(socket, hostile);
    });
  });
  return { baseUrl: `http://${await openServer(server)}/v1`, received: () => received };
};

/** The reference server with `behavior` in front of it. */
export const behaving = (behavior: Pick<Behavior, 'respond'>) => {
  const reference = testReference({ keys: [{ key, plan: 'business' }] });
  let count = 0;
  const fetch = (request: Request, connection?: object): Promise<Response> => {
    count += 1;
    const { pathname, search } = new URL(request.url);
    return behavior.respond({
      count,
      method: request.method,
      path: `${pathname}${search}`,
      length: Number(request.headers.get('content-length') ?? 0),
      pass: () => reference.fetch(request, connection),
      raw: (bytes) => {
        (connection as Socket).end(bytes);
        return new Promise(() => undefined);
      },
      rawOpen: (bytes) => {
        (connection as Socket).write(bytes);
        return new Promise(() => undefined);
      },
    });
  };
  return serveOnSocket({ ...reference, fetch });
};
