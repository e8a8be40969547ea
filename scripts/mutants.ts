/**
 * Tests the suite by mutation of conforming servers. It makes small changes in the source of a server, and tests each with a rate limit
 * key until the first failure. It lists the mutants without one: each shows a weak check. `mutants-explained.ts` has those that do not,
 * with the reason. They are not tested.
 *
 *     node scripts/mutants.ts reference|express|python [COUNT] [SEED]
 *
 * Tests a sample of COUNT mutants, drawn by SEED.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runSuite } from '../src/api/run-suite.ts';
import { resolveSettings } from '../src/config/resolve.ts';
import { loadCatalogue } from '../src/openapi/catalogue.ts';
import { packageRoot } from '../src/openapi/package-root.ts';
import { randomFrom } from '../src/util/random.ts';
import { explained } from './mutants-explained.ts';

/** A conforming server: what to copy, which files to change, and how to start it. */
interface Source {
  readonly copied: readonly string[];
  readonly mutated: readonly string[];
  readonly command: readonly [program: string, ...words: string[]];
}

/** What `serve` runs without a dialect; the limiters have many variants that it does not use. */
const referenceParts = [
  ...['authentication', 'endpoints', 'keys', 'limits', 'listen', 'pet', 'problems', 'reading'],
  ...['reference', 'reply', 'store'],
];

const sources: Readonly<Record<string, Source>> = {
  reference: {
    copied: ['bin', 'src', 'spec', 'suites', 'package.json'],
    mutated: referenceParts.map((name) => `src/reference/${name}.ts`),
    command: [
      process.execPath,
      ...['bin/animal-store-conformance.js', 'serve', '--port', '0', '--quiet', '--json'],
      ...['--key', 'enterprise=example-key', '--limit', 'example-key=5000/60'],
      ...['--key', 'enterprise=example-limit-key', '--limit', 'example-limit-key=20/3'],
    ],
  },
  express: {
    copied: ['examples', 'package.json'],
    mutated: ['examples/store.ts', 'examples/exact-json.ts', 'examples/express/server.ts'],
    command: [process.execPath, 'examples/start.ts', 'express', '0'],
  },
  python: {
    copied: ['examples/python'],
    mutated: ['examples/python/server.py'],
    command: ['python3', 'examples/python/server.py', '0'],
  },
};

/** Changes of one place in a line; the text in place of what a pattern finds. */
const operators: readonly (readonly [found: RegExp, ...replacements: ((found: string) => string)[]])[] = [
  [/ === /g, () => ' !== '],
  [/ !== /g, () => ' === '],
  [/ == /g, () => ' != '],
  [/ != /g, () => ' == '],
  [/ < /g, () => ' <= ', () => ' > '],
  [/ <= /g, () => ' < '],
  [/ > /g, () => ' >= ', () => ' < '],
  [/ >= /g, () => ' > '],
  [/ && /g, () => ' || '],
  [/ \|\| /g, () => ' && '],
  [/ and /g, () => ' or '],
  [/ or /g, () => ' and '],
  [/ not in /g, () => ' in '],
  [/(?<=[ (])not (?!in)|(?<=[ (])!(?=[\w/])/g, () => ''],
  [/ \+ /g, () => ' - '],
  [/ - /g, () => ' + '],
  [/ \* /g, () => ' / '],
  [/ \/\/? /g, () => ' * '],
  [/\btrue\b/g, () => 'false'],
  [/\bfalse\b/g, () => 'true'],
  [/\bTrue\b/g, () => 'False'],
  [/\bFalse\b/g, () => 'True'],
  [/(?<=\bif \().+(?=\) )/g, () => 'true', () => 'false'],
  [/(?<=\bif ).+(?=:$)/g, () => 'True', () => 'False'],
  [
    /(?<=[ (,[{*])\d[\d_]*n?(?=[,; )\]:}*])/g,
    (found) => found.replace(/[\d_]+/, (digits) => String(Number(digits.replaceAll('_', '')) + 1)),
    (found) => found.replace(/[\d_]+/, (digits) => String(Number(digits.replaceAll('_', '')) - 1)),
  ],
  [
    /(?<=[ (,[=])(["'])[\w-]+\1/g,
    (found) => `${found.slice(0, -1)}x${found.slice(-1)}`,
    (found) => `${found[0]}${found[0]}`,
  ],
  [/\bmax\(/g, () => 'min('],
  [/\bmin\(/g, () => 'max('],
  [/\bceil\(/g, () => 'floor('],
  [/\bfloor\(/g, () => 'ceil('],
  // A call without an effect, such as `.toLowerCase()`; a part of a list.
  [/\.(?:toLowerCase|lower|strip|reverse|slice)\([^()]*\)|\[: [^\]]+\]/g, () => ''],
  [/ \?\? [^,;)]+/g, () => ''],
  [/(?<== )[^=?]+(?= \? )/g, () => 'true', () => 'false'],
  [/(?<=\breturn )[^{(]+(?=;$)/g, () => 'null'],
  [/(?<=\breturn )[^{(]+$/g, () => 'None'],
  // A statement or a member of one line.
  [/(?<=^\s+)(?:["'][\w-]+["']|\w+): [^{]+,$/g, () => ''],
  [/(?<=^\s+)(?!return |const |let |\}|type |interface )\w[^{}]*;$/g, () => ''],
  [/(?<=^\s+)(?:raise |self\.|\w+\.\w+\()[^{}]*\)$/g, () => 'pass'],
  // Of a regular expression: its end, its flag, how often.
  [/\$(?=\/)/g, () => ''],
  [/(?<=\/)i(?=[.,;)])/g, () => ''],
  [/(?<=[\])d])\+/g, () => '*'],
];

interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly previous: string;
  readonly before: string;
  readonly after: string;
  /** The whole file. */
  readonly text: string;
}

/** Imports, comments, and types are no code of the server. */
const isCode = (line: string): boolean =>
  !/^\s*(import|from|export \{|export type|type|interface|readonly|\||\/\/|\/?\*|#|""")/.test(line);

/** Text for people. */
const sentence = /'[^']* [^']* [^']*'|"[^"]* [^"]* [^"]*"|`[^`]* [^`]* [^`]*`|'\w+: [^']*'/g;

const mutantsOf = (file: string): readonly Mutant[] => {
  const lines = readFileSync(join(packageRoot(), file), 'utf8').split('\n');
  return lines.flatMap((before, index) => {
    if (!isCode(before)) return [];
    const sentences = [...before.matchAll(sentence)].map(({ 0: text, index: at }) => [at, at + text.length]);
    const isText = (at: number) => sentences.some(([from = 0, to = 0]) => from < at && at < to);
    const changed = operators.flatMap(([found, ...replacements]) =>
      [...before.matchAll(found)].flatMap(({ 0: text, index: at }) =>
        (isText(at) ? [] : replacements).map(
          (replacement) => before.slice(0, at) + replacement(text) + before.slice(at + text.length),
        ),
      ),
    );
    return [...new Set(changed)]
      .filter((after) => after !== before)
      .map((after) => ({
        file,
        line: index + 1,
        previous: lines[index - 1]?.trim() ?? '',
        before: before.trim(),
        after: after.trim(),
        text: lines.with(index, after).join('\n'),
      }));
  });
};

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
};

const startMs = 60_000;

/** The base URL that a server prints; null: it does not start. */
const baseUrlOf = async (child: ChildProcess): Promise<string | null> => {
  if (child.stdout === null) return null;
  const line = once(createInterface(child.stdout), 'line', { signal: AbortSignal.timeout(startMs) });
  const ended = once(child, 'exit').then(() => ['']);
  const [text] = await Promise.race([line, ended]).catch(() => ['']);
  return /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(String(text))?.[0] ?? null;
};

const flags = {
  ...{ apiKey: 'example-key', plan: 'enterprise', seed: '1' },
  ...{ rateLimitKey: 'example-limit-key', rateLimitPlan: 'enterprise' },
  // It exists: a server that rejects every creation is not one that lacks categories.
  categoryId: '1',
};

const requirements = loadCatalogue().filter(({ subject }) => subject === 'server');

const runMs = 120_000;

/** What a run against a server comes to, up to its first failure: `passed`, or what is wrong. */
const test = async (baseUrl: string): Promise<string> => {
  const resolved = resolveSettings({ flags: { ...flags, baseUrl }, env: {}, file: [], requirements });
  if (!resolved.ok) throw new Error(resolved.problems.join('; '));
  const failed: string[] = [];
  const enough = new AbortController();
  const { outcome, exit } = await runSuite(resolved.settings, {
    signal: AbortSignal.any([enough.signal, AbortSignal.timeout(runMs)]),
    watch: (event) => {
      if (event.kind !== 'failed') return;
      failed.push(event.requirement);
      enough.abort();
    },
  });
  const warned = outcome.requirements.filter(({ verdict }) => verdict === 'warned').map(({ id }) => id);
  const found = failed.length > 0 ? failed : warned;
  return found.length > 0 ? found.join(', ') : exit === 0 ? 'passed' : `exit ${exit}`;
};

/** The same for the server of a folder; null: it does not start. */
const testIn = async (directory: string, { command }: Source): Promise<string | null> => {
  const [program, ...words] = command;
  const child = spawn(program, words, { cwd: directory, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const baseUrl = await baseUrlOf(child);
    return baseUrl === null ? null : await test(baseUrl);
  } finally {
    await stop(child);
  }
};

/** So many of them, drawn by the seed. */
const drawn = (all: readonly Mutant[], count: number, seed: number): readonly Mutant[] => {
  const random = randomFrom(seed);
  return all
    .map((mutant) => ({ mutant, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ mutant }) => mutant);
};

type Result = 'killed' | 'missed' | 'permitted' | 'equivalent' | 'does not start' | 'unfinished';

/** Why a mutant is no weakness of a check; undefined: it has to be killed. */
const explanationOf = ({ file, previous, before, after }: Mutant): Result | undefined => {
  const text = `${file}: ${previous} / ${before} -> ${after}`;
  return explained.find(({ mutants }) => mutants.some((one) => one.test(text)))?.kind;
};

const resultOf = (tested: string | null): Result => {
  if (tested === null) return 'does not start';
  if (tested === 'passed') return 'missed';
  return tested === 'exit 130' ? 'unfinished' : 'killed';
};

const scoreOf = (results: readonly Result[]): string => {
  const counts = Map.groupBy(results, (result) => result);
  const of = (result: Result): number => counts.get(result)?.length ?? 0;
  const score = (100 * of('killed')) / Math.max(1, of('killed') + of('missed'));
  const named = [...counts].map(([result, { length }]) => `${length} ${result}`).toSorted();
  return `${named.join(', ')}: ${score.toFixed(1)} %`;
};

const [name = '', ...figures] = process.argv.slice(2);
const [count = 30, seed = 1] = figures.map(Number);
const source = sources[name];
if (source === undefined || ![count, seed].every(Number.isInteger)) {
  const known = Object.keys(sources).join(', ');
  console.error(`error: expected a server (${known}), a number of mutants, and a seed`);
  process.exit(2);
}

/** More would disturb each other's windows. */
const atOnce = 2;

const all = source.mutated.flatMap(mutantsOf);
const sample = drawn(all, count, seed);
const results = sample.flatMap((mutant) => explanationOf(mutant) ?? []);
const queue = sample.filter((mutant) => explanationOf(mutant) === undefined);

const testQueue = async (): Promise<void> => {
  const workspace = mkdtempSync(join(packageRoot(), 'reports/mutants-'));
  try {
    for (const path of source.copied)
      cpSync(join(packageRoot(), path), join(workspace, path), { recursive: true });
    const unchanged = await testIn(workspace, source);
    if (unchanged !== 'passed') throw new Error(`the unchanged server: ${unchanged ?? 'does not start'}`);
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      writeFileSync(join(workspace, mutant.file), mutant.text);
      const tested = await testIn(workspace, source);
      cpSync(join(packageRoot(), mutant.file), join(workspace, mutant.file));
      const result = resultOf(tested);
      results.push(result);
      if (result === 'missed' || result === 'unfinished')
        console.log(`${result} ${mutant.file}:${mutant.line}\n  - ${mutant.before}\n  + ${mutant.after}`);
    }
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
};

mkdirSync(join(packageRoot(), 'reports'), { recursive: true });
console.log(`${sample.length} of ${all.length} mutants of ${name}, ${queue.length} to test, seed ${seed}`);
await Promise.all(Array.from({ length: atOnce }, testQueue));
console.log(`${name}: ${scoreOf(results)}`);
