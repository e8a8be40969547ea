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

/** Ends every process and server of these tests, and takes away what they wrote. */
export const cleanUp = async (): Promise<void> => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all([...servers].map((server) => server.close()));
  rmSync(folder, { recursive: true, force: true });
};

const start = (args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess => {
  // What a test says of CI, it says itself.
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

/** What a run of the command came to. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** conformance.json; undefined where none was written. */
  readonly report: Outcome | undefined;
  readonly reportDir: string;
}

/** The folder that a replay names for its reports. */
const namedIn = (args: readonly string[]): string | null => {
  const at = args.indexOf('--report-dir');
  return at < 0 ? null : (args[at + 1] ?? null);
};

/** Starts `run` with these words behind it; `ended` resolves when it has. */
export const startRun = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } => {
  runs += 1;
  const named = namedIn(args);
  const reportDir = resolve(folder, named ?? `reports-${runs}`);
  const child = start(['run', ...(named === null ? ['--report-dir', reportDir] : []), ...args], env);
  const texts = { out: '', err: '' };
  child.stdout?.on('data', (chunk) => {
    texts.out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    texts.err += chunk;
  });
  const ended = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    ...texts,
    report: reportIn(reportDir),
    reportDir,
  }));
  return { child, ended };
};

const reportIn = (reportDir: string): Outcome | undefined => {
  try {
    return JSON.parse(readFileSync(join(reportDir, 'conformance.json'), 'utf8'));
  } catch {
    return undefined;
  }
};

/** `run` with these words behind it, to its end. */
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

/** A request as it came to a server of these tests. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | null;
  readonly body: string;
}

interface Behaviour {
  /** Absent: a free one. */
  readonly port?: number;
  readonly patches?: readonly Patch[];
  /** Comes before every request, which counts from 1; what it resolves to is the answer, unless undefined. */
  readonly before?: (count: number, seen: Seen) => Promise<Response | undefined>;
}

/** A reference server on a socket, in this process, that keeps what it is sent and how it answered. */
export const record = async ({ port = 0, patches = [], before }: Behaviour = {}) => {
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

/** The words of `run` that name a server of these tests. */
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

/** What a report says of one requirement. */
export const resultOf = ({ report }: Ended, id: string) =>
  report?.requirements.find((requirement) => requirement.id === id);
