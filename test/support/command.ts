import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { listen } from '../../src/reference/listen.ts';
import type { Patch } from '../../src/reference/patch.ts';
import { createReference } from '../../src/reference/reference.ts';
import type { Outcome } from '../../src/run/outcome.ts';
import { systemClock } from '../../src/time/clock.ts';

const bin = fileURLToPath(new URL('../../bin/animal-store-conformance.js', import.meta.url));

export const key = 'command-test-key-8fQ2xLw9Rz';

export const folder = mkdtempSync(join(tmpdir(), 'command-'));
const children = new Set<ChildProcess>();
const servers = new Set<{ close(): Promise<void> }>();
let runs = 0;

/** Ends every process and server of these tests, and deletes their files. */
export const cleanUp = async (): Promise<void> => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all([...servers].map((server) => server.close()));
  rmSync(folder, { recursive: true, force: true });
};

const start = (args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess => {
  // A test sets the variables of CI itself.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(ANIMAL_STORE|GITHUB|NODE_OPTIONS|VITEST|npm_|CI$)/.test(name),
  );
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  child.once('close', () => children.delete(child));
  return child;
};

/** The result of a run of the command. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** conformance.json; undefined: none was written. */
  readonly report: Outcome | undefined;
  readonly reportDir: string;
}

/** What a process has written when it ends, and its exit code. */
const endOf = async (child: ChildProcess): Promise<Pick<Ended, 'code' | 'out' | 'err'>> => {
  const texts = { out: '', err: '' };
  child.stdout?.on('data', (chunk) => {
    texts.out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    texts.err += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, ...texts };
};

/** Runs the program with these words to its end. */
export const command = (...words: readonly string[]) => endOf(start(words, {}));

/** The folder of the reports, if the arguments have one. */
const reportDirIn = (args: readonly string[]): string | null => {
  const at = args.indexOf('--report-dir');
  return at < 0 ? null : (args[at + 1] ?? null);
};

/** Starts `run` with these arguments. */
export const startRun = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } => {
  runs += 1;
  const named = reportDirIn(args);
  const reportDir = resolve(folder, named ?? `reports-${runs}`);
  const child = start(['run', ...(named === null ? ['--report-dir', reportDir] : []), ...args], env);
  const ended = endOf(child).then((end) => ({ ...end, report: reportIn(reportDir), reportDir }));
  return { child, ended };
};

const reportIn = (reportDir: string): Outcome | undefined => {
  try {
    return JSON.parse(readFileSync(join(reportDir, 'conformance.json'), 'utf8'));
  } catch {
    return undefined;
  }
};

/** Runs `run` with these arguments to its end. */
export const run = (args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended> =>
  startRun(args, env).ended;

/** `serve` in a process of its own, with one key. */
export const serve = async (...args: readonly string[]): Promise<{ readonly baseUrl: string }> => {
  const words = [
    'serve',
    '--port',
    '0',
    '--json',
    '--quiet',
    '--key',
    `business=${key}`,
    '--seed-pets',
    '12',
  ];
  const child = start([...words, ...args], {});
  if (child.stdout === null) throw new Error('The server has no standard output.');
  const [line] = await once(createInterface(child.stdout), 'line');
  return JSON.parse(String(line));
};

/** A request that a server of these tests received. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | null;
  readonly body: string;
}

interface Behavior {
  /** Absent: any free port. */
  readonly port?: number;
  readonly patches?: readonly Patch[];
  /** Called for every request, with its number from 1. Its response is returned, unless it is undefined. */
  readonly before?: (count: number, seen: Seen) => Promise<Response | undefined>;
}

/** A reference server on a socket, in this process, that records its requests and the statuses. */
export const record = async ({ port = 0, patches = [], before }: Behavior = {}) => {
  const seen: Seen[] = [];
  const statuses: number[] = [];
  const reference = createReference({
    clock: systemClock,
    random: () => 0.5,
    keys: [{ key, plan: 'business' }],
    seedPets: 12,
    patches,
  });
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const body = request.body === null ? '' : await request.clone().text();
    const arrived = {
      method: request.method,
      path: `${pathname}${search}`,
      authorization: request.headers.get('authorization'),
      body,
    };
    seen.push(arrived);
    const response = (await before?.(seen.length, arrived)) ?? (await reference.fetch(request));
    statuses.push(response.status);
    return response;
  };
  const listening = await listen({ ...reference, fetch }, { host: '127.0.0.1', port });
  servers.add(listening);
  return { ...listening, seen, statuses };
};

/** The arguments of `run` for a server of these tests. */
export const at = ({ baseUrl }: { readonly baseUrl: string }): readonly string[] => [
  '--base-url',
  baseUrl,
  '--api-key',
  key,
  '--plan',
  'business',
];

/** The verdict of every requirement. */
export const verdictsOf = ({ report }: Ended): Readonly<Record<string, string>> =>
  Object.fromEntries((report?.requirements ?? []).map(({ id, verdict }) => [id, verdict]));

/** The result of one requirement. */
export const resultOf = ({ report }: Ended, id: string) =>
  report?.requirements.find((requirement) => requirement.id === id);
