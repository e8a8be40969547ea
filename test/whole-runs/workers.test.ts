import { describe, expect, test } from 'vitest';
import { dialects } from '../../src/reference/dialects/index.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { hashOf } from '../../src/util/hash.ts';
import { at, key, run, serve, verdictsOf } from '../support/command.ts';

const secondKey = 'second-test-key-5Tq8nVc2Xj';

/** The first names by their hash: a choice that nobody made. With `VARIETY=4`, 20 faults and 12 dialects. */
const drawn = (all: readonly { readonly name: string }[], count: number): readonly string[] =>
  all
    .map(({ name }) => name)
    .toSorted((a, b) => hashOf(a) - hashOf(b))
    .slice(0, count * Number(process.env.VARIETY ?? '1'));

/** The lists of a worker show what another one created, and the server should have refused or kept as it was. */
const seenByOthers = ['category-through-a-double', 'stored-with-its-overflow'];

const verdictsWith = async (workers: number, patch: readonly string[]) => {
  const limits = [`${key}=1000/2`, `${secondKey}=20/3`].flatMap((limit) => ['--limit', limit]);
  const server = await serve('--key', `free=${secondKey}`, ...limits, ...patch);
  const ended = await run([
    ...at(server),
    // With fewer creations, a few more or less decide whether the store gets full.
    ...['--max-creates', '400'],
    ...['--rate-limit-key', secondKey, '--seed', '11', '--workers', String(workers)],
  ]);
  return { code: ended.code, err: ended.err, verdicts: verdictsOf(ended) };
};

describe.each([
  ['fault', [...drawn(faults, 5), ...seenByOthers]],
  ['dialect', drawn(dialects, 3)],
])('4 workers on a server with a %s', (kind, names) => {
  test.each(names)('%s -> the verdicts of one run', async (name) => {
    const patch = [`--${kind}`, name];
    const [one, four] = await Promise.all([verdictsWith(1, patch), verdictsWith(4, patch)]);
    expect(four).toEqual(one);
    expect(one.code).toBe(kind === 'fault' ? 1 : 0);
  });
});
