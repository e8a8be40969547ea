import { describe, expect, it } from 'vitest';
import { problems, remote } from './testing.ts';

describe('resolveSettings: rules between settings', () => {
  it.each([
    ['a target without a key', { baseUrl: 'https://host/v1' }, /--api-key is required/],
    ['an address without /v1', { ...remote, baseUrl: 'https://host/api' }, /VER-1.*--allow-any-path/],
    ['the same key twice', { ...remote, rateLimitKey: remote.apiKey }, /use a second key/],
    ['--exhaust-daily without a rate-limit key', { exhaustDaily: true }, /--exhaust-daily.*--rate-limit-key/],
    ['--allow-ban without a rate-limit key', { allowBan: true }, /--allow-ban.*--rate-limit-key/],
    [
      '--rate-limit-plan without a rate-limit key',
      { rateLimitPlan: 'pro' },
      /--rate-limit-plan.*--rate-limit-key/,
    ],
    ['a path without a seed', { path: '1:2', only: ['LIST-1'] }, /--seed and --only/],
    ['a path without a requirement', { path: '1:2', seed: '1' }, /--seed and --only/],
    ['workers in a shard', { workers: '2', shard: '1/2' }, /--shard/],
    ['workers on a budget', { workers: '2', budget: '60' }, /--budget/],
    ['a path with workers', { path: '1', seed: '1', only: ['LIST-1'], workers: '2' }, /--path/],
    ['a path in a shard', { path: '1', seed: '1', only: ['LIST-1'], shard: '1/2' }, /--shard/],
    ['a requirement on clients', { only: ['CLIENT-1'] }, /CLIENT-1 is a requirement on clients/],
    ['a group of requirements on clients', { skip: ['CLIENT'] }, /CLIENT is a requirement on clients/],
    ['an unknown id', { only: ['CREATE-90'] }, /unknown requirement "CREATE-90".*did you mean CREATE-9\?/],
    ['a selection of nothing', { only: ['LIST'], skip: ['LIST-1', 'LIST-10'] }, /select no requirement/],
    [
      'a requirement on the store for another API',
      { spec: 'a.yaml', only: ['LIST'] },
      /unknown requirement "LIST"/,
    ],
    [
      'RATE-5 without a rate-limit key',
      { ...remote, only: ['RATE-5'] },
      /RATE-5 needs --rate-limit-key \(a second key/,
    ],
    ['RATE-3 without a plan', { ...remote, only: ['RATE-3'] }, /RATE-3 needs --plan/],
    [
      'RATE-3 with an Enterprise plan',
      { ...remote, plan: 'enterprise', only: ['RATE-3'] },
      /RATE-3 needs --plan/,
    ],
    ['VER-1 with --allow-any-path', { ...remote, allowAnyPath: true, only: ['VER-1'] }, /--allow-any-path/],
    [
      'RATE-11 without --exhaust-daily',
      { ...remote, rateLimitKey: 'k2', only: ['RATE-11'] },
      /RATE-11 needs --exhaust-daily/,
    ],
  ])('%s -> an error', (_, flags, message) => {
    const found = problems(flags);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(message);
  });
  it.each([
    ['an address without /v1, waived', { ...remote, baseUrl: 'https://host/api', allowAnyPath: true }],
    ['a selection of one requirement', { only: ['LIST'], skip: ['LIST-1'] }],
    ['a path with seed and requirement', { path: '1:2', only: ['LIST-1'], seed: '0' }],
    ['an id and a group in any case', { only: ['list-1', 'Create'], skip: ['create-9'] }],
    ['LIST-1, which is not LIST-10', { only: ['LIST'], skip: ['LIST-10'] }],
    ['another API without a key', { baseUrl: 'https://host/api', spec: 'a.yaml' }],
    ['RATE-3 with a plan', { ...remote, plan: 'free', only: ['RATE-3'] }],
    [
      'RATE-11 with --exhaust-daily',
      { ...remote, rateLimitKey: 'k2', exhaustDaily: true, only: ['RATE-11'] },
    ],
  ])('%s -> accepted', (_, flags) => expect(problems(flags)).toEqual([]));
});
