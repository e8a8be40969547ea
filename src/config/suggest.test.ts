import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { didYouMean, suggest } from './suggest.ts';

const flags = ['--base-url', '--api-key', '--concurrency', '--seed', '--strict'];

describe('suggest', () => {
  it.each([
    ['--conccurency', '--concurrency'],
    ['--base_url', '--base-url'],
    ['--sede', '--seed'],
    ['BASEURL', '--base-url'],
  ])('takes %s for %s', (typed, meant) => expect(suggest(typed, flags)).toBe(meant));

  it('stays silent about words that are near nothing', () => {
    expect(suggest('--frobnicate', flags)).toBeNull();
    expect(suggest('', flags)).toBeNull();
    expect(didYouMean('--frobnicate', flags)).toBe('');
  });

  it('finds a word after any single edit, where the words are long enough and unlike', () => {
    const word = 'concurrency';
    fc.assert(
      fc.property(fc.nat(word.length - 1), fc.constantFrom('', 'x', 'xx'), (at, instead) => {
        const typed = word.slice(0, at) + instead + word.slice(at + 1);
        expect(suggest(typed, ['seed', word, 'strict'])).toBe(word);
      }),
    );
  });
});
