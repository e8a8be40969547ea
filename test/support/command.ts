import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Patch } from '../../src/reference/patch.ts';
import type { Outcome, ServerFailure } from '../../src/run/outcome.ts';
import { type Environment, firstLineOf, folder, type ProcessEnd, startCommand } from './processes.ts';
import { serveOnSocket, testReference } from './servers.ts';

export const key = 'command-test-key-8fQ2xLw9Rz';

let runs = 0;

/** The result of a run of the command. */
export interface Ended extends ProcessEnd {
  /** conformance.json; undefined: none was written. */
  readonly report: Outcome<ServerFailure> | undefined;
  readonly reportDir: string;
}

/** The folder of the reports, if the arguments have one. */
const reportDirIn = (args: readonly string[]): string | null => {
  const at = args.indexOf('--report-dir');
  return at < 0 ? null : (args[at + 1] ?? null);
};

/** Starts `run` with these arguments. */
export const startRun = (
  args: readonly string[],
  env?: Environment,
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } => {
  runs += 1;
  const named = reportDirIn(args);
  const reportDir = resolve(folder, named ?? `reports-${runs}`);
  const words = ['run', ...(named === null ? ['--report-dir', reportDir] : []), ...args];
  const { child, ended } = startCommand(words, env);
  return { child, ended: ended.then((end) => ({ ...end, report: reportIn(reportDir), reportDir })) };
};

const reportIn = (reportDir: string): Outcome<ServerFailure> | undefined => {
  try {
    return JSON.parse(readFileSync(join(reportDir, 'conformance.json'), 'utf8'));
  } catch {
    return undefined;
  }
};

/** Runs `run` with these arguments to its end. */
export const run = (args: readonly string[], env?: Environment): Promise<Ended> => startRun(args, env).ended;

/** `serve` in a process of its own, with one key. */
export const serve = async (...args: readonly string[]): Promise<{ readonly baseUrl: string }> => {
  const words = [
    'serve',
    '--port',
    '0',
    '--json',
    '--quiet',
    '--seed-pets',
    '12',
    '--key',
    `business=${key}`,
  ];
  return JSON.parse(await firstLineOf(startCommand([...words, ...args]).child));
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
  const reference = testReference({ keys: [{ key, plan: 'business' }], patches });
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
  const listening = await serveOnSocket({ ...reference, fetch }, { port });
  return { ...listening, seen, statuses };
};

/** The arguments of `run` for a server of these tests. */
export const at = ({ baseUrl }: { readonly baseUrl: string }): readonly string[] => [
  ...['--base-url', baseUrl],
  ...['--api-key', key],
  ...['--plan', 'business'],
];

/** The verdict of every requirement. */
export const verdictsOf = ({ report }: Ended): Readonly<Record<string, string>> =>
  Object.fromEntries((report?.requirements ?? []).map(({ id, verdict }) => [id, verdict]));

/** The result of one requirement. */
export const resultOf = ({ report }: Ended, id: string) =>
  report?.requirements.find((requirement) => requirement.id === id);
