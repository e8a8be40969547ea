import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClientCommand, clientCommands } from '../bench/clients/commands.ts';
import { packageRoot } from '../src/openapi/package-root.ts';
import type { Outcome } from '../src/run/outcome.ts';

// Judges real HTTP clients and writes docs/clients.md.

const root = packageRoot();
const bin = join(root, 'bin/animal-store-conformance.js');
const folder = await mkdtemp(join(tmpdir(), 'clients-'));

type Verdicts = Readonly<Record<string, string>>;

/** The verdicts by requirement. Rejects if the client sends nothing: its program or a library is missing. */
const judge = async ({ name, words }: ClientCommand): Promise<Verdicts> => {
  const dir = join(folder, name);
  const all = [bin, 'judge', '--report-dir', dir, '--', ...words];
  const [code] = await once(spawn(process.execPath, all, { stdio: 'ignore' }), 'exit');
  if (code > 1) throw new Error(`${name} cannot be judged (exit code ${code}): ${words.join(' ')}`);
  const { requirements }: Pick<Outcome, 'requirements'> = JSON.parse(
    await readFile(join(dir, 'conformance.json'), 'utf8'),
  );
  return Object.fromEntries(requirements.map(({ id, verdict }) => [id, verdict]));
};

const results = new Map<string, Verdicts>();
const queue = [...clientCommands];
const work = async (): Promise<void> => {
  for (let client = queue.shift(); client !== undefined; client = queue.shift())
    results.set(client.name, await judge(client));
};

const ids = Array.from({ length: 7 }, (_, at) => `CLIENT-${at + 1}`);

/** A table whose columns are aligned. */
const tableOf = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  const [head = [], ...others] = rows;
  return [head, rule, ...others]
    .map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`)
    .join('\n');
};

try {
  await Promise.all([work(), work(), work()]);
  const rows = clientCommands.map(({ name, library, configuration }) => [
    library,
    configuration,
    ...ids.map((id) => results.get(name)?.[id] ?? ''),
  ]);
  const page = `# HTTP clients

\`npm run clients\` judges these clients and writes this page. Each sends \`GET /pets\` six times, until one fails; \`bench/clients/\` has the
configurations, to be copied. It needs curl, and Python (\`PYTHON\` names it) with urllib3, requests, and tenacity.

No library reads X-RateLimit-Remaining by itself (CLIENT-7 is a SHOULD); it is inconclusive if no request came after
Remaining was 0. A client that gives up early passes CLIENT-3.

${tableOf([['client', 'configuration', ...ids], ...rows])}
`;
  await writeFile(join(root, 'docs', 'clients.md'), page);
} finally {
  await rm(folder, { recursive: true, force: true });
}
