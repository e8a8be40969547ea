import { expect, test } from 'vitest';
import { readSelfTestFlags, type SelfTestFlags } from './selftest-settings.ts';

const read = (flags: Partial<SelfTestFlags> = {}) =>
  readSelfTestFlags({ reportDir: 'reports', ...flags }, { cores: 3, random: () => 0.5 });

test('no flags -> the whole self-test on all cores with a random seed', () => {
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

test('flags -> settings', () => {
  const names = { only: ['list'], fault: ['limit-ignored', 'always-401'], dialect: ['oldest-first'] };
  const flags = {
    ...names,
    seed: '-5',
    jobs: '1',
    combinations: '0',
    budgets: true,
    thorough: true,
  } as const;
  expect(read(flags)).toMatchObject({
    value: {
      only: ['LIST'],
      faults: ['limit-ignored', 'always-401'],
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
])('%o -> no budgets', (flags) => {
  expect(read(flags)).toMatchObject({ value: { budgets: [] } });
});

test.each<[Partial<SelfTestFlags>, string]>([
  [{ fault: ['limit-ignord'] }, '--fault: "limit-ignord" is unknown: did you mean limit-ignored?'],
  [{ fault: ['zzzzzzzz'] }, '--fault: "zzzzzzzz" is unknown: serve --list-faults lists them'],
  [{ dialect: ['oldest-frist'] }, '--dialect: "oldest-frist" is unknown: did you mean oldest-first?'],
  [{ only: ['LITS-3'] }, '--only: unknown requirement "LITS-3": did you mean LIST-3?'],
  [{ only: ['CLIENT-1'] }, '--only: CLIENT-1 is a requirement on clients, and run tests servers'],
  [{ seed: 'x' }, '--seed: "x" is not a whole number'],
  [{ jobs: '0' }, '--jobs: "0" is not a whole number from 1'],
  [{ combinations: '-1' }, '--combinations: "-1" is not a whole number'],
  [{ reportDir: '' }, '--report-dir: is empty'],
])('%o -> a usage error', (flags, problem) => {
  expect(read(flags)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
});
