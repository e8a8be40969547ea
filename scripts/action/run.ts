import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Setting } from '../../src/config/setting.ts';
import type { Outcome } from '../../src/run/outcome.ts';
import { actionInputs } from './action-file.ts';
import { keepComment } from './comment.ts';

// The steps of the action: runs the suite with the inputs as flags, sets the outputs, and keeps one comment on the pull request.

type Env = Readonly<Record<string, string | undefined>>;

/** A secret is handed over in the environment, where no list of processes shows it. */
const flagsOf = (
  [name, { kind, secret, environment, flag }]: readonly [string, Setting<unknown>],
  given: string,
) => {
  if (given === '' || (secret && environment !== null)) return [];
  if (kind === 'list')
    return given
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .flatMap((line) => [flag, line]);
  if (kind === 'value') return [flag, given];
  if (given !== 'true' && given !== 'false') throw new Error(`${name}: "${given}" is neither true nor false`);
  if (given === 'true') return [flag];
  return kind === 'choice' ? [flag.replace('--', '--no-')] : [];
};

/** The words of the run, and its variables. Throws an error of one line. */
const commandFor = (inputs: Env, env: Env) => ({
  words: actionInputs.flatMap((input) => flagsOf(input, inputs[input[0]] ?? '')),
  env: {
    ...env,
    ...Object.fromEntries(
      actionInputs.flatMap(([name, { secret, environment }]) =>
        secret && environment !== null && inputs[name] ? [[environment, inputs[name]]] : [],
      ),
    ),
  },
});

const read = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);

const failedIn = ({ requirements }: Pick<Outcome, 'requirements'>): readonly string[] =>
  requirements.filter(({ verdict, known }) => verdict === 'failed' && known === null).map(({ id }) => id);

const setOutputs = async (folder: string, file: string | undefined): Promise<void> => {
  const text = await read(join(folder, 'conformance.json'));
  if (file === undefined || text === null) return;
  const outcome: Pick<Outcome, 'verdict' | 'requirements'> = JSON.parse(text);
  const outputs = { verdict: outcome.verdict, failed: failedIn(outcome).join(','), report: folder };
  await appendFile(
    file,
    Object.entries(outputs)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
};

/** Runs the action. Returns the exit code of the run. */
const main = async (env: Env): Promise<number> => {
  const inputs: Env = JSON.parse(env.INPUTS ?? '{}');
  const { words, env: variables } = commandFor(inputs, env);
  const bin = join(import.meta.dirname, '../../bin/animal-store-conformance.js');
  const child = spawn(process.execPath, [bin, 'run', ...words], { stdio: 'inherit', env: variables });
  const [code] = await once(child, 'exit');
  const folder = resolve(inputs['report-dir'] || 'reports');
  await setOutputs(folder, env.GITHUB_OUTPUT);
  const summary = await read(join(folder, 'summary.md'));
  const problem =
    inputs.comment === 'false' || summary === null
      ? null
      : await keepComment(summary, inputs['github-token'], env);
  if (problem !== null) console.log(`::notice::${problem}`);
  return code ?? 1;
};

try {
  process.exitCode = await main(process.env);
} catch (error) {
  console.log(`::error::${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
}
