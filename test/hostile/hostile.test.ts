import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net, { type AddressInfo, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { cleanUp, key, startRun } from '../support/command.ts';
import { cookie, type HostileServer, servers } from './servers.ts';

afterAll(cleanUp);

/** Each piece goes in a turn of the event loop of its own, so in a packet of its own. */
const respond = (socket: Socket, pieces: HostileServer['pieces'], closes: boolean): void => {
  const [piece, ...others] = pieces;
  if (piece !== undefined) socket.write(piece, () => setImmediate(() => respond(socket, others, closes)));
  else if (closes) socket.end();
};

const isRequest = (chunk: Buffer): boolean => /^[A-Z]+ \/\S* HTTP\/1\.1\r\n/.test(chunk.toString('latin1'));

interface Heard {
  readonly origin: string;
  /** Every byte that came in. */
  received(): string;
  close(): void;
}

const listen = async ({ pieces, closes }: HostileServer): Promise<Heard> => {
  const sockets = new Set<Socket>();
  let received = '';
  const server = net.createServer((socket) => {
    sockets.add(socket.setNoDelay());
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        received += chunk.toString('latin1');
        if (isRequest(chunk)) respond(socket, pieces, closes);
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => received,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};

/** The peak of resident memory so far, in megabytes; 0 where the system does not say. */
const peakOf = (pid: number | undefined): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};

const judge = async (hostile: HostileServer) => {
  const target = await listen(hostile);
  const started = performance.now();
  const words = ['--base-url', `${target.origin}/v1`, '--api-key', key, '--runs', '1', '--budget', '20'];
  const { child, ended } = startRun([...words, '--timeout', '3000']);
  let megabytes = 0;
  const watch = setInterval(() => {
    megabytes = Math.max(megabytes, peakOf(child.pid));
  }, 50);
  try {
    const { code, report, err } = await ended;
    const verdicts = new Map(report?.requirements.map(({ id, verdict }) => [id, verdict]));
    const seconds = (performance.now() - started) / 1_000;
    return { code, err, verdicts, seconds, megabytes, received: target.received() };
  } finally {
    clearInterval(watch);
    target.close();
  }
};

test.each(servers)('$name: GEN-4 $gen4', async (hostile) => {
  const found = await judge(hostile);
  expect(found.code, found.err).toBe(1);
  if (hostile.gen4 === 'failed') expect(found.verdicts.get('GEN-4')).toBe('failed');
  else expect(found.verdicts.get('GEN-4')).not.toBe('failed');
  for (const id of hostile.failed) expect(found.verdicts.get(id), id).toBe('failed');
  expect([...found.verdicts.values()]).not.toContain('error');
  expect(found.seconds).toBeLessThan(hostile.seconds);
  expect(found.megabytes).toBeLessThan(hostile.megabytes);
  expect(found.received).not.toContain(cookie);
});
