import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { riskyNameExamples } from './harmful-name.ts';
import { isOrdinaryName, ordinaryName, ordinaryNameExamples } from './ordinary-name.ts';
import { unusualName, unusualNameExamples } from './unusual-name.ts';

const isRisky = (name: string) => !name.isWellFormed() || name.includes('\0') || name.length > 65_535;

describe('names', () => {
  it('ordinary: clearly valid, and start with the prefix', () => {
    for (const prefix of ['', 'x', 'conformance-1a2b-', `conformance-${'0'.repeat(10)}-`, 'ends with ']) {
      fc.assert(
        fc.property(ordinaryName(prefix), (name) => name.startsWith(prefix) && isOrdinaryName(name)),
        { seed: 1, numRuns: 500 },
      );
      for (const name of ordinaryNameExamples(prefix)) expect(isOrdinaryName(name), name).toBe(true);
    }
  });

  it('isOrdinaryName: decides by characters and length', () => {
    const ordinary = ['a', '0', 'null', 'A-b 1', '-1', 'x'.repeat(40)];
    const others = ['', ' a', 'a ', 'a  b', 'a_b', 'Zo\u00eb', '1.0', 'a\n', 'x'.repeat(41)];
    expect(ordinary.map(isOrdinaryName)).toEqual(ordinary.map(() => true));
    expect(others.map(isOrdinaryName)).toEqual(others.map(() => false));
  });

  it('ordinary: with inner spaces, up to 40 characters, and rarely the same', () => {
    const names = fc.sample(ordinaryName('c-'), { seed: 1, numRuns: 1000 });
    expect(names.some((name) => name.includes(' '))).toBe(true);
    expect(new Set(names).size).toBeGreaterThan(850);
    expect(ordinaryNameExamples('c-').some((name) => name.length === 40)).toBe(true);
  });

  it('unusual: never risky', () => {
    for (const { name, label } of unusualNameExamples) expect(isRisky(name), label).toBe(false);
    fc.assert(
      fc.property(unusualName(), (name) => !isRisky(name)),
      { seed: 1, numRuns: 1000 },
    );
  });

  it('unusual: each name once, with a label of its own', () => {
    const labels = unusualNameExamples.map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
    const names = unusualNameExamples.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('risky: with a lone surrogate or NUL, or too long for most columns', () => {
    for (const { name, label } of riskyNameExamples) expect(isRisky(name), label).toBe(true);
  });
});
