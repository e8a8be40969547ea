/**
 * Tests the suite by mutation of conforming servers. It makes small changes in the source of a server, and tests each change with a rate
 * limit key. It lists the mutants without a failed requirement. Each shows a weak check, or a change that the document permits.
 *
 *     node scripts/mutants.ts reference|express|python [COUNT] [SEED]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { run } from '../src/api/index.ts';
import { packageRoot } from '../src/openapi/package-root.ts';
import { randomFrom } from '../src/util/random.ts';

/** A conforming server: what to copy, which files to change, and how to start it. */
interface Source {
  readonly copied: readonly string[];
  readonly mutated: readonly string[];
  readonly command: readonly [program: string, ...words: string[]];
}

const referenceFiles = readdirSync(join(packageRoot(), 'src/reference'))
  .filter((name) => name.endsWith('.ts') && !/test|catalogue|hostile|degenerate|patch/.test(name))
  .map((name) => `src/reference/${name}`);

const limits = { main: '1000/60', second: '60/3' };

const sources: Readonly<Record<string, Source>> = {
  reference: {
    copied: ['bin', 'src', 'spec', 'suites', 'package.json'],
    mutated: referenceFiles,
    command: [
      ...[process.execPath, 'bin/animal-store-conformance.js', 'serve', '--port', '0', '--quiet', '--json'],
      ...['--key', 'enterprise=example-key', '--limit', `example-key=${limits.main}`],
      ...['--key', 'enterprise=example-limit-key', '--limit', `example-limit-key=${limits.second}`],
    ] as unknown as Source['command'],
  },
  express: {
    copied: ['examples', 'package.json'],
    mutated: ['examples/store.ts', 'examples/express/server.ts'],
    command: [process.execPath, 'examples/start.ts', 'express', '0'],
  },
  python: {
    copied: ['examples/python'],
    mutated: ['examples/python/server.py'],
    command: ['python3', 'examples/python/server.py', '0'],
  },
};

/** Changes of one token. */
const operators: readonly (readonly [token: RegExp, replacement: (token: string) => string])[] = [
  [/ === /g, () => ' !== '],
  [/ !== /g, () => ' === '],
  [/ == /g, () => ' != '],
  [/ != /g, () => ' == '],
  [/ < /g, () => ' <= '],
  [/ <= /g, () => ' < '],
  [/ > /g, () => ' >= '],
  [/ >= /g, () => ' > '],
  [/ && /g, () => ' || '],
  [/ \|\| /g, () => ' && '],
  [/ and /g, () => ' or '],
  [/ or /g, () => ' and '],
  [/ not in /g, () => ' in '],
  [/ \+ /g, () => ' - '],
  [/ - /g, () => ' + '],
  [/\btrue\b/g, () => 'false'],
  [/\bfalse\b/g, () => 'true'],
  [/\bTrue\b/g, () => 'False'],
  [/\bFalse\b/g, () => 'True'],
  [/(?<=[ (,[])\d+(?=[,; )\]:])/g, (number) => String(Number(number) + 1)],
  [/(?<=[ (,[=])(["'])[\w-]+\1/g, (text) => `${text.slice(0, -1)}x${text.slice(-1)}`],
];

interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly before: string;
  readonly after: string;
  readonly text: string;
}

/** Tells whether a mutation of the line can matter: imports and comments have no behavior. */
const isCode = (line: string): boolean =>
  !/^\s*(import|from|export \{|export type|\/\/|\/?\*|#|""")/.test(line);

const mutantsOf = (file: string): readonly Mutant[] => {
  const lines = readFileSync(join(packageRoot(), file), 'utf8').split('\n');
  return lines.flatMap((before, index) => {
    if (!isCode(before)) return [];
    return operators.flatMap(([token, replacement]) =>
      [...before.matchAll(token)].map((match) => {
        const after = `${before.slice(0, match.index)}${replacement(match[0])}${before.slice(match.index + match[0].length)}`;
        return { file, line: index + 1, before, after, text: lines.with(index, after).join('\n') };
      }),
    );
  });
};

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
};

const startMs = 10_000;

/** Returns the base URL that a server prints, or null if it does not start. */
const baseUrlOf = async (child: ChildProcess): Promise<string | null> => {
  if (child.stdout === null) return null;
  const line = once(createInterface(child.stdout), 'line', { signal: AbortSignal.timeout(startMs) });
  const ended = once(child, 'exit').then(() => ['']);
  const [text] = await Promise.race([line, ended]).catch(() => ['']);
  return /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(String(text))?.[0] ?? null;
};

const runMs = 120_000;

/** Returns the requirements that fail on the server in a folder, or null if the server does not start. */
const test = async (
  [program, ...words]: Source['command'],
  directory: string,
): Promise<readonly string[] | null> => {
  const child = spawn(program, words, { cwd: directory, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const baseUrl = await baseUrlOf(child);
    if (baseUrl === null) return null;
    const keys = { apiKey: 'example-key', rateLimitKey: 'example-limit-key' };
    const plans = { plan: 'enterprise', rateLimitPlan: 'enterprise' } as const;
    const signal = AbortSignal.timeout(runMs);
    // Category 1 exists. Without it, a server that rejects every creation could be a server without categories.
    const settings = { ...keys, ...plans, categoryId: ['1'], seed: 1, timeout: 2_000 };
    const { exitCode, report } = await run({ baseUrl, ...settings }, { signal });
    const failed = report.requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
    return exitCode === 3 ? ['not tested'] : failed;
  } finally {
    await stop(child);
  }
};

/** Returns `count` mutants, chosen by the seed. */
const drawMutants = (all: readonly Mutant[], count: number, seed: number): readonly Mutant[] => {
  const random = randomFrom(seed);
  return all
    .map((mutant) => ({ mutant, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ mutant }) => mutant);
};

const [name = '', count = '30', seed = '1'] = process.argv.slice(2);
const source = sources[name];
if (source === undefined || !Number.isInteger(Number(count)) || !Number.isInteger(Number(seed))) {
  console.error(
    `error: expected a server (${Object.keys(sources).join(', ')}), a number of mutants, and a seed`,
  );
  process.exit(2);
}

mkdirSync(join(packageRoot(), 'reports'), { recursive: true });
const workspace = mkdtempSync(join(packageRoot(), 'reports/mutants-'));
const outcomes = { killed: 0, survived: 0, invalid: 0 };
const scoreText = (): string => {
  const { killed, survived, invalid } = outcomes;
  const score = Math.round((1_000 * killed) / Math.max(1, killed + survived)) / 10;
  return `${killed} killed, ${survived} survived, ${invalid} do not start: ${score} %`;
};
try {
  for (const path of source.copied)
    cpSync(join(packageRoot(), path), join(workspace, path), { recursive: true });
  const unchanged = await test(source.command, workspace);
  if (unchanged?.length !== 0)
    throw new Error(`the unchanged server does not pass: ${unchanged?.join(', ') ?? 'it does not start'}`);
  const all = source.mutated.flatMap(mutantsOf);
  const sample = drawMutants(all, Number(count), Number(seed));
  console.log(`${sample.length} of ${all.length} mutants of ${name}, seed ${seed}`);
  for (const { file, line, before, after, text } of sample) {
    const path = join(workspace, file);
    writeFileSync(path, text);
    const failed = await test(source.command, workspace);
    cpSync(join(packageRoot(), file), path);
    const outcome = failed === null ? 'invalid' : failed.length > 0 ? 'killed' : 'survived';
    outcomes[outcome] += 1;
    if (outcome === 'survived')
      console.log(`survived ${file}:${line}\n  - ${before.trim()}\n  + ${after.trim()}\n  ${scoreText()}`);
  }
} finally {
  rmSync(workspace, { recursive: true, force: true });
}
console.log(scoreText());
