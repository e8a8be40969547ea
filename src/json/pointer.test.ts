import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromPointer, toPointer } from './pointer.ts';

test('"~" and "/" -> escaped by RFC 6901', () => {
  expect(toPointer(['a/b', 0, 'm~n', ''])).toBe('/a~1b/0/m~0n/');
  expect(toPointer([])).toBe('');
});

test('fromPointer reverses toPointer', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (steps) => {
      expect(fromPointer(toPointer(steps))).toEqual(steps);
    }),
  );
});
