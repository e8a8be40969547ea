import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCounter } from './counter.ts';

test('marks that begin and end in any order -> the count of open ones by mark', () => {
  const marks = fc.array(fc.record({ mark: fc.nat({ max: 3 }), ends: fc.boolean() }));
  fc.assert(
    fc.property(marks, (begun) => {
      const counter = createCounter<number>();
      const ends = begun.map(({ mark }) => counter.begin(mark));
      for (const [index, end] of ends.entries()) if (begun[index]?.ends) end();
      for (const mark of [0, 1, 2, 3])
        expect(counter.of(mark)).toBe(begun.filter((each) => each.mark === mark && !each.ends).length);
    }),
  );
});
