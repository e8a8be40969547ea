import type { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { main } from './main.ts';

const complaint = vi.hoisted(() => ({ of: (_command: Command): void => {} }));
vi.mock('./requirements.ts', () => ({
  register: (command: Command) => void command.action(() => complaint.of(command)),
}));

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
});

/** What the command's action ends with: exit code and standard error. */
const ending = async (of: (command: Command) => void) => {
  let stderr = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
  complaint.of = of;
  await main(['requirements']);
  return { code: process.exitCode, stderr };
};
const broken = () => {
  throw new TypeError('cannot read\nproperties of undefined');
};

describe('a fault of ours', () => {
  it('is exit code 4 and one line, without a stack', async () => {
    vi.stubEnv('ANIMAL_STORE_DEBUG', '');
    expect(await ending(broken)).toEqual({
      code: 4,
      stderr:
        'error: the suite itself failed: TypeError: cannot read properties of undefined (ANIMAL_STORE_DEBUG=1 shows where)\n',
    });
  });
  it('shows its stack on demand', async () => {
    vi.stubEnv('ANIMAL_STORE_DEBUG', '1');
    expect((await ending(broken)).stderr).toMatch(/\n\s+at /);
  });
});

describe('a complaint of a command', () => {
  it('is a usage error', async () => {
    expect(await ending((command) => command.error('error: no such report'))).toEqual({
      code: 2,
      stderr: 'error: no such report\n',
    });
  });
  it('keeps the exit code that it names', async () => {
    expect((await ending((command) => command.error('error: failed', { exitCode: 4 }))).code).toBe(4);
  });
});
