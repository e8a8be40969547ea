import { expect, test, vi } from 'vitest';
import { noSettings } from '../../test/support/running.ts';
import { runConformance } from './run.ts';
import { createVirtualClock } from './virtual-clock.ts';

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

test('a run that cannot begin leaves no reference server behind', async () => {
  const began = runConformance(
    { ...noSettings, spec: 'no-such-document.yaml' },
    {
      clock: createVirtualClock(0),
      watch: () => {},
      signal: new AbortController().signal,
      random: () => 0.5,
    },
  );
  await expect(began).rejects.toThrow('no-such-document.yaml');
  expect(opened).toHaveLength(1);
  await expect(fetch(`${opened[0]}/pets`)).rejects.toThrow();
});
