import { describe, expect, it } from 'vitest';
import { nameOf, settingList } from './table.ts';
import { problems, remote, settings } from './testing.ts';

describe('resolveSettings: sources', () => {
  it('nothing given -> the default that the help names, otherwise none', () => {
    const { shard, waitForTarget, ...defaults } = settings({});
    expect([shard, waitForTarget]).toEqual([{ index: 1, of: 1 }, 0]);
    const named = settingList.flatMap(([name, { help }]) => {
      const text = /\(default: (\d+|reports)\)$/.exec(help)?.[1];
      return text === undefined ? [] : [[name, text] as const];
    });
    expect(named).toHaveLength(7);
    const names = Object.fromEntries(named);
    for (const [name, value] of Object.entries(defaults))
      if (name in names) expect(String(value)).toBe(names[name]);
      else expect([null, false, []]).toContainEqual(value);
  });
  it('a setting from several sources -> the flag wins over the environment, the environment over the file', () => {
    const file = [{ name: 'base-url', value: 'https://file/v1', at: 'f:1:1' }];
    const env = { ANIMAL_STORE_BASE_URL: 'https://env/v1', ANIMAL_STORE_API_KEY: 'canary-main-key' };
    expect(settings({ file, env, flags: { baseUrl: 'https://flag/v1' } }).baseUrl).toBe('https://flag/v1');
    expect(settings({ file, env }).baseUrl).toBe('https://env/v1');
    expect(settings({ file, env: { ...env, ANIMAL_STORE_BASE_URL: '' } }).baseUrl).toBe('https://file/v1');
  });
  it('an empty variable -> no key; for the base URL an error, unless another source names it', () => {
    const env = { ANIMAL_STORE_BASE_URL: '', ANIMAL_STORE_API_KEY: '', ANIMAL_STORE_RATE_LIMIT_KEY: '' };
    expect(problems({}, { env })).toEqual([expect.stringMatching(/^ANIMAL_STORE_BASE_URL: /)]);
    expect(settings({ env, flags: remote }).rateLimitKey).toBeNull();
    expect(settings({ env: { ...env, ANIMAL_STORE_BASE_URL: undefined } }).apiKey).toBeNull();
  });
  it('a path in a file that begins with ~ -> in the home folder', () => {
    const file = [
      { name: 'spec', value: '~/api.yaml', at: 'f:1:1' },
      { name: 'report-dir', value: '~', at: 'f:2:1' },
      { name: 'known-failures', value: 'a/~/b', at: 'f:3:1' },
    ];
    const read = settings({ file, env: { HOME: '/users/me' }, flags: remote });
    expect(read).toMatchObject({
      spec: '/users/me/api.yaml',
      reportDir: '/users/me',
      knownFailures: 'a/~/b',
    });
  });
  it('names in camelCase or kebab-case in a file -> accepted', () => {
    const file = [
      { name: 'max-creates', value: '7', at: 'f:1:1' },
      { name: 'categoryId', value: ['9007199254740993', '1'], at: 'f:2:1' },
      { name: 'risky', value: false, at: 'f:3:1' },
    ];
    expect(settings({ file })).toMatchObject({
      maxCreates: 7,
      categoryIds: [9007199254740993n, 1n],
      risky: false,
    });
  });
  it('an unknown or repeated name in a file -> an error with its position', () => {
    const file = [
      { name: 'conccurency', value: '7', at: 'f.yaml:1:1' },
      { name: 'base-url', value: 'https://a/v1', at: 'f.yaml:2:1' },
      { name: 'baseUrl', value: 'https://b/v1', at: 'f.yaml:3:1' },
    ];
    expect(problems({}, { file })).toEqual([
      'f.yaml:1:1: "conccurency" is not a setting: did you mean concurrency?',
      'f.yaml:3:1: baseUrl is set twice',
    ]);
  });
  it('an invalid value -> an error that names its source', () => {
    expect(problems({ runs: '-1' })[0]).toMatch(/^--runs: "-1" is not a whole number/);
    expect(problems({}, { env: { ANIMAL_STORE_BASE_URL: 'ftp://x/v1' } })[0]).toMatch(
      /^ANIMAL_STORE_BASE_URL: /,
    );
    expect(problems({}, { file: [{ name: 'strict', value: 'yes', at: 'f:4:2' }] })).toEqual([
      'f:4:2: strict: is either true or false',
    ]);
  });
  it('unknown ids beside other problems -> all are reported', () =>
    expect(problems({ runs: 'x', only: ['CREAT-9'], skip: ['NOPE'] })).toEqual([
      expect.stringMatching(/^--runs: /),
      expect.stringMatching(/^--only: unknown requirement "CREAT-9"/),
      expect.stringMatching(/^--skip: unknown requirement "NOPE"/),
    ]));
  it('two values that may contain a key -> an error that does not show them', () => {
    expect(problems({ ...remote, baseUrl: ['https://host/v1', 'https://me:canary@host/v1'] })).toEqual([
      '--base-url: takes one value, and is given 2',
    ]);
    expect(problems({ apiKey: ['canary-a', 'canary-b'] })).toEqual([
      '--api-key: takes one value, and is given 2',
    ]);
  });
});

describe('resolveSettings: values', () => {
  const wrong: Readonly<Record<string, readonly string[]>> = {
    waitForTarget: ['-1', 'soon', '3601'],
    baseUrl: [
      ...[
        '',
        'host/v1',
        'https://host',
        'https://host/v2',
        'https://host/V1',
        'ftp://host/v1',
        'http:host/v1',
      ],
      ...['http:///v1', 'https://host/v1?', 'https://host/v1?a=1', 'https://host/v1#', ' https://host/v1'],
      ...['https://host/\tv1', 'https:\\\\host\\v1', 'https://host:99999/v1'],
    ],
    apiKey: ['', 'a\nb', 'ключ'],
    rateLimitKey: ['', 'a b'],
    header: ['', 'X-App', 'X App: 1', 'X-App:', 'X-App: a\nb', 'Host: other'],
    clientCert: ['', 'a\0b'],
    clientKey: [''],
    plan: ['gold', ''],
    rateLimitPlan: ['gold'],
    categoryId: ['9223372036854775808', '-9223372036854775809', '1e3', '1.0', '0x10', '', ' 1', '+1', '١'],
    maxCreates: ['-1', 'many'],
    maxWait: ['-1', '1.5'],
    budget: ['0', '-1'],
    runs: ['-1', '1e3'],
    seed: ['2147483648', '-2147483649', 'abc'],
    only: ['', 'CREATE-99', 'FOO'],
    skip: ['CREATE-99'],
    path: ['', ':', '3:', 'x', '3:-1'],
    spec: ['', 'a\0b'],
    operation: ['', 'a\0b', 'getPet'],
    skipOperation: [''],
    timeout: ['0', '2147483648'],
    maxBody: ['0', '1.5', '1MiB', '268435457'],
    concurrency: ['0', '1.5'],
    now: [
      ...['', 'tomorrow', '05.12.2030', '2030-02-30', '2030-13-01'],
      ...['2030-12-05T25:00:00Z', '2030-12-05T00:00:00'],
    ],
    checks: [''],
    knownFailures: [''],
    workers: ['0', '65', 'x', '1.5'],
    shard: ['0/1', '2/1', 'x', '1/0', '1', '1/', '-1/2', '1/2/3', '1.5/2'],
    reportDir: [''],
  };
  it('an invalid value of any setting -> one error in one line', () => {
    const withValues = settingList
      .filter(([, { argument }]) => argument !== '')
      .map(([, { flag }]) => nameOf(flag));
    expect(withValues.toSorted()).toEqual(Object.keys(wrong).toSorted());
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        const given = name === 'only' || name === 'skip' ? [value] : value;
        const found = problems({ ...remote, seed: '1', only: ['LIST-1'], [name]: given });
        expect(found, `${name} ${value}`).toHaveLength(1);
        expect(found[0]).not.toMatch(/[\n\r]/);
      }
    }
  });
  it('a key given for any setting -> no error shows it', () => {
    const key = 'canary"key-'.padEnd(120, 'k');
    const everywhere = Object.fromEntries(settingList.map(([, { flag }]) => [nameOf(flag), key]));
    expect(problems(everywhere).join('\n')).not.toContain('canary');
    expect(problems({ apiKey: 'canary\r' }).join('\n')).not.toContain('canary');
  });
  it('a key in the file, as a value, in a list, or as a name -> no error shows it', () => {
    const key = 'sk-live-canary-0123456789';
    const file = [
      { name: 'apiKey', value: key, at: 'f:1:1' },
      { name: 'only', value: [key], at: 'f:2:1' },
      { name: key, value: 'yes', at: 'f:3:1' },
    ];
    expect(problems({}, { file })).toEqual([
      'f:3:1: "sk-l…" is not a setting: run --help lists them',
      expect.stringMatching(/^--only: unknown requirement "sk-l…"/),
    ]);
    expect(problems({ reference: true }, { file: file.slice(0, 2) })).toEqual([
      expect.stringMatching(/^--only: .*"sk-l…"/),
    ]);
    expect(problems({}, { file: [...file.slice(0, 1), { name: 'plan', value: key, at: 'f:2:1' }] })).toEqual([
      expect.stringMatching(/^f:2:1: plan: "sk-l…" is none of free, /),
    ]);
  });
});

describe('resolveSettings: the server', () => {
  const inCi = { CI: 'true' };
  const named = { ANIMAL_STORE_BASE_URL: 'https://env/v1' };
  const file = [{ name: 'baseUrl', value: 'https://file/v1', at: 'f:1:1' }];

  it.each([
    ['a key without a base URL', { apiKey: 'k' }, {}, /^--base-url is missing: an API key is given\. /],
    ['a second key alone', { rateLimitKey: 'k' }, {}, /^--base-url is missing: an API key is given\. /],
    [
      '--reference and a variable',
      { reference: true, apiKey: 'k' },
      { env: named },
      /: ANIMAL_STORE_BASE_URL names/,
    ],
    [
      '--reference and a file',
      { reference: true, apiKey: 'k' },
      { file },
      /: f:1:1: baseUrl names another server/,
    ],
    [
      'a misspelled variable',
      {},
      { env: { ANIMAL_STORE_BASEURL: '' } },
      /^ANIMAL_STORE_BASEURL is not.*did you mean ANIMAL_STORE_BASE_URL\?$/,
    ],
    [
      'a strange variable',
      {},
      { env: { ANIMAL_STORE_ZZZZZZZZZZZ: '1' } },
      /they are ANIMAL_STORE_BASE_URL, /,
    ],
  ])('%s -> an error', (_, flags, more, message) => {
    expect(problems(flags, more)).toEqual([expect.stringMatching(message)]);
  });

  it.each([
    ['--reference in CI', { reference: true }, { env: inCi }, { baseUrl: null, reference: true }],
    ['--reference with a key', { reference: true, apiKey: 'k' }, {}, { baseUrl: null, reference: true }],
    [
      '--base-url, which wins over --reference',
      { reference: true, ...remote },
      { env: { ...named, ...inCi } },
      { baseUrl: remote.baseUrl, reference: false },
    ],
    ['a base URL in CI', remote, { env: inCi }, { baseUrl: remote.baseUrl }],
    ['no CI', {}, { env: { CI: 'false' } }, { baseUrl: null }],
    ['ANIMAL_STORE_DEBUG', {}, { env: { ANIMAL_STORE_DEBUG: '1' } }, {}],
  ])('%s -> accepted', (_, flags, more, expected) => {
    expect(settings({ flags, ...more })).toMatchObject(expected);
  });

  it('waitForTarget -> as given, otherwise 10 s in CI and 0 elsewhere', () => {
    expect(settings({ flags: remote, env: inCi }).waitForTarget).toBe(10);
    expect(settings({ flags: { ...remote, waitForTarget: '3' }, env: inCi }).waitForTarget).toBe(3);
    expect(settings({ flags: remote }).waitForTarget).toBe(0);
  });

  it('ANIMAL_STORE_SEED -> the seed; an empty one -> not given', () => {
    expect(settings({ env: { ANIMAL_STORE_SEED: '7' } }).seed).toBe(7);
    expect(settings({ env: { ANIMAL_STORE_SEED: '' } }).seed).toBeNull();
    expect(problems({}, { env: { ANIMAL_STORE_SEED: 'x' } })).toEqual([
      expect.stringMatching(/^ANIMAL_STORE_SEED: "x" is not a whole number/),
    ]);
  });
});
