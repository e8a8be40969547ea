import fc, { type Arbitrary } from 'fast-check';
import type { Json } from '../../json/json.ts';
import type { FlatSchema } from '../flatten.ts';
import { type Kind, kindOf, typeNames } from '../types.ts';

/** What each type of JSON is called, and what stands for it where it is out of place. */
const otherTypes: Readonly<
  Record<
    Kind,
    { readonly label: string; readonly values: readonly Json[]; readonly arbitrary: Arbitrary<Json> }
  >
> = {
  null: { label: 'null', values: [null], arbitrary: fc.constant(null) },
  boolean: { label: 'a boolean', values: [true, false], arbitrary: fc.boolean() },
  integer: {
    label: 'an integer',
    values: [0n, 1n, -1n, 2n ** 53n + 1n],
    arbitrary: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  },
  fraction: {
    label: 'a fraction',
    values: [0.5, -12_345.5, 1.5, 1e-7],
    arbitrary: fc.integer({ min: -10_000, max: 10_000 }).map((count) => count + 0.5),
  },
  string: {
    label: 'a string',
    values: ['a', '', '1', '1.5', 'true', 'null', '[]', '{}'],
    arbitrary: fc.oneof(fc.string(), fc.integer().map(String)),
  },
  array: {
    label: 'an array',
    values: [[], [null], [[]], [0n], ['a'], [{}]],
    arbitrary: fc.array(fc.oneof(fc.integer().map(BigInt), fc.string()), { maxLength: 3 }),
  },
  object: {
    label: 'an object',
    values: [{}, { value: 0n }, { value: 'a' }],
    arbitrary: fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { maxKeys: 3, noNullPrototype: true }),
  },
};

/** An object whose only member bears the name of a listed value: so some libraries write a case of a type, and read it back. */
const listedAsMember = ({ values }: FlatSchema): readonly Json[] => {
  const listed = values?.find((value) => typeof value === 'string');
  return listed === undefined ? [] : [{ [listed]: null }];
};

/** A library that has no number for it may hand it over as text. */
const beyondAnyInteger = 10n ** 20n - 1n;

/** What tells more than further values do. Where something is listed, a small integer may be taken for its place in the list. */
const tellingOf = (kind: Kind, flat: FlatSchema): readonly Json[] => {
  if (kind === 'object') return listedAsMember(flat);
  return kind === 'integer' && flat.values === null ? [beyondAnyInteger] : [];
};

/** Values of a type that a place does not allow, and what to call that. */
export function ofOtherType(kind: Kind, flat: FlatSchema) {
  const allowed = flat.kinds.has('fraction')
    ? [...flat.kinds, 'number'].filter((name) => name !== 'integer' && name !== 'fraction')
    : [...flat.kinds];
  const { label, values, arbitrary } = otherTypes[kind];
  const [plainest, ...further] = values;
  const telling = tellingOf(kind, flat);
  return {
    kind: 'values' as const,
    label: `${label} instead of ${allowed.map((name) => typeNames[name] ?? name).join(' or ')}`,
    values: plainest === undefined ? telling : [plainest, ...telling, ...further],
    arbitrary,
  };
}

/** What a careless comparison takes for a listed value, and other values of the types that a place allows. */
export function nearMisses(listed: readonly Json[], flat: FlatSchema): readonly Json[] {
  const like = listed.flatMap((value): readonly Json[] => {
    if (typeof value === 'string') return likeText(value);
    return typeof value === 'bigint' ? [value + 1n, value - 1n, -value] : [];
  });
  const others: readonly Json[] = ['', 'unknown', 'null', 0n, 0.5, true, false, null, [], {}];
  const listedKinds = new Set(listed.map(kindOf));
  const allowed = [...like, ...others].filter((value) => flat.kinds.has(kindOf(value)));
  return [...new Set([...allowed.filter((value) => listedKinds.has(kindOf(value))), ...allowed])];
}

const likeText = (text: string): readonly string[] => [
  text.toUpperCase(),
  text.charAt(0).toUpperCase() + text.slice(1),
  ` ${text}`,
  `${text} `,
  text.charAt(0) + text.slice(1).toUpperCase(),
  text.slice(0, -1),
  `${text}s`,
  `"${text}"`,
];
