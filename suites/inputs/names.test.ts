import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { riskyName, riskyNameExamples } from './harmful-name.ts';
import { isOrdinaryName, ordinaryName, ordinaryNameExamples } from './ordinary-name.ts';
import { unusualName, unusualNameExamples } from './unusual-name.ts';

const isRisky = (name: string) => !name.isWellFormed() || name.includes('\0') || name.length > 65_535;

describe('names', () => {
  it('that are ordinary are valid without doubt, and start with the prefix', () => {
    for (const prefix of [
      'conformance-1a2b-',
      'x',
      'conformance-0123456789abcdef0123456789abcdef-',
      'ends with ',
      '',
    ]) {
      fc.assert(
        fc.property(ordinaryName(prefix), (name) => name.startsWith(prefix) && isOrdinaryName(name)),
        { seed: 1, numRuns: 500 },
      );
      for (const name of ordinaryNameExamples(prefix)) expect(isOrdinaryName(name), name).toBe(true);
    }
  });

  it('are told to be ordinary by their letters and length', () => {
    const ordinary = ['a', '0', 'null', 'A-b 1', '-1', 'x'.repeat(64)];
    const others = ['', ' a', 'a ', 'a  b', 'a_b', 'Zo\u00eb', '1.0', 'a\n', 'x'.repeat(65)];
    expect(ordinary.map(isOrdinaryName)).toEqual(ordinary.map(() => true));
    expect(others.map(isOrdinaryName)).toEqual(others.map(() => false));
  });

  it('that are ordinary hold inner spaces, reach 64 characters, and seldom repeat', () => {
    const names = fc.sample(ordinaryName('c-'), { seed: 1, numRuns: 1000 });
    expect(names.some((name) => name.includes(' '))).toBe(true);
    expect(new Set(names).size).toBeGreaterThan(850);
    expect(ordinaryNameExamples('c-').some((name) => name.length === 64)).toBe(true);
  });

  it('that are unusual are none of them risky', () => {
    for (const { name, label } of unusualNameExamples) expect(isRisky(name), label).toBe(false);
    fc.assert(
      fc.property(unusualName(), (name) => !isRisky(name)),
      { seed: 1, numRuns: 1000 },
    );
  });

  it('that are unusual come in every kind, each with a label of its own', () => {
    const labels = unusualNameExamples.map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
    const names = unusualNameExamples.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining([
        'Zo\u00eb',
        'Zoe\u0308',
        'null',
        '__proto__',
        ' a',
        'a ',
        'a\nb',
        'n'.repeat(5000),
      ]),
    );
  });

  it('that are risky hold a lone surrogate or NUL, or are too long for most columns', () => {
    for (const { name, label } of riskyNameExamples) expect(isRisky(name), label).toBe(true);
    fc.assert(fc.property(riskyName(), isRisky), { seed: 1, numRuns: 500 });
  });
});
