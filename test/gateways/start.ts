import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Gateway, gateways } from './gateways.ts';

export interface RunningGateway {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** Ends all its processes. */
  close(): Promise<void>;
}

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/sbin'];

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const packages = [...new Set(gateways.map((gateway) => gateway.package))].join(' ');

/** The path of a gateway's program. Throws an error with the command that installs it. */
const programOf = ({ name, program }: Gateway): string => {
  const file = folders.map((folder) => join(folder, program)).find(isProgram);
  if (file === undefined) throw new Error(`${name} is not installed: apt-get install ${packages}`);
  return file;
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The socket has no port.');
  return address.port;
};

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

const START_MS = 30_000;
const POLL_MS = 20;

/** Waits until the gateway accepts connections. Returns the problem if it exits or takes too long, else null. */
const startProblem = async (child: ChildProcess, port: number): Promise<string | null> => {
  const until = Date.now() + START_MS;
  while (!(await accepts(port))) {
    if (hasEnded(child)) return 'it ended';
    if (Date.now() > until) return `it accepts no connection within ${START_MS} ms`;
    await delay(POLL_MS);
  }
  return null;
};

const STOP_MS = 5_000;

/** Ends a process with its children, which share its group. */
const end = async (child: ChildProcess): Promise<void> => {
  if (child.pid === undefined || hasEnded(child)) return;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await Promise.race([closed, delay(STOP_MS, undefined, { ref: false })]);
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has ended.
  }
  await closed;
};

/** The gateway accepts no connections; the message has its output. */
class NotStarted extends Error {}

/** Starts a gateway on this port, with its files in a new folder. */
const startOn = async (gateway: Gateway, port: number, upstreamPort: number): Promise<RunningGateway> => {
  const program = programOf(gateway);
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  const place = { port, upstreamPort, folder };
  const file = join(folder, gateway.file);
  writeFileSync(file, gateway.configuration(place));
  const child = spawn(program, gateway.args(file, place), {
    env: { ...process.env, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk;
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const close = async (): Promise<void> => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  const problem = await startProblem(child, port);
  if (problem === null) return { baseUrl: `http://127.0.0.1:${port}/v1`, close };
  await close();
  throw new NotStarted(`${gateway.name} does not start: ${problem}\n${output}`);
};

/** Another socket may take a port that was free a moment ago. */
const ATTEMPTS = 3;

/** Starts a gateway on a free port, in front of the server that listens on `upstreamPort`. */
export const startGateway = async (
  gateway: Gateway,
  upstreamPort: number,
  attempts = ATTEMPTS,
): Promise<RunningGateway> => {
  try {
    return await startOn(gateway, await freePort(), upstreamPort);
  } catch (error) {
    if (!(error instanceof NotStarted) || attempts === 1) throw error;
    return startGateway(gateway, upstreamPort, attempts - 1);
  }
};
