import { vi } from 'vitest';

/** What this process writes from now on, until the mocks are restored. */
export const captureOutput = (): Record<'stdout' | 'stderr', string> => {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += String(text);
      return true;
    });
  return output;
};
