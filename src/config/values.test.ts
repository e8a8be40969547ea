import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoted } from './refusals.ts';
import type { Parser } from './values.ts';
import {
  bearerKey,
  casePath,
  httpAddress,
  instant,
  int64Between,
  oneOf,
  shard,
  wholeBetween,
} from './values.ts';

const parsedOrProblem = <T>(parse: Parser<T>, given: string): T | string => {
  const parsed = parse(given);
  return parsed.ok ? parsed.value : `! ${parsed.problem}`;
};

describe('whole numbers', () => {
  const int64 = int64Between(-(2n ** 63n), 2n ** 63n - 1n);
  it('an int64 -> keeps every digit', () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (n) => {
        expect(parsedOrProblem(int64, `${n}`)).toBe(n);
      }),
    );
  });
  it('a bound -> accepted; a number past it -> an error', () => {
    const runs = wholeBetween(1, 10);
    expect(['1', '10'].map((given) => parsedOrProblem(runs, given))).toEqual([1, 10]);
    expect(parsedOrProblem(runs, '11')).toBe('! "11" is not a whole number from 1 to 10');
    expect(parsedOrProblem(runs, '0')).toMatch(/^! /);
  });
});

describe('httpAddress', () => {
  it('slashes at the end -> removed', () => {
    expect(parsedOrProblem(httpAddress, 'https://host/animals/v1/')).toBe('https://host/animals/v1');
    expect(parsedOrProblem(httpAddress, 'https://host/v1//')).toBe('https://host/v1');
    expect(parsedOrProblem(httpAddress, 'http://[::1]:4010/v1')).toBe('http://[::1]:4010/v1');
  });
  it('a user and a password -> an error that does not repeat them', () => {
    const parsed = httpAddress('https://me:hunter2@host/v1');
    expect(parsed.ok ? '' : parsed.problem).toMatch(/names a user/);
    expect(parsed.ok ? '' : parsed.problem).not.toContain('hunter2');
    expect(JSON.stringify(httpAddress('htp://me:hunter2@host/v1'))).not.toContain('hunter2');
  });
});

describe('bearerKey', () => {
  it('visible ASCII characters -> accepted', () => {
    fc.assert(
      fc.property(
        fc.string({
          minLength: 1,
          unit: fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCharCode(c)),
        }),
        (key) => {
          expect(parsedOrProblem(bearerKey, key)).toBe(key);
        },
      ),
    );
  });
  it('a character that a header field cannot contain -> an error without the key', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('\r', '\n', '\0', '\t', ' ', 'é', '\u{1f600}', '\u007f'),
        fc.nat(6),
        (unusable, at) => {
          const secret = 'canary';
          const problem = parsedOrProblem(bearerKey, secret.slice(0, at) + unusable + secret.slice(at));
          expect(problem).toMatch(new RegExp(`at character ${at + 1}\\b`));
          expect(problem).not.toContain('canar');
        },
      ),
    );
  });
  it('a key after its scheme name -> an error', () =>
    expect(parsedOrProblem(bearerKey, 'Bearer canary')).toBe(
      '! starts with the word Bearer: give the key alone',
    ));
});

describe('instant', () => {
  it('a day or an RFC 3339 time -> milliseconds since the epoch', () => {
    expect(parsedOrProblem(instant, '2030-12-05')).toBe(Date.UTC(2030, 11, 5));
    expect(parsedOrProblem(instant, '2030-12-05T01:30:00+01:00')).toBe(Date.UTC(2030, 11, 5, 0, 30));
  });
});

describe('other values', () => {
  it('shard I/N, casePath with colons -> accepted', () => {
    expect(parsedOrProblem(shard, '2/4')).toEqual({ index: 2, of: 4 });
    expect(parsedOrProblem(casePath, '3:1:0')).toBe('3:1:0');
    expect(parsedOrProblem(casePath, '3:1@list-3-every-limit')).toBe('3:1@list-3-every-limit');
  });
  it('oneOf: an unknown word -> an error with the nearest one', () => {
    expect(parsedOrProblem(oneOf(['free', 'pro']), 'Pro')).toBe(
      '! "Pro" is none of free, pro: did you mean pro?',
    );
  });
  it('quoted: any text -> one short line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (given) => {
        expect(quoted(given)).not.toMatch(/[\n\r]/);
        expect(quoted(given.replaceAll(/[^a-z]/g, 'a')).length).toBeLessThanOrEqual(83);
      }),
    );
  });
});
