import type { RunSettings } from '../../src/config/settings.ts';
import type { Outcome } from '../../src/run/outcome.ts';
import type { RunEvent, Target } from '../../src/run/run-deps.ts';
import type { Clock } from '../../src/time/clock.ts';
import { type RunInWords, runInWords } from './run-in-words.ts';
import { noSettings } from './running.ts';

interface Told {
  readonly at: number;
  readonly event: RunEvent;
}

/** A run with a fixed seed, with all that it told and when. */
export const judge = async (
  target: Target,
  clock: Clock,
  settings: Partial<RunSettings> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<RunInWords & { readonly told: readonly Told[]; readonly tookMs: number }> => {
  const told: Told[] = [];
  const startedAt = clock.now();
  const result = await runInWords(
    { ...noSettings, seed: 5, ...settings },
    {
      clock,
      watch: (event) => told.push({ at: clock.now(), event }),
      signal,
      random: () => 0.5,
      target,
    },
  );
  return { ...result, told, tookMs: clock.now() - startedAt };
};

/** The result of a requirement. */
export const verdictOf = (outcome: Outcome, id: string) =>
  outcome.requirements.find((requirement) => requirement.id === id);

/** What failed, warned or broke, with why. */
export const alarms = (outcome: Outcome): readonly string[] =>
  outcome.requirements
    .filter(({ verdict }) => ['failed', 'warned', 'error'].includes(verdict))
    .map(({ id, failures, reason }) => `${id}: ${failures[0]?.message ?? reason}`);

/** How many were served in each whole window, the first and the last left out: they may be partly over, or not needed whole. */
export const fillings = (served: readonly number[], windowMs: number, from: number): readonly number[] => {
  const counts = new Map<number, number>();
  for (const at of served) {
    const index = Math.floor((at - from) / windowMs);
    counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  return [...counts.values()].slice(1, -1);
};
