import { expect, test } from 'vitest';
import { readServeFlags, type ServeFlags } from './serve-settings.ts';

const fault = {
  name: 'limit-ignored',
  requirement: 'LIST-3',
  companions: [],
  description: '',
  patch: () => ({}),
};
const dialect = { name: 'oldest-first', description: '', patch: () => ({}) };
const context = {
  faults: [fault],
  dialects: [dialect],
  defaultKeys: () => [{ key: 'made-up', plan: 'free' as const }],
};
const defaults: ServeFlags = {
  port: '4010',
  host: '127.0.0.1',
  key: [],
  limit: [],
  seedPets: '25',
  dialect: [],
  fault: [],
};
const read = (flags: Partial<ServeFlags>) => readServeFlags({ ...defaults, ...flags }, context);

test('no options -> the default keys, no patch, today', () => {
  expect(read({})).toEqual({
    ok: true,
    value: {
      host: '127.0.0.1',
      port: 4010,
      keys: [{ key: 'made-up', plan: 'free' }],
      seedPets: 25,
      patches: [],
      now: null,
    },
  });
});

test('--key and --limit -> only these keys, with their windows', () => {
  const flags = read({ key: ['free=a=b', 'pro=c'], limit: ['a=b=5/10', 'a=b=6/20'] });
  expect(flags).toMatchObject({
    value: {
      keys: [
        { key: 'a=b', plan: 'free', window: { limit: 6, seconds: 20 } },
        { key: 'c', plan: 'pro' },
      ],
    },
  });
});

test('--dialect, --fault, and --now -> dialects before faults, a time in UTC', () => {
  const flags = read({ fault: ['limit-ignored'], dialect: ['oldest-first'], now: '2031-01-01' });
  expect(flags).toMatchObject({
    value: { patches: [dialect.patch, fault.patch], now: Date.parse('2031-01-01T00:00:00Z') },
  });
});

test.each<readonly [Partial<ServeFlags>, RegExp]>([
  [{ port: '65536' }, /^--port/],
  [{ port: 'x' }, /^--port/],
  [{ key: ['free'] }, /^--key: expected PLAN=KEY/],
  [{ key: ['gold=secret'] }, /^--key: "gold"/],
  [{ key: ['free='] }, /^--key: is empty/],
  [{ key: ['free=se cret'] }, /^--key/],
  [{ key: ['free=secret', 'pro=secret'] }, /^--key: one key is given twice/],
  [{ limit: ['secret=5/10'] }, /^--limit: unknown key/],
  [{ limit: ['secret'] }, /^--limit: expected KEY/],
  [{ key: ['free=secret'], limit: ['secret=0/10'] }, /^--limit: "0"/],
  [{ key: ['free=secret'], limit: ['secret=5/0.5'] }, /^--limit: "0.5"/],
  [{ seedPets: '-1' }, /^--seed-pets/],
  [{ now: 'tomorrow' }, /^--now/],
  [{ fault: ['limit-ignore'] }, /did you mean limit-ignored\?$/],
  [{ dialect: ['zzz'] }, /--list-dialects lists them$/],
])('%o -> one sentence that contains no key', (flags, sentence) => {
  const parsed = read(flags);
  expect(parsed).toMatchObject({ ok: false, problem: expect.stringMatching(sentence) });
  expect(JSON.stringify(parsed)).not.toContain('secret');
});
