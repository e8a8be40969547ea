import { expect, test } from 'vitest';
import { suite } from '../../suites/index.ts';
import { noSettings, nowhere } from '../../test/support/build.ts';
import { countingServer } from '../../test/support/counting-server.ts';
import { createInProcessTransport } from '../http/in-process.ts';
import { createVirtualClock } from '../time/virtual-clock.ts';
import { runConformance } from './run.ts';
import { ReplayPathNotFound } from './run-deps.ts';

test('the base URL seems wrong -> a note before the plan', async () => {
  const clock = createVirtualClock(0);
  const transport = createInProcessTransport(
    async () => ({ status: 404, headers: [], body: new Uint8Array() }),
    clock,
  );
  const events: string[] = [];
  await runConformance(
    { ...noSettings, budget: 10 },
    {
      clock,
      suite,
      target: nowhere({ transport }),
      watch: (event) => events.push(event.kind === 'note' ? event.note.kind : event.kind),
      signal: new AbortController().signal,
      random: () => 0.5,
    },
  );
  expect(events.slice(0, 2)).toEqual(['not-found', 'planned']);
});

test('replay of one case -> only that case gives evidence', async () => {
  const repeat = (only: string, path: string) => {
    const clock = createVirtualClock(Date.parse('2026-06-01T12:00:00Z'));
    const { target } = countingServer({ keys: ['free'] }, clock);
    return runConformance(
      { ...noSettings, seed: 1, only: [only], path },
      { clock, suite, target, watch: () => {}, signal: new AbortController().signal, random: () => 0.5 },
    );
  };
  const { outcome, exit } = await repeat('LIST-4', '0');
  expect([outcome.verdict, exit]).toEqual(['conformant', 0]);
  // The preflight lists animals, which LIST-4 is judged by.
  await expect(repeat('LIST-4', '9999')).rejects.toThrow(ReplayPathNotFound);
  await expect(repeat('CREATE-1', '7:7:7')).rejects.toThrow(ReplayPathNotFound);
});
