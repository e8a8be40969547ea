import { expect, test } from 'vitest';
import { digestNames, readGolden, runGolden, servers } from './golden.ts';

const golden = readGolden();
const howToRecord =
  'If that is intended, run `npm run golden`, and explain the difference in the commit message.';

test('recorded servers: exactly the sample', () => {
  expect(Object.keys(golden).toSorted(), howToRecord).toEqual([...servers.keys()].toSorted());
});

test.each([...servers].filter(([name]) => name in golden))(
  '%s -> the recorded digests',
  async (name, recipe) => {
    const digests = await runGolden(recipe);
    const changed = digestNames.filter((digest) => digests[digest] !== golden[name]?.[digest]);
    expect(changed, `The run against "${name}" changed in: ${changed.join(', ')}. ${howToRecord}`).toEqual(
      [],
    );
  },
);
