import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { packInto } from '../support/pack.ts';
import { start } from '../support/processes.ts';

const folder = temporaryFolder();
const tools = join(folder, 'tools');
let archive = '';

/** What the registry has, at versions that were tried. */
const managers = ['pnpm@11', '@yarnpkg/cli-dist@4', 'bun@1'];

beforeAll(async () => {
  ({ archive } = await packInto(folder));
  mkdirSync(tools);
  writeFileSync(join(tools, 'package.json'), '{}');
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...managers], {
    cwd: tools,
  });
});

/** Makes a folder read-only, and leaves no network but the loopback interface. */
const isolate =
  'mount --bind . . && mount -o remount,ro,bind . && ip link set lo up && cd "$PWD" && exec "$@"';
const isolated = ['unshare', '--mount', '--net', '--map-root-user', 'sh', '-c', isolate, 'sh'] as const;

/** Whether a file cannot be made there. Systems without such namespaces run the same commands as they are. */
const [unshare, ...flags] = isolated;
const canIsolate = spawnSync(unshare, [...flags, 'sh', '-c', '! touch file'], { cwd: folder }).status === 0;

/** The certificates that npm trusts besides its own: the others must trust the same registry. */
const cafile = spawnSync('npm', ['config', 'get', 'cafile'], { encoding: 'utf8' }).stdout.trim();

const settings = {
  ...{ YARN_ENABLE_GLOBAL_CACHE: 'false', YARN_ENABLE_TELEMETRY: '0' },
  ...(cafile === '' || cafile === 'null' ? {} : { NODE_EXTRA_CA_CERTS: cafile }),
};

const output = async (cwd: string, [file = '', ...args]: readonly string[]): Promise<string> => {
  const { code, out, err } = await start(file, args, settings, cwd).ended;
  expect(code, `${file} ${args.join(' ')}: ${out}${err}`).toBe(0);
  return out;
};

const pnpm = [process.execPath, join(tools, 'node_modules/pnpm/bin/pnpm.cjs')];
/** The package `bun` has a script that links this file; scripts are not run here. */
const bunIn = (): readonly string[] => {
  const [folder = ''] = readdirSync(join(tools, 'node_modules/@oven')).filter(
    (name) => !/musl|baseline/.test(name),
  );
  return [join(tools, 'node_modules/@oven', folder, 'bin/bun')];
};
const yarn = [process.execPath, join(tools, 'node_modules/@yarnpkg/cli-dist/bin/yarn.js')];

interface Manager {
  readonly name: string;
  readonly install: () => readonly string[];
  /** Starts a program of the project's packages. */
  readonly exec: readonly string[];
}

test.each<Manager>([
  {
    name: 'pnpm',
    install: () => [...pnpm, 'add', archive, '--store-dir', join(folder, 'store')],
    exec: ['sh', '-c', 'PATH="$PWD/node_modules/.bin:$PATH"; exec "$@"', 'sh'],
  },
  {
    name: 'Bun',
    install: () => [...bunIn(), 'add', archive, '--cache-dir', join(folder, 'bun-cache')],
    exec: ['sh', '-c', 'PATH="$PWD/node_modules/.bin:$PATH"; exec "$@"', 'sh'],
  },
  {
    name: 'Yarn with Plug’n’Play',
    install: () => [...yarn, 'add', `animal-store-conformance@file:${archive}`],
    exec: [...yarn, 'exec'],
  },
])(
  'installed by $name, then without network on a read-only file system -> works',
  async ({ name, install, exec }) => {
    const project = join(folder, name);
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "name": "user", "private": true }');
    // Yarn takes the folder above for the project otherwise.
    writeFileSync(join(project, 'yarn.lock'), '');
    await output(project, install());
    const run = (...words: readonly string[]) =>
      output(project, [...(canIsolate ? isolated : []), ...exec, ...words]);
    const reports = join(folder, `reports of ${name}`);
    const few = ['--reference', '--only', 'VER-1', '--only', 'GET-2', '--seed', '1'];
    expect(await run('animal-store-conformance', 'run', ...few, '--report-dir', reports)).toContain(
      'No failures',
    );
    expect(readdirSync(reports)).toContain('conformance.json');
    const exported = `import { run } from 'animal-store-conformance'; console.log(typeof run)`;
    expect(await run('node', '--input-type=module', '--eval', exported)).toContain('function');
  },
);
