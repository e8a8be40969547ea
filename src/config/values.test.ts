import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Parser } from './values.ts';
import {
  bearerKey,
  casePath,
  httpAddress,
  instant,
  int64Between,
  oneOf,
  quoted,
  shard,
  wholeBetween,
} from './values.ts';

const value = <T>(parse: Parser<T>, given: string): T | string => {
  const parsed = parse(given);
  return parsed.ok ? parsed.value : `! ${parsed.problem}`;
};

describe('whole numbers', () => {
  const int64 = int64Between(-(2n ** 63n), 2n ** 63n - 1n);
  it('keep every digit of an int64', () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (n) => {
        expect(value(int64, `${n}`)).toBe(n);
      }),
    );
  });
  it('take both bounds and nothing past them', () => {
    const runs = wholeBetween(1, 10);
    expect(['1', '10'].map((given) => value(runs, given))).toEqual([1, 10]);
    expect(value(runs, '11')).toBe('! "11" is not a whole number from 1 to 10');
    expect(value(runs, '0')).toMatch(/^! /);
  });
});

describe('httpAddress', () => {
  it('drops the slash at the end', () => {
    expect(value(httpAddress, 'https://host/animals/v1/')).toBe('https://host/animals/v1');
    expect(value(httpAddress, 'https://host/v1//')).toBe('https://host/v1');
    expect(value(httpAddress, 'http://[::1]:4010/v1')).toBe('http://[::1]:4010/v1');
  });
  it('refuses a user and a password without repeating them', () => {
    const parsed = httpAddress('https://me:hunter2@host/v1');
    expect(parsed.ok ? '' : parsed.problem).toMatch(/names a user/);
    expect(parsed.ok ? '' : parsed.problem).not.toContain('hunter2');
    expect(JSON.stringify(httpAddress('htp://me:hunter2@host/v1'))).not.toContain('hunter2');
  });
});

describe('bearerKey', () => {
  it('takes every visible ASCII character', () => {
    fc.assert(
      fc.property(
        fc.string({
          minLength: 1,
          unit: fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCharCode(c)),
        }),
        (key) => {
          expect(value(bearerKey, key)).toBe(key);
        },
      ),
    );
  });
  it('refuses what no header field can carry, and never shows the key', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('\r', '\n', '\0', '\t', ' ', 'é', '\u{1f600}', '\u007f'),
        fc.nat(6),
        (odd, at) => {
          const secret = 'canary';
          const problem = value(bearerKey, secret.slice(0, at) + odd + secret.slice(at));
          expect(problem).toMatch(new RegExp(`as its character ${at + 1}\\b`));
          expect(problem).not.toContain('canar');
        },
      ),
    );
  });
  it('says so where the scheme was pasted along', () =>
    expect(value(bearerKey, 'Bearer canary')).toBe('! starts with the word Bearer: give the key alone'));
});

describe('instant', () => {
  it('takes days and RFC 3339 times', () => {
    expect(value(instant, '2030-12-05')).toBe(Date.UTC(2030, 11, 5));
    expect(value(instant, '2030-12-05T01:30:00+01:00')).toBe(Date.UTC(2030, 11, 5, 0, 30));
  });
});

describe('the others', () => {
  it('shard takes I/N, casePath numbers joined by colons', () => {
    expect(value(shard, '2/4')).toEqual({ index: 2, of: 4 });
    expect(value(casePath, '3:1:0')).toBe('3:1:0');
  });
  it('oneOf suggests the nearest word', () => {
    expect(value(oneOf(['free', 'pro']), 'Pro')).toBe('! "Pro" is none of free, pro: did you mean pro?');
  });
  it('what is quoted stays on one line and short', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (given) => {
        expect(quoted(given)).not.toMatch(/[\n\r]/);
        expect(quoted(given.replaceAll(/[^a-z]/g, 'a')).length).toBeLessThanOrEqual(83);
      }),
    );
  });
});
