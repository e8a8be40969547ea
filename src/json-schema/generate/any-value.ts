import fc, { type Arbitrary } from 'fast-check';
import type { Json } from '../../json/json.ts';
import type { ValueSource } from './value-source.ts';

const scalar: Arbitrary<Json> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.bigInt({ min: -1000n, max: 1000n }),
  fc.string(),
  fc.constantFrom(0.5, -1.25),
);

/** Values of a schema that asks nothing: every type of JSON, small. */
export const anyValue: ValueSource = {
  arbitrary: fc.oneof(
    { withCrossShrink: true },
    { weight: 4, arbitrary: scalar },
    { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
    {
      weight: 1,
      arbitrary: fc.dictionary(fc.string({ minLength: 1 }), scalar, { maxKeys: 3, noNullPrototype: true }),
    },
  ),
  boundaries: () => ['a', null, true, 0n, 1n, 0.5, '', [], [0n], {}, { a: 0n }],
};
