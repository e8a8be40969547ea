import { expect, test, vi } from 'vitest';
import { noSettings } from '../../test/support/build.ts';
import { createVirtualClock } from '../time/virtual-clock.ts';
import { runSuite } from './run-suite.ts';

const opened = vi.hoisted((): string[] => []);
vi.mock('../reference/listen.ts', async (original) => {
  const { listen } = await original<typeof import('../reference/listen.ts')>();
  return {
    listen: async (...args: Parameters<typeof listen>) => {
      const listening = await listen(...args);
      opened.push(listening.baseUrl);
      return listening;
    },
  };
});

test('a run that cannot begin -> the reference server is stopped', async () => {
  const run = runSuite(
    { ...noSettings, spec: 'no-such-document.yaml' },
    { clock: createVirtualClock(0), signal: new AbortController().signal },
  );
  await expect(run).rejects.toThrow('no-such-document.yaml');
  expect(opened).toHaveLength(1);
  await expect(fetch(`${opened[0]}/pets`)).rejects.toThrow();
});
