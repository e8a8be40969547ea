import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { suggest } from './suggest.ts';

const flags = ['--base-url', '--api-key', '--concurrency', '--seed', '--strict'];

describe('suggest', () => {
  it.each([
    ['--conccurency', '--concurrency'],
    ['--base_url', '--base-url'],
    ['--sede', '--seed'],
    ['BASEURL', '--base-url'],
  ])('%s -> %s', (mistyped, expected) => expect(suggest(mistyped, flags)).toBe(expected));

  it('a word unlike every candidate -> no suggestion', () => {
    expect(suggest('--frobnicate', flags)).toBeNull();
    expect(suggest('', flags)).toBeNull();
  });

  it('a long word with any single edit -> the word', () => {
    const word = 'concurrency';
    fc.assert(
      fc.property(fc.nat(word.length - 1), fc.constantFrom('', 'x', 'xx'), (at, instead) => {
        const mistyped = word.slice(0, at) + instead + word.slice(at + 1);
        expect(suggest(mistyped, ['seed', word, 'strict'])).toBe(word);
      }),
    );
  });
});
