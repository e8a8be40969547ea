import { expect, test } from 'vitest';
import { splitBody } from './framing.ts';

const sizes = (body: string | Uint8Array) => splitBody(body).map((piece) => piece.length);

test('ASCII body -> split in the middle', () => {
  expect(sizes('abcde')).toEqual([2, 3]);
  expect(sizes('')).toEqual([0, 0]);
});

test('body with a multi-byte character -> split inside the character, no byte lost', () => {
  expect(sizes('aé')).toEqual([2, 1]);
  expect(sizes(`é${'a'.repeat(20)}`)).toEqual([1, 21]);
  const text = 'a🐈 and é at the end';
  expect(Buffer.concat(splitBody(text)).toString()).toBe(text);
  expect(splitBody(text)[0].toString()).toContain('\ufffd');
});
