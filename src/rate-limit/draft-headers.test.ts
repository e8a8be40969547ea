import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDraftLimit } from './draft-headers.ts';
import { parseMembers } from './structured-fields.ts';

type Lines = Readonly<Record<string, string>>;
const read = (lines: Lines) => readDraftLimit(Object.entries(lines));

describe('readDraftLimit', () => {
  test.each<[string, Lines, ReturnType<typeof readDraftLimit>]>([
    [
      'drafts 3 to 5',
      { 'RateLimit-Limit': '100, 100;w=60', 'RateLimit-Remaining': '50', 'RateLimit-Reset': '30' },
      { limit: 100, remaining: 50, reset: 30 },
    ],
    [
      'drafts 6 and 7',
      { RateLimit: 'limit=100, remaining=50, reset=30', 'RateLimit-Policy': '100;w=60' },
      { limit: 100, remaining: 50, reset: 30 },
    ],
    [
      'drafts 8 to 10',
      { ratelimit: '"default";r=50;t=30', 'ratelimit-policy': '"default";q=100;w=60;pk=:YWJj:' },
      { limit: 100, remaining: 50, reset: 30 },
    ],
    [
      'no time until the reset: the window',
      { RateLimit: '"default";r=5', 'RateLimit-Policy': '"default";q=100;w=60' },
      { limit: 100, remaining: 5, reset: 60 },
    ],
    [
      'several quotas: the one that is used up first',
      { RateLimit: '"burst";r=9;t=1, "day";r=3;t=600', 'RateLimit-Policy': '"burst";q=10;w=1, "day";q=500' },
      { limit: 500, remaining: 3, reset: 600 },
    ],
    [
      'a quota of bytes: ignored',
      { RateLimit: '"bytes";r=0;t=9,"n";r=7;t=5', 'RateLimit-Policy': '"bytes";q=9;qu="content-bytes"' },
      { limit: null, remaining: 7, reset: 5 },
    ],
    ['a policy alone', { 'RateLimit-Policy': '"default";q=100;w=60' }, null],
    ['nothing that can be read', { RateLimit: '"default;r=5' }, null],
    ['a negative number', { RateLimit: '"default";r=-5;t=1' }, null],
  ])('%s', (_, lines, limit) => {
    expect(read(lines)).toEqual(limit);
  });
});

describe('parseMembers', () => {
  test('texts with quotes, commas, and semicolons -> read as they are', () => {
    const text = fc.string({ unit: fc.constantFrom(...' !"\\,;=a1:?'), maxLength: 8 });
    const written = (each: string) => `"${each.replaceAll(/["\\]/g, '\\$&')}"`;
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: text, r: fc.nat() }), { minLength: 1, maxLength: 4 }),
        (items) => {
          const line = items.map(({ name, r }) => `${written(name)} ; r=${r};c=${written(name)}`).join(' , ');
          const members = parseMembers(line);
          expect(members?.map(({ value, parameters }) => ({ name: value, r: parameters.get('r') }))).toEqual(
            items,
          );
        },
      ),
    );
  });

  test('any text -> no exception', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseMembers(text)));
  });
});
