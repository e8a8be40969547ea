import { bodyOf, created, describeFaults, type Showing, statusFor } from './create-testing.ts';
import { createValueFaults } from './create-values.ts';

/** The source text of an invalid value, and what comes back for it. */
const name = (sent: string, back: unknown): Showing => ({
  find: created('name', bodyOf({ name: sent })),
  faulty: back,
  conforming: undefined,
});
const category = (sent: string, back: unknown): Showing => ({
  find: created('categoryId', bodyOf({ categoryId: sent })),
  faulty: back,
  conforming: undefined,
});
const refused = (status: number, fields: Readonly<Record<string, string>>): Showing => ({
  find: statusFor(bodyOf(fields)),
  faulty: status,
  conforming: 400,
});

/** What comes back for an invalid value without a status, and beside one. */
const inBoth =
  (field: string, sent: string): Showing['find'] =>
  async (server) => [
    await created(field, bodyOf({ [field]: sent }))(server),
    await created(field, bodyOf({ [field]: sent, status: '"sold"' }))(server),
  ];

const largest = 2n ** 63n - 1n;

describeFaults(createValueFaults, {
  'number-name-made-text': name('1.5', '1.5'),
  'boolean-name-made-text': name('true', 'true'),
  'null-name-made-text': name('null', 'null'),
  'null-name-made-empty': name('null', ''),
  'array-name-joined': name('["a",1]', 'a,1'),
  'object-name-made-text': name('{}', '[object Object]'),
  'false-name-made-empty': name('false', ''),
  'category-text-made-number': category('"-12"', -12n),
  'category-read-up-to-its-digits': category('"12 cats"', 12n),
  'empty-category-is-zero': category('""', 0n),
  'any-text-is-category-zero': category('"cats"', 0n),
  'category-cut-to-whole': category('1.9', 1n),
  'category-rounded-when-nearly-whole': category('1.0000001', 1n),
  'boolean-category-made-number': category('true', 1n),
  'false-category-is-zero': category('false', 0n),
  'null-category-is-zero': category('null', 0n),
  'category-in-an-array': category('[7]', 7n),
  'empty-array-is-category-zero': category('[]', 0n),
  'category-object-read-by-its-id': category('{"id":7}', 7n),
  'overflow-wraps': category(String(largest + 2n), -largest),
  'overflow-told-by-its-sign': category(String(2n ** 64n + 1n), 1n),
  'overflow-clamped': category(`${largest}0`, largest),
  'underflow-clamped': category(`-${largest}0`, -largest - 1n),
  'first-overflow-clamped': category(String(largest + 1n), largest),
  'endless-integer-stored': category('9'.repeat(400), 10n ** 400n - 1n),
  'unsigned-category-accepted': category(String(largest + 1n), largest + 1n),
  'fraction-stored': category('1.5', 1.5),
  'null-category-stored': category('null', null),
  'category-text-made-number-beside-a-status': {
    find: inBoth('categoryId', '"12"'),
    faulty: [undefined, 12n],
    conforming: [undefined, undefined],
  },
  'null-name-made-empty-without-a-status': {
    find: inBoth('name', 'null'),
    faulty: ['', undefined],
    conforming: [undefined, undefined],
  },
  'number-name-stored': name('5', 5n),
  'overflow-crashes': refused(500, { categoryId: String(largest + 1n) }),
  'null-name-crashes': refused(500, { name: 'null' }),
  'wrong-types-are-422': refused(422, { categoryId: '"1"' }),
});
