import { readdirSync, readFileSync } from 'node:fs';
import net, { type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { key, startRun } from '../support/command.ts';
import { folder } from '../support/processes.ts';
import { openServer, serveOnSocket, testReference } from '../support/servers.ts';
import { type Behavior, behaviors } from './behaviors.ts';
import { cookie, type HostileServer, servers } from './servers.ts';

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

const sendingBytes = async (hostile: HostileServer) => {
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
const behaving = (behavior: Behavior) => {
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

/** The peak of resident memory so far, in megabytes; 0 if the system does not say. */
const peakOf = (pid: number | undefined): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};

const judge = async (baseUrl: string, args: readonly string[]) => {
  const started = performance.now();
  const { child, ended } = startRun(['--base-url', baseUrl, '--api-key', key, ...args]);
  let megabytes = 0;
  const watch = setInterval(() => {
    megabytes = Math.max(megabytes, peakOf(child.pid));
  }, 50);
  try {
    const { code, report, out, err, reportDir } = await ended;
    const verdicts = new Map(report?.requirements.map(({ id, verdict }) => [id, verdict]));
    const failures = report?.requirements.flatMap(({ failures }) => failures);
    const texts = failures?.map(({ message }) => message).join('\n') ?? '';
    const seconds = (performance.now() - started) / 1_000;
    return { code, printed: `${out}${err}`, verdicts, texts, seconds, megabytes, reportDir };
  } finally {
    clearInterval(watch);
  }
};

const controlCharacters = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

/** Expects no error of the suite, and no harmful text of the server in the output or the reports. */
const expectHarmless = ({ verdicts, printed, reportDir }: Awaited<ReturnType<typeof judge>>): void => {
  expect([...verdicts.values()]).not.toContain('error');
  expect((printed.match(controlCharacters) ?? []).filter((found) => !'\n\t'.includes(found))).toEqual([]);
  expect(printed).not.toMatch(/^::/m);
  const page = readFileSync(`${reportDir}/index.html`, 'utf8');
  expect(page).not.toMatch(/<script>alert/);
};

describe.concurrent('bytes on the wire', () => {
  test.each(servers)('$name: GEN-4 $gen4', async (hostile) => {
    const { baseUrl, received } = await sendingBytes(hostile);
    const found = await judge(baseUrl, ['--runs', '1', '--budget', '20', '--timeout', '3000']);
    expect(found.code, found.printed).toBe(1);
    if (hostile.gen4 === 'failed') expect(found.verdicts.get('GEN-4')).toBe('failed');
    else expect(found.verdicts.get('GEN-4')).not.toBe('failed');
    for (const id of hostile.failed) expect(found.verdicts.get(id), id).toBe('failed');
    if (hostile.says !== null) expect(found.texts).toMatch(hostile.says);
    expectHarmless(found);
    expect(found.seconds).toBeLessThan(hostile.seconds);
    expect(found.megabytes).toBeLessThan(hostile.megabytes);
    expect(received()).not.toContain(cookie);
  });
});

describe.concurrent('behavior of a server', () => {
  test.each(behaviors)('$name: exit $code', async (behavior) => {
    const { baseUrl } = await behaving(behavior);
    const found = await judge(baseUrl, ['--plan', 'business', ...behavior.args]);
    expect(found.code, found.printed).toBe(behavior.code);
    for (const id of behavior.failed) expect(found.verdicts.get(id), id).toBe('failed');
    expectHarmless(found);
    expect(found.seconds).toBeLessThan(behavior.seconds);
    expect(found.megabytes).toBeLessThan(300);
  });
});

test('a run writes nothing but its folder of reports', () => {
  expect(readdirSync(folder).filter((name) => !/^reports-\d+$/.test(name))).toEqual([]);
});
