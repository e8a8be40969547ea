import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { startReferenceServer } from '../../src/api/index.ts';
import { packageRoot } from '../../src/openapi/package-root.ts';
import { packInto } from '../support/pack.ts';
import { start } from '../support/processes.ts';
import { createProject, withStatus } from '../support/vitest.ts';

const execute = promisify(execFile);
const project = createProject();
const modules = join(project.folder, 'node_modules');
const installed = join(modules, 'animal-store-conformance');
const bin = join(installed, 'bin/animal-store-conformance.js');
const guide = readFileSync(join(packageRoot(), 'docs/how-to.md'), 'utf8');
let files: readonly string[] = [];

/** A block of code of the guide, by the comment in its first line. */
const exampleOf = (name: string): string => {
  const found = [...guide.matchAll(/```ts\n(\/\/ (\S+)\n[\s\S]*?)```/g)].find(([, , file]) => file === name);
  if (found?.[1] === undefined) throw new Error(`docs/how-to.md has no example ${name}`);
  return found[1];
};

/** Packs and unpacks the package next to its dependencies, without a registry. */
beforeAll(async () => {
  const packed = await packInto(project.folder);
  files = packed.files;
  mkdirSync(installed, { recursive: true });
  await execute('tar', ['-xzf', packed.archive, '-C', installed, '--strip-components=1']);
  const ours = join(packageRoot(), 'node_modules');
  for (const name of readdirSync(ours))
    if (!name.startsWith('.')) symlinkSync(join(ours, name), join(modules, name));
});

const node = async (args: readonly string[]) => {
  const { code, out, err } = await start(process.execPath, args, {}, project.folder).ended;
  return { code, text: `${out}${err}` };
};

test('the package -> what runs, its types, and no tests', () => {
  const allowed =
    /^(bin\/|dist\/(src|suites|spec)\/|docs\/|spec\/|package\.json$|(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md$|LICENSE$)/;
  expect(files.filter((file) => !allowed.test(file) || /(\.test|testing)\./.test(file))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['dist/src/api/index.d.ts', 'dist/src/vitest/index.d.ts']));
});

test('the links of README -> lead to files of the package', () => {
  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target]) => target);
  expect(links.filter((link) => !files.includes(link ?? ''))).toEqual([]);
});

test('the declarations of the facade -> at most 250 lines', () => {
  const text = readFileSync(join(installed, 'dist/src/check/index.d.ts'), 'utf8');
  expect(text.split('\n').length).toBeLessThanOrEqual(250);
});

describe('the examples of the guide', () => {
  const start = `import { startReferenceServer } from 'animal-store-conformance';
export const startMyServer = async (options = JSON.parse(process.env.SERVER ?? '{}')) => {
  const server = await startReferenceServer(options);
  return { url: server.baseUrl.replace(/\\/v1$/, ''), apiKey: server.apiKey, close: () => server.stop() };
};
`;
  beforeAll(() => {
    project.write('my-server.ts', start);
    for (const name of ['store.test.ts', 'store.node-test.ts', 'my-checks.ts'])
      project.write(name, exampleOf(name));
  });

  test('store.test.ts -> green on a conforming server, red on a faulty one', async () => {
    const good = await project.run(['store.test.ts']);
    expect([good.code, withStatus(good, 'failed')]).toEqual([0, []]);
    const bad = await project.run(['store.test.ts'], {
      SERVER: JSON.stringify({ faults: ['default-limit-one-too-many'] }),
    });
    expect(bad.code).toBe(1);
    expect(withStatus(bad, 'failed').map(({ conformance }) => conformance?.id)).toEqual(['LIST-2']);
  });

  test('the project in examples/vitest -> green, with its own requirement', async () => {
    const folder = join(packageRoot(), 'examples/vitest');
    for (const name of readdirSync(folder))
      if (name.endsWith('.ts')) project.write(`consumer/${name}`, readFileSync(join(folder, name), 'utf8'));
    const ended = await project.run(['consumer/store.test.ts']);
    expect([ended.code, withStatus(ended, 'failed')], ended.text).toEqual([0, []]);
    const own = withStatus(ended, 'passed').filter(({ conformance }) => conformance?.id === 'SHOP-1');
    expect(own).toHaveLength(1);
  });

  test('the block of README.md -> green on a conforming server', async () => {
    const [, block = ''] =
      /((?: {4}.*conformance.*\n){2})/.exec(readFileSync(join(packageRoot(), 'README.md'), 'utf8')) ?? [];
    const server = `import { startReferenceServer } from 'animal-store-conformance';
const { baseUrl, apiKey, stop } = await startReferenceServer();
`;
    project.write('readme.test.ts', `${server}${block.replace("'pro'", "'business'")}`);
    const ended = await project.run(['readme.test.ts', '-t', 'LIST-1 ']);
    expect([ended.code, withStatus(ended, 'passed').length], ended.text).toEqual([0, 1]);
  });

  test('store.node-test.ts -> passes in node:test', async () => {
    const ended = await node(['--test', 'store.node-test.ts']);
    expect(ended.code, ended.text).toBe(0);
  });

  test('my-checks.ts -> --checks runs them: passed if the list is sorted, else failed', async () => {
    const words = 'run --checks my-checks.ts --only ACME --seed 1 --report-dir reports'.split(' ');
    const sorted = await node([bin, ...words, '--reference']);
    const server = await startReferenceServer({ dialects: ['oldest-first'] });
    const other = await node([bin, ...words, '--base-url', server.baseUrl, '--api-key', server.apiKey]);
    await server.stop();
    expect([sorted.code, other.code], `${sorted.text}${other.text}`).toEqual([0, 1]);
    expect(other.text).toMatch(/with limit=2: expected newest first.*replay .*--checks my-checks\.ts/s);
  });

  test('a module with a mistake -> exit 2, and a line that names it', async () => {
    writeFileSync(join(project.folder, 'wrong.ts'), exampleOf('my-checks.ts').replaceAll('ACME-1', 'LIST-1'));
    const ended = await node([bin, 'run', '--checks', 'wrong.ts']);
    expect(ended).toMatchObject({
      code: 2,
      text: expect.stringContaining('LIST-1: the prefix LIST is taken'),
    });
  });
});
