import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { configFileNames } from '../config/config-file.ts';
import { nameOf, settingList } from '../config/table.ts';
import { configHead, domainsTemplate, githubJob, gitlabJob, initLines } from '../report/text/init.ts';

/** A package manager, how a CI job uses it, and how the suite gets into the lockfile. */
interface PackageManager {
  readonly lockfile: string;
  readonly add: string;
  readonly install: string;
  readonly execute: string;
}

const npm: PackageManager = {
  lockfile: 'package-lock.json',
  add: 'npm install --save-dev',
  install: 'npm ci',
  execute: 'npx --no-install',
};

const packageManagers: readonly PackageManager[] = [
  npm,
  {
    lockfile: 'pnpm-lock.yaml',
    add: 'pnpm add --save-dev',
    install: 'pnpm install --frozen-lockfile',
    execute: 'pnpm exec',
  },
  { lockfile: 'yarn.lock', add: 'yarn add --dev', install: 'yarn install --immutable', execute: 'yarn' },
];

/** A file to write, and what its user does with it. */
interface NewFile {
  readonly path: string;
  readonly text: string;
  readonly next: string;
}

const command = 'animal-store-conformance';

/** Returns the path of the existing configuration file, or of the one to write. */
const configPathIn = (directory: string): string =>
  configFileNames.find((name) => existsSync(join(directory, name))) ?? 'conformance.config.yaml';

/** Returns an example value of a setting: its default, or a name for its value. */
const example = (fallback: unknown, argument: string, kind: string): string => {
  if (typeof fallback === 'number' || typeof fallback === 'string' || typeof fallback === 'boolean')
    return String(fallback);
  if (kind === 'list') return `[${argument}]`;
  return argument === '' ? 'true' : argument;
};

/** Returns a file with every setting that makes sense there, commented out, with its help. */
const configText = (baseUrl: string | null): string => {
  const onlyOnCommandLine: readonly string[] = ['reference', 'path', 'shard', 'baseUrl'];
  const blocks = settingList
    .filter(([name, { secret }]) => !secret && !onlyOnCommandLine.includes(name))
    .map(([, { flag, fallback, argument, kind, help }]) => {
      return `# ${help}.\n# ${nameOf(flag)}: ${example(fallback, argument, kind)}\n`;
    });
  return [configHead(baseUrl), ...blocks].join('\n');
};

const readIfPresent = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** Returns the folder with git's configuration and branches. A worktree has a file `.git`, which leads there. */
const gitFolderIn = async (directory: string): Promise<string> => {
  const usual = join(directory, '.git');
  const [, worktree] = /^gitdir: (.+)$/m.exec(await readIfPresent(usual)) ?? [];
  if (worktree === undefined) return usual;
  const folder = resolve(directory, worktree);
  return resolve(folder, (await readIfPresent(join(folder, 'commondir'))).trim());
};

const usesGitLab = async (directory: string): Promise<boolean> => {
  if (existsSync(join(directory, '.github'))) return false;
  if (existsSync(join(directory, '.gitlab-ci.yml'))) return true;
  return /url = .*gitlab/.test(await readIfPresent(join(await gitFolderIn(directory), 'config')));
};

/** Returns the default branch by the files of git: the branch of its origin, otherwise main or master, otherwise the current branch. */
const defaultBranchIn = async (directory: string): Promise<string> => {
  const folder = await gitFolderIn(directory);
  const read = (path: string): Promise<string> => readIfPresent(join(folder, path));
  const branchIn = async (path: string): Promise<string | undefined> =>
    /^ref: refs\/(?:heads|remotes\/origin)\/(\w[\w./-]*)$/m.exec(await read(path))?.[1];
  const packed = await read('packed-refs');
  const usual = ['main', 'master'].find(
    (name) => existsSync(join(folder, 'refs/heads', name)) || packed.includes(` refs/heads/${name}\n`),
  );
  return (await branchIn('refs/remotes/origin/HEAD')) ?? usual ?? (await branchIn('HEAD')) ?? 'main';
};

const managerOf = (directory: string): PackageManager =>
  packageManagers.find(({ lockfile }) => existsSync(join(directory, lockfile))) ?? npm;

/** The step that adds the suite to package.json, because a CI job installs nothing else; empty if it is there. */
const installSteps = async (directory: string): Promise<readonly string[]> => {
  const project = await readIfPresent(join(directory, 'package.json'));
  return project.includes(`"${command}"`) ? [] : [initLines.install(managerOf(directory).add)];
};

const filesFor = async (directory: string, baseUrl: string | null): Promise<readonly NewFile[]> => {
  const manager = managerOf(directory);
  const job = (await usesGitLab(directory))
    ? { path: '.gitlab/conformance.yml', text: gitlabJob(manager), next: initLines.gitlab }
    : {
        path: '.github/workflows/conformance.yml',
        text: githubJob(manager, await defaultBranchIn(directory)),
        next: initLines.github,
      };
  const path = configPathIn(directory);
  const next = initLines.start(`${manager.execute} ${command}`, baseUrl === null ? path : null);
  return [{ path, text: configText(baseUrl), next }, job];
};

/** Writes a new file. Returns false if the file exists. */
const writeNew = async (path: string, text: string): Promise<boolean> => {
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

/** Returns the address in the environment if `run` would accept it, otherwise null. */
const baseUrlIn = (address: string | undefined): string | null => {
  const setting = settingList.find(([name]) => name === 'baseUrl')?.[1];
  return address !== undefined && setting?.read(address).ok === true ? address : null;
};

const domainsFile = (directory: string): NewFile => {
  const path = 'domains.yaml';
  const start = `${managerOf(directory).execute} ${command} domains --config ${path}`;
  return { path, text: domainsTemplate, next: initLines.domains(path, start) };
};

const init = async (directory: string, domains: boolean, program: Command): Promise<void> => {
  const steps: string[] = [];
  const files = domains
    ? [domainsFile(directory)]
    : await filesFor(directory, baseUrlIn(process.env.ANIMAL_STORE_BASE_URL));
  for (const { path, text, next } of files) {
    const isNew = await writeNew(join(directory, path), text).catch((error: Error) =>
      program.error(initLines.unwritable(path, error.message), { exitCode: 2 }),
    );
    process.stdout.write(`${isNew ? initLines.wrote(path) : initLines.exists(path)}\n`);
    if (isNew) steps.push(next);
  }
  if (steps.length === 0) return;
  const all = [...(await installSteps(directory)), ...steps];
  process.stdout.write(`\n${initLines.next}\n${all.map((step) => `  ${step}\n`).join('')}`);
};

/** Adds the command that writes a commented configuration file and a CI job. It changes no file that exists. */
export const register = (command: Command): void => {
  command
    .option('--domains', 'Write a commented file for the command domains instead')
    .action(({ domains = false }: { readonly domains?: boolean }) => init(process.cwd(), domains, command));
};
