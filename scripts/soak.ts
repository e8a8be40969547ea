/**
 * Repeats runs over sockets while another thread keeps a core busy: 200 on the reference server and 5 on each dialect. Each run has
 * another seed. No requirement may fail, and all runs on one server must have the same verdicts. The first argument is the fraction of
 * runs to do, for example 0.1.
 */
import { Worker } from 'node:worker_threads';
import { run, startReferenceServer } from '../src/api/index.ts';
import { dialects } from '../src/reference/dialects/index.ts';

const part = Number(process.argv[2] ?? 1);
if (!(part > 0 && part <= 1)) {
  console.error('error: the part of the runs is a number above 0, at most 1');
  process.exit(2);
}

interface Server {
  readonly name: string;
  readonly dialects: readonly string[];
  readonly seedPets?: number;
}

const plain: Server = { name: 'reference', dialects: [] };
const varied: readonly Server[] = dialects.map(({ name, seedPets }) => ({
  name,
  dialects: [name],
  ...(seedPets === undefined ? {} : { seedPets }),
}));

/** Returns `count` servers, spread evenly over the list. Deterministic. */
const spread = (servers: readonly Server[], count: number): readonly Server[] =>
  Array.from({ length: count }, (_, index) => servers[Math.floor((index * servers.length) / count)] ?? plain);

const planned = [
  ...spread([plain], Math.ceil(200 * part)),
  ...spread(varied, Math.ceil(5 * part * varied.length)),
];

/** Returns the exit code and the verdict of each requirement. */
const verdictsOf = async (
  { dialects: names, ...server }: Server,
  seed: number,
): Promise<ReadonlyMap<string, string>> => {
  const { stop, ...target } = await startReferenceServer({ ...server, dialects: names });
  try {
    const { exitCode, report } = await run({ ...target, seed });
    const verdicts = report.requirements.map(({ id, verdict }) => [id, verdict] as const);
    return new Map([['exit code', String(exitCode)], ...verdicts]);
  } finally {
    await stop();
  }
};

const first = new Map<string, ReadonlyMap<string, string>>();
let differences = 0;

const load = new Worker('for (;;);', { eval: true });
for (const [index, server] of planned.entries()) {
  const verdicts = await verdictsOf(server, index + 1);
  const expected = first.get(server.name) ?? new Map([...verdicts, ['exit code', '0']]);
  first.set(server.name, expected);
  for (const [id, verdict] of verdicts) {
    if (verdict === expected.get(id)) continue;
    differences += 1;
    console.log(`${server.name}, seed ${index + 1}: ${id} is ${verdict}, expected ${expected.get(id)}`);
  }
  if ((index + 1) % 20 === 0) console.log(`${index + 1} of ${planned.length} runs`);
}
await load.terminate();
console.log(`${planned.length} runs, ${differences} differences`);
if (differences > 0) process.exitCode = 1;
