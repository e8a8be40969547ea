import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolveSettings } from '../../src/config/resolve.ts';
import type { RunSettings } from '../../src/config/settings.ts';
import type { WireRequest } from '../../src/http/exchange.ts';
import { loadCatalogue } from '../../src/openapi/catalogue.ts';
import { packageRoot } from '../../src/openapi/package-root.ts';
import { dialects } from '../../src/reference/dialects/index.ts';
import { faults } from '../../src/reference/faults/index.ts';
import type { Outcome } from '../../src/run/outcome.ts';
import type { Target } from '../../src/run/run-deps.ts';
import { type ServerSetup, serve, setupFor } from '../../src/selftest/server.ts';
import type { Clock } from '../../src/time/clock.ts';
import { hashOf } from '../../src/util/hash.ts';
import { checks } from '../../suites/animal-store/index.ts';
import { type RunChanges, runInWords } from '../support/run-in-words.ts';
import { verdictRows } from './rows.ts';

/** What a run sends and finds, as rows that a person reads. */
export interface Recording {
  /** One for each requirement, failure, and observation. */
  readonly verdicts: readonly string[];
  /**
   * One for each check, in the order of their first requests; empty unless the requests of this server are recorded. The conforming
   * server has the id of every check, because ids are permanent.
   */
  readonly requests: readonly string[];
}

/** A file of recordings. Each row starts with the name of its server, so that a difference says where something moved. */
export const goldenFiles = {
  verdicts: join(packageRoot(), 'test/golden/verdicts.txt'),
  requests: join(packageRoot(), 'test/golden/requests.txt'),
} as const satisfies Record<keyof Recording, string>;

export const kindsOfRow = ['verdicts', 'requests'] as const satisfies (keyof Recording)[];

export const seed = 1;

/** Selects by name, so that a new fault or dialect does not change the rest of the sample. */
const isChosen = (name: string, oneOf: number): boolean => hashOf(name) % oneOf === 0;

const conforming = 'reference';

/** A sample of all servers of the self-test, by name. */
export const servers: ReadonlyMap<string, ServerSetup> = new Map([
  [conforming, setupFor({ kind: 'dialect', names: [] })],
  ...dialects
    .filter(({ name }) => isChosen(name, 12))
    .map(({ name }) => [`dialect ${name}`, setupFor({ kind: 'dialect', names: [name] })] as const),
  ...faults
    .filter(({ name }) => isChosen(name, 15))
    .map(({ name }) => [`fault ${name}`, setupFor({ kind: 'fault', names: [name] })] as const),
]);

/** A conforming server, a large one, one with a daily limit to use up, one that bans, and one that fails at random. */
export const withRequests: ReadonlySet<string> = new Set([
  conforming,
  'dialect store-beyond-a-page',
  'dialect headers-of-the-day',
  'dialect banned-keys-are-locked',
  'fault status-of-the-request-before-sticks',
]);

const digestOf = (values: readonly string[]): string =>
  createHash('sha256').update(values.join('\n')).digest('hex').slice(0, 8);

const textOf = ({ method, url, headers, body, framing }: WireRequest): string =>
  JSON.stringify([method, url, headers, body && Buffer.from(body).toString('base64'), framing ?? false]);

const requestRow = (what: string, sent: readonly string[]): string =>
  `${what}: ${sent.length} requests, ${digestOf(sent)}`;

/** The target, with each of its requests added to a list. */
const recording = (target: Target, sent: string[]): Target => ({
  ...target,
  transport: {
    ...target.transport,
    send: (request, sending) => {
      sent.push(textOf(request));
      return target.transport.send(request, sending);
    },
  },
});

const settingsFor = (setup: ServerSetup): RunSettings => {
  const flags = { runs: '10', seed: String(seed) };
  const resolved = resolveSettings({ flags, env: {}, file: [], requirements: loadCatalogue() });
  if (!resolved.ok) throw new Error(resolved.problems.join('; '));
  const { permission } = setup;
  return {
    ...resolved.settings,
    exhaustDaily: permission === 'exhaust-daily',
    allowBan: permission !== 'nothing',
  };
};

/** Runs against a target with the settings of the self-test. */
export const runOn = async (
  setup: ServerSetup,
  target: Target,
  clock: Clock,
  changes: RunChanges = {},
): Promise<Outcome> => {
  const { outcome } = await runInWords(settingsFor(setup), { clock, target, ...changes });
  return outcome;
};

/** Runs against a server in this process, on a virtual clock. */
const record = async (name: string, setup: ServerSetup) => {
  const { target, clock } = serve(setup, seed);
  const all: string[] = [];
  const byCheck = new Map<string, string[]>();
  const outcome = await runOn(setup, recording(target, all), clock, {
    onAttempt: ({ id }, _, { sent }) => {
      const before = byCheck.get(id) ?? [];
      byCheck.set(id, [...before, ...sent.map(({ exchange }) => textOf(exchange.wire))]);
    },
  });
  const idle = checks.filter(({ id }) => name === conforming && !byCheck.has(id));
  const rows = [
    requestRow('all', all),
    ...[...byCheck].map(([check, sent]) => requestRow(check, sent)),
    ...idle.map(({ id }) => `${id}: not run`),
  ];
  return { outcome, requests: withRequests.has(name) ? rows : [] };
};

/** What a run against the conforming server finds: the rows of other servers show only what differs. */
export const usualRows = async (): Promise<ReadonlySet<string>> =>
  new Set(verdictRows((await record(conforming, setupFor({ kind: 'dialect', names: [] }))).outcome));

/** Runs against a server of the sample. `usual`: rows of the conforming server, which the others leave out. */
export const runGolden = async (
  name: string,
  setup: ServerSetup,
  usual: ReadonlySet<string>,
): Promise<Recording & { readonly outcome: Outcome }> => {
  const { outcome, requests } = await record(name, setup);
  const rows = verdictRows(outcome);
  return {
    outcome,
    requests,
    verdicts: name === conforming ? rows : rows.filter((row) => !usual.has(row)),
  };
};

const separator = ' | ';

/** Rows as they are recorded. */
export const goldenLines = (name: string, rows: readonly string[]): readonly string[] =>
  rows.map((row) => `${name}${separator}${row}`);

/** The recorded rows by server. */
export const readGolden = (kind: keyof Recording): ReadonlyMap<string, readonly string[]> =>
  Map.groupBy(
    readFileSync(goldenFiles[kind], 'utf8').trimEnd().split('\n'),
    (line) => line.split(separator, 1)[0] ?? '',
  );
