import type { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { captureOutput } from '../../test/support/output.ts';
import { main } from './main.ts';

const action = vi.hoisted(() => ({ run: (_command: Command): void => {} }));
vi.mock('./requirements.ts', () => ({
  register: (command: Command) => void command.action(() => action.run(command)),
}));

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
});

/** The exit code and the standard error of a command with this action. */
const resultOf = async (run: (command: Command) => void) => {
  const output = captureOutput();
  action.run = run;
  await main(['requirements']);
  return { code: process.exitCode, stderr: output.stderr };
};
const broken = () => {
  throw new TypeError('cannot read\nproperties of undefined');
};

describe('main: an error of the suite', () => {
  it('without ANIMAL_STORE_DEBUG -> exit code 4 and one line, no stack', async () => {
    vi.stubEnv('ANIMAL_STORE_DEBUG', '');
    expect(await resultOf(broken)).toEqual({
      code: 4,
      stderr:
        'error: the suite itself failed: TypeError: cannot read properties of undefined (ANIMAL_STORE_DEBUG=1 shows where)\n',
    });
  });
  it('with ANIMAL_STORE_DEBUG=1 -> its stack', async () => {
    vi.stubEnv('ANIMAL_STORE_DEBUG', '1');
    expect((await resultOf(broken)).stderr).toMatch(/\n\s+at /);
  });
});

describe('main: an error of a command', () => {
  it('without an exit code -> a usage error', async () => {
    expect(await resultOf((command) => command.error('error: no such report'))).toEqual({
      code: 2,
      stderr: 'error: no such report\n',
    });
  });
  it('with an exit code -> that exit code', async () => {
    expect((await resultOf((command) => command.error('error: failed', { exitCode: 4 }))).code).toBe(4);
  });
});
