import { describe, expect, test } from 'vitest';
import { degenerates } from '../../src/reference/degenerate/index.ts';
import { dialects } from '../../src/reference/dialects/index.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { setupFor } from '../../src/selftest/server.ts';
import type { Task } from '../../src/selftest/tasks.ts';
import { testServer } from '../../src/selftest/test-server.ts';
import { type Clock, systemClock } from '../../src/time/clock.ts';
import { randomFrom } from '../../src/util/random.ts';
import { alarming, runInWords } from '../support/run-in-words.ts';
import { serveOnSocket, testReference } from '../support/servers.ts';

const seed = 11;
const apiKey = 'a-key-of-these-tests';
const plan = 'business';

/** In real time, it depends on overlapping requests which other requirements fail. */
const race = 'invalid-key-served-beside-a-valid-one';

/** Faults that need neither a rate limit key nor another base URL. */
const anyRunShows = faults.filter(
  ({ name, needs, requirement }) => name !== race && needs === undefined && requirement !== 'VER-1',
);
const groups = [...Map.groupBy(anyRunShows, ({ requirement }) => requirement.split('-')[0]).values()];

const every = (items: readonly { readonly name: string }[], step: number): readonly string[] =>
  items.filter((_, index) => index % step === 0).map(({ name }) => name);

const sample: readonly (readonly [Task['kind'], string])[] = [
  ...groups.flatMap((group) => every(group, group.length)).map((name) => ['fault', name] as const),
  ...every(dialects, 80).map((name) => ['dialect', name] as const),
  ...every(degenerates, 12).map((name) => ['degenerate', name] as const),
];

/** The system clock, shifted to another time. */
const startingAt = (now: number): Clock => {
  const ahead = now - systemClock.now();
  return { ...systemClock, now: () => systemClock.now() + ahead };
};

/** The verdicts of a run over sockets and in real time. */
const judgedOverSockets = async (task: Task) => {
  const { patches, seedPets, startsAt } = setupFor(task);
  const reference = testReference({
    clock: startingAt(startsAt),
    random: randomFrom(seed),
    keys: [{ key: apiKey, plan }],
    patches,
    seedPets,
  });
  const { baseUrl } = await serveOnSocket(reference);
  const settings = { baseUrl, apiKey, plan, runs: 10, seed: task.seed } as const;
  const { exit, outcome } = await runInWords(settings, { clock: systemClock });
  return { exit, alarms: alarmsOf(outcome.requirements) };
};

const judgedInProcess = async (task: Task) => {
  const { exit, findings } = await testServer(task);
  return { exit, alarms: alarmsOf(findings) };
};

const alarmsOf = (results: readonly { readonly id: string; readonly verdict: string }[]) =>
  alarming(results).map(({ id, verdict }) => `${id} ${verdict}`);

describe.concurrent('a run over sockets -> the verdicts of the self-test in process', () => {
  test.each(sample)('%s %s', async (kind, name) => {
    const task: Task = { kind, names: [name], seed, only: [], budget: null, thorough: true };
    expect(await judgedOverSockets(task)).toEqual(await judgedInProcess(task));
  });
});
