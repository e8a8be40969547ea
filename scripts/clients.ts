import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realClients } from '../bench/clients/clients.ts';
import { packageRoot } from '../src/openapi/package-root.ts';
import type { Outcome } from '../src/run/outcome.ts';

// Judges real HTTP clients and writes docs/clients.md.

const root = packageRoot();
const bin = join(root, 'bin/animal-store-conformance.js');
const folder = await mkdtemp(join(tmpdir(), 'clients-'));

const verdictsOf = async (name: string): Promise<Readonly<Record<string, string>>> => {
  const client = join(root, 'bench/clients/clients.ts');
  const words = [bin, 'judge', '--report-dir', join(folder, name), '--', process.execPath, client, name];
  await once(spawn(process.execPath, words, { stdio: 'ignore' }), 'exit');
  const text = await readFile(join(folder, name, 'conformance.json'), 'utf8');
  const { requirements }: Pick<Outcome, 'requirements'> = JSON.parse(text);
  return Object.fromEntries(requirements.map(({ id, verdict }) => [id, verdict]));
};

const names = Object.keys(realClients);
const results = new Map<string, Readonly<Record<string, string>>>();
const queue = [...names];
const work = async (): Promise<void> => {
  for (let name = queue.shift(); name !== undefined; name = queue.shift())
    results.set(name, await verdictsOf(name));
};
await Promise.all([work(), work(), work()]);

const ids = Array.from({ length: 7 }, (_, at) => `CLIENT-${at + 1}`);
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const rows = Object.entries(realClients).map(([name, { library, configuration }]) =>
  row([library, configuration, ...ids.map((id) => results.get(name)?.[id] ?? '')]),
);
const page = `# HTTP clients

\`npm run clients\` judges these clients and writes this page. Each sends \`GET /pets\` six times; \`bench/clients/clients.ts\` has the
configurations, to be copied. No library reads X-RateLimit-Remaining by itself (CLIENT-7 is a SHOULD); it is inconclusive if the
request that hit the limit may have been in flight. Inconclusive for CLIENT-3: the waits show no clear pattern.

${[row(['client', 'configuration', ...ids]), row(['---', '---', ...ids.map(() => '---')]), ...rows].join('\n')}
`;
await writeFile(join(root, 'docs', 'clients.md'), page);
