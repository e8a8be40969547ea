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
import type { Failure, Outcome, RequirementResult } from '../../src/run/outcome.ts';
import type { Target } from '../../src/run/run-deps.ts';
import { type ServerSetup, serve, setupFor } from '../../src/selftest/server.ts';
import type { Clock } from '../../src/time/clock.ts';
import { hashOf } from '../../src/util/hash.ts';
import { runInWords } from '../support/run-in-words.ts';

/** Digests of a run against one server: a changed digest shows which kind of behavior changed. */
export interface Digests {
  /** Every request in order: method, URL, headers, body. */
  readonly wire: string;
  /** The same requests, sorted. */
  readonly wireSet: string;
  /** Requirement, verdict, and number of checks. */
  readonly verdicts: string;
  /** Every failure without its sentences. */
  readonly failures: string;
  /** The whole outcome. */
  readonly words: string;
}

export type Golden = Readonly<Record<string, Digests>>;

export const digestNames = ['wire', 'wireSet', 'verdicts', 'failures', 'words'] as const;

export const goldenFile = join(packageRoot(), 'test/golden/runs.json');

export const seed = 1;

/** Selects by name, so that a new fault or dialect does not change the rest of the sample. */
const isChosen = (name: string, oneOf: number): boolean => hashOf(name) % oneOf === 0;

/** A sample of all servers of the self-test, by name. */
export const servers: ReadonlyMap<string, ServerSetup> = new Map([
  ['reference', setupFor({ kind: 'dialect', names: [] })],
  ...dialects
    .filter(({ name }) => isChosen(name, 12))
    .map(({ name }) => [`dialect ${name}`, setupFor({ kind: 'dialect', names: [name] })] as const),
  ...faults
    .filter(({ name }) => isChosen(name, 15))
    .map(({ name }) => [`fault ${name}`, setupFor({ kind: 'fault', names: [name] })] as const),
]);

const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);

const requestDigest = ({ method, url, headers, body, framing }: WireRequest): string =>
  digestOf([
    method,
    url,
    headers,
    body === null ? null : Buffer.from(body).toString('base64'),
    framing ?? false,
  ]);

/** The target, with each of its requests added to a list. */
const recording = (target: Target, sent: string[]): Target => ({
  ...target,
  transport: {
    ...target.transport,
    send: (request, sending) => {
      sent.push(requestDigest(request));
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

const withoutSentences = ({ operation, path, seen, tries, occurrences, request, response }: Failure) => [
  operation,
  path,
  [seen, tries, occurrences],
  request,
  response,
];

/** The result of a requirement without its duration, which differs each time. */
const withoutTime = ({ durationMs: _, ...result }: RequirementResult) => result;

const digestsOf = (sent: readonly string[], outcome: Outcome): Digests => ({
  wire: digestOf(sent),
  wireSet: digestOf(sent.toSorted()),
  verdicts: digestOf(outcome.requirements.map(({ id, verdict, checks }) => [id, verdict, checks])),
  failures: digestOf(outcome.requirements.map(({ id, failures }) => [id, failures.map(withoutSentences)])),
  words: digestOf({ ...outcome, requirements: outcome.requirements.map(withoutTime) }),
});

/** Runs against a target with the settings of the self-test. */
export const runOn = async (setup: ServerSetup, target: Target, clock: Clock): Promise<Outcome> => {
  const { outcome } = await runInWords(settingsFor(setup), {
    clock,
    target,
  });
  return outcome;
};

/** Runs against a server in this process, on a virtual clock. */
export const runGolden = async (setup: ServerSetup): Promise<Digests> => {
  const { target, clock } = serve(setup, seed);
  const sent: string[] = [];
  const outcome = await runOn(setup, recording(target, sent), clock);
  return digestsOf(sent, outcome);
};

/** The recorded digests, by server. */
export const readGolden = (): Golden => JSON.parse(readFileSync(goldenFile, 'utf8'));

/** One line for each server, so that a difference of the file shows which servers changed. */
export const goldenText = (golden: Golden): string =>
  `{\n${Object.entries(golden)
    .map(([name, digests]) => `  ${JSON.stringify(name)}: ${JSON.stringify(digests)}`)
    .join(',\n')}\n}\n`;
