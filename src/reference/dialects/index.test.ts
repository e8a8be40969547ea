import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../json/parse.ts';
import { testServer } from '../testing.ts';
import { combination } from './combinations.ts';
import { dialects } from './index.ts';
import { writingDialects } from './writing.ts';

test('JSON written in another way -> the same value', async () => {
  const names = ['"', '\\', '\\"/', '[1,{"a":2}]', '', '\ud800', '\u2028', 'x'.repeat(300_000)];
  for (const { name: dialect, patch } of writingDialects) {
    const server = testServer({ patches: [patch] });
    for (const name of names) {
      const response = await server.create(JSON.stringify({ name, categoryId: 1 }));
      const read = parseJson(response.text);
      expect(read.ok && read.value, dialect).toMatchObject({ name, categoryId: 1n });
    }
  }
});

test('combination: 2 to 8 dialects, at most one of each choice', () => {
  fc.assert(
    fc.property(combination(), (combined) => {
      expect(combined.length).toBeGreaterThanOrEqual(2);
      expect(combined.length).toBeLessThanOrEqual(8);
      const chosen = combined.flatMap(({ choice }) => choice ?? []);
      expect(new Set(chosen).size).toBe(chosen.length);
    }),
  );
});

test('no choice has the name of a dialect; the store and the removal are choices', () => {
  const names = new Set(dialects.map(({ name }) => name));
  for (const { name, choice, seedPets, now } of dialects) {
    expect(names.has(choice ?? ''), name).toBe(false);
    expect(seedPets !== undefined, name).toBe(choice === 'store');
    expect(now !== undefined, name).toBe(choice === 'removal');
  }
});
