import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSelfTestFlags, type SelfTestFlags } from './settings.ts';

const offer = {
  faults: [{ name: 'limit-ignored', requirement: 'LIST-3' }],
  dialects: [{ name: 'oldest-first' }],
  combination: () => fc.constant([]),
  degenerate: [{ name: 'echo' }],
};
const read = (flags: Partial<SelfTestFlags> = {}) =>
  readSelfTestFlags({ reportDir: 'reports', ...flags }, offer, { cores: 3, random: () => 0.5 });

describe('the settings of selftest', () => {
  test('are the whole self-test on all cores with a random seed where nothing is given', () => {
    expect(read()).toEqual({
      ok: true,
      value: {
        only: [],
        faults: [],
        dialects: [],
        combinations: null,
        seed: -(2 ** 31),
        jobs: 3,
        reportDir: 'reports',
        budgets: [
          { requests: 300, wanted: 75, binding: false },
          { requests: 60, wanted: 50, binding: false },
        ],
        thorough: false,
      },
    });
  });

  test('are those given', () => {
    const flags = { only: ['LIST'], fault: ['limit-ignored', 'echo'], dialect: ['oldest-first'] };
    expect(
      read({ ...flags, seed: '-5', jobs: '1', combinations: '0', budgets: true, thorough: true }),
    ).toMatchObject({
      value: {
        only: ['LIST'],
        faults: ['limit-ignored', 'echo'],
        dialects: ['oldest-first'],
        seed: -5,
        jobs: 1,
        combinations: 0,
        thorough: true,
        budgets: [
          { requests: 300, binding: true },
          { requests: 60, binding: true },
        ],
      },
    });
  });

  test.each<Partial<SelfTestFlags>>([
    { only: ['LIST'] },
    { fault: ['limit-ignored'] },
    { dialect: ['oldest-first'] },
    { budgets: false },
  ])('have no budgets with %o', (flags) => {
    expect(read(flags)).toMatchObject({ value: { budgets: [] } });
  });

  test.each<[Partial<SelfTestFlags>, string]>([
    [{ fault: ['limit-ignord'] }, '--fault "limit-ignord" is unknown: did you mean limit-ignored?'],
    [{ fault: ['zebra'] }, '--fault "zebra" is unknown: serve --list-faults lists them'],
    [{ dialect: ['oldest-frist'] }, '--dialect "oldest-frist" is unknown: did you mean oldest-first?'],
    [{ only: ['LITS-3'] }, '--only: "LITS-3" is no requirement and no group of them: did you mean LIST-3?'],
    [{ only: ['CLIENT-1'] }, '--only: CLIENT-1 is a requirement on clients, and run judges servers'],
    [{ seed: 'x' }, '--seed: "x" is not a whole number'],
    [{ jobs: '0' }, '--jobs: "0" is not a whole number from 1'],
    [{ combinations: '-1' }, '--combinations: "-1" is not a whole number'],
    [{ reportDir: '' }, '--report-dir: is empty'],
  ])('refuse %o', (flags, problem) => {
    expect(read(flags)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });
});
