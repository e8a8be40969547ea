import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Outcome } from '../src/run/outcome.ts';
import { hashOf } from '../src/util/hash.ts';
import { contacts } from './apis/contacts.ts';
import { type BenchApi, callerOf, type FaultClass } from './apis/fault.ts';
import { helpdesk } from './apis/helpdesk.ts';
import { library } from './apis/library.ts';
import { parts } from './apis/parts.ts';
import { rooms } from './apis/rooms.ts';

/** npm run anyapi: tests every server of `apis/`, clean and with each fault, by the real command. */
const apis: readonly BenchApi[] = [library, helpdesk, rooms, contacts, parts];
const command = new URL('../bin/animal-store-conformance.js', import.meta.url).pathname;

/** Half of the faults, by name. Nobody looks at the ones that survive while writing checks. */
const isHeldOut = (fault: string): boolean => hashOf(fault) % 2 === 0;

interface Task {
  readonly api: BenchApi;
  /** Null: the clean server. */
  readonly fault: string | null;
}

interface Result extends Task {
  /** The direct requests show the fault. */
  readonly proven: boolean;
  readonly exit: number;
  readonly found: readonly string[];
  readonly requests: number;
  readonly seconds: number;
}

const execute = (words: readonly string[]): Promise<number> =>
  new Promise((resolve) => {
    execFile(process.execPath, [command, ...words], { maxBuffer: 2 ** 26 }, (error) =>
      resolve(error === null ? 0 : typeof error.code === 'number' ? error.code : -1),
    );
  });

const alarmsOf = ({ requirements }: Outcome): readonly string[] =>
  requirements
    .filter(({ verdict }) => verdict === 'failed' || verdict === 'warned' || verdict === 'error')
    .flatMap(({ id, verdict, failures }) =>
      failures.length === 0
        ? [`${id} ${verdict}`]
        : failures.map(({ message }) => `${id} ${verdict} ${message}`),
    );

const prove = async ({ api, fault }: Task): Promise<boolean> => {
  const proof = fault === null ? undefined : api.faults[fault]?.[2];
  if (fault === null || proof === undefined) return true;
  const shows = async (faults: readonly string[]) => {
    const server = await api.serve(new Set(faults));
    try {
      return await proof(callerOf(api, server.baseUrl));
    } finally {
      await server.close();
    }
  };
  return (await shows([fault])) && !(await shows([]));
};

const testServer = async (task: Task, folder: string, seed: string): Promise<Result> => {
  const { api, fault } = task;
  const proven = await prove(task);
  const server = await api.serve(new Set(fault === null ? [] : [fault]));
  const spec = join(folder, `${api.name}.json`);
  const reportDir = join(folder, `${api.name}-${fault ?? 'clean'}`);
  const startedAt = performance.now();
  const exit = await execute([
    'run',
    ...['--base-url', server.baseUrl, '--spec', spec, '--report-dir', reportDir, '--seed', seed],
    ...(api.authenticate === null ? [] : ['--api-key', api.key]),
  ]);
  const seconds = (performance.now() - startedAt) / 1000;
  await server.close();
  const report: Outcome = JSON.parse(await readFile(join(reportDir, 'conformance.json'), 'utf8'));
  return { ...task, proven, exit, found: alarmsOf(report), requests: report.traffic.requests, seconds };
};

const isFound = ({ exit }: Result): boolean => exit === 1;

const share = (results: readonly Result[]): string =>
  `${results.filter(isFound).length} of ${results.length}`;

const report = (results: readonly Result[], shown: (fault: string) => boolean): void => {
  const clean = results.filter(({ fault }) => fault === null);
  const faulty = results.filter(({ fault }) => fault !== null);
  for (const { api, found, requests, seconds } of clean) {
    console.log(
      `${api.name} (${api.framework}), clean: ${found.length} reports, ${requests} requests, ${seconds.toFixed(1)} s`,
    );
    for (const alarm of found) console.log(`  false: ${alarm}`);
  }
  for (const { api, fault, found, proven } of faulty) {
    if (!proven) console.log(`NOT PROVEN: ${api.name} ${fault}`);
    if (fault !== null && shown(fault) && found.length === 0) console.log(`survives: ${api.name} ${fault}`);
  }
  const classOf = ({ api, fault }: Result) => api.faults[fault ?? '']?.[0];
  const part = (of: FaultClass) => share(faulty.filter((each) => classOf(each) === of));
  const held = faulty.filter(({ fault }) => isHeldOut(fault ?? ''));
  console.log(
    `found ${share(faulty)}: stated by the document ${part('document')}, rules on requests ${part('rule')}, what a resource means ${part('meaning')}`,
  );
  console.log(
    `held out by name: ${share(held)}; others: ${share(faulty.filter((each) => !held.includes(each)))}`,
  );
  console.log(`false reports on clean servers: ${clean.reduce((sum, { found }) => sum + found.length, 0)}`);
  const requests = results.map((each) => each.requests).toSorted((a, b) => a - b);
  const seconds = results.map((each) => each.seconds).toSorted((a, b) => a - b);
  console.log(
    `requests a run: ${requests[0]} to ${requests.at(-1)}; seconds: ${seconds[0]?.toFixed(1)} to ${seconds.at(-1)?.toFixed(1)}`,
  );
};

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      api: { type: 'string' },
      fault: { type: 'string' },
      clean: { type: 'boolean', default: false },
      seed: { type: 'string', default: '7' },
      // Shows the held-out faults that survive, too.
      all: { type: 'boolean', default: false },
      // Every Nth fault.
      every: { type: 'string', default: '1' },
    },
  });
  const { api: name, fault: only, clean, seed, all } = values;
  const tasks = apis
    .filter((api) => name === undefined || api.name === name)
    .flatMap((api): readonly Task[] => [
      ...(only === undefined ? [{ api, fault: null }] : []),
      ...Object.keys(api.faults)
        .filter((fault, index) =>
          only === undefined ? !clean && index % Number(values.every) === 0 : fault === only,
        )
        .map((fault) => ({ api, fault })),
    ]);
  const folder = await mkdtemp(join(tmpdir(), 'any-api-'));
  for (const api of apis)
    await writeFile(join(folder, `${api.name}.json`), JSON.stringify(await api.document(), null, 2));
  const results: Result[] = [];
  const waiting = [...tasks];
  const work = async (): Promise<void> => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      const result = await testServer(task, folder, seed);
      results.push(result);
      if (only !== undefined) for (const alarm of result.found) console.log(alarm);
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
  report(results, (fault) => all || !isHeldOut(fault));
  if (!all) await rm(folder, { recursive: true });
  else console.log(`reports: ${folder}`);
  if (results.some(({ proven, fault, found }) => !proven || (fault === null && found.length > 0)))
    process.exitCode = 1;
};

await main();
