import { mkdtempSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/folder.ts';
import { loadConfig, parseConfig } from './config-file.ts';
import { parseKnownFailures } from './known-failures.ts';
import { loadSettings } from './load.ts';

const folder = temporaryFolder();
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(folder, 'settings-'));
});
const writeConfig = async (name: string, content: string | Uint8Array) => {
  const path = join(directory, name);
  await writeFile(path, content);
  return path;
};

describe('parseConfig and loadConfig', () => {
  it('a number with many digits, in YAML or JSON -> keeps its digits', () => {
    const entries = [
      { name: 'category-id', value: ['9223372036854775807', '007'], at: 'f:1:1' },
      { name: 'strict', value: true, at: 'f:2:1' },
    ];
    expect(parseConfig('f', 'category-id: [9223372036854775807, 007]\nstrict: true\nseed:\n')).toEqual({
      ok: true,
      entries,
    });
    const json = parseConfig('f', '{\n\t"seed": 9007199254740993,\n\t"only": ["LIST"]\n}\n');
    expect(json).toMatchObject({ ok: true, entries: [{ value: '9007199254740993' }, { value: ['LIST'] }] });
  });
  it('an empty file, or aliases -> accepted', () => {
    expect(parseConfig('f', '')).toEqual({ ok: true, entries: [] });
    expect(parseConfig('f', 'plan: &p free\nrate-limit-plan: *p\n')).toMatchObject({
      entries: [{}, { value: 'free' }],
    });
  });
  it.each([
    ['strict: true\nplan: [free\n', /^f:\d+:\d+: /],
    ['plan: free\nplan: pro\n', /^f:2:1: /],
    ['- a\n', /^f:1:1: expected "name: value"/],
    ['only: [[LIST]]\n', /^f:1:1: only is neither/],
    ['plan: { name: free }\n', /^f:1:1: plan is neither/],
    ['a: 1\n---\nb: 2\n', /^f:/],
  ])('%j, which is not a map of settings -> an error with its position', (text, message) => {
    const parsed = parseConfig('f', text);
    expect(parsed.ok ? [] : parsed.problems).toEqual([expect.stringMatching(message)]);
  });
  it('a syntax error beside a key -> an error without the key', () => {
    for (const text of [
      'api-key: *canary\n',
      'api-key: "canary\n',
      'api-key: canary: x\n',
      'api-key: [canary\n',
      'api-key: @canary',
    ]) {
      const parsed = parseConfig('f', text);
      expect(parsed.ok, text).toBe(false);
      expect(JSON.stringify(parsed)).not.toContain('canary');
    }
  });
  it('one file in the working directory -> read; two files -> an error', async () => {
    expect(await loadConfig(null, directory)).toEqual({ ok: true, entries: [] });
    await writeConfig('conformance.config.yaml', 'runs: 3\n');
    expect(await loadConfig(null, directory)).toMatchObject({ entries: [{ name: 'runs', value: '3' }] });
    await writeConfig('conformance.config.json', '{}');
    expect(await loadConfig(null, directory)).toMatchObject({
      problems: [
        'conformance.config.yaml and conformance.config.json both exist: remove one, or name it with --config',
      ],
    });
  });
  it('a named file that is missing or not text -> an error', async () => {
    const missing = join(directory, 'none.yaml');
    expect(await loadConfig(missing, directory)).toEqual({
      ok: false,
      problems: [`--config ${missing}: there is no such file`],
    });
    expect(await loadConfig(directory, directory)).toMatchObject({
      problems: [expect.stringMatching(/is a directory/)],
    });
    const binary = await writeConfig('latin1.yaml', Uint8Array.of(0x61, 0xe9));
    expect(await loadConfig(binary, directory)).toMatchObject({
      problems: [expect.stringMatching(/is not UTF-8/)],
    });
  });
});

describe('parseKnownFailures', () => {
  const entries = [
    { id: 'LIST-2', reason: 'page size is 50 until March', at: expect.stringMatching(/^k:\d+:\d+$/) },
    { id: 'GET-3', reason: '42', at: expect.stringMatching(/^k:\d+:\d+$/) },
  ];
  it.each([
    '- { id: LIST-2, reason: page size is 50 until March }\n- id: GET-3\n  reason: 42\n',
    'LIST-2: page size is 50 until March\nGET-3: 42\n',
    '[{"id": "LIST-2", "reason": "page size is 50 until March"}, {"id": "GET-3", "reason": "42"}]',
  ])('a list or a map, in YAML or JSON -> the same entries', (text) => {
    expect(parseKnownFailures('k', text)).toEqual({ ok: true, entries });
  });
  it.each([
    ['- LIST-2\n', /^k:1:3: expected a list/],
    ['LIST-2:\n', /^k:1:1: LIST-2 has no reason/],
    ['- { id: LIST-2, reason: "  " }\n', /^k:1:3: LIST-2 has no reason/],
    ['- { id: A-1, reason: x }\n- { id: A-1, reason: y }\n', /^k:2:3: A-1 is listed twice/],
    ['- { reason: x }\n', /^k:1:3: expected/],
    ['just words', /^k:1:1: expected/],
  ])('%j -> an error with its position', (text, message) => {
    const parsed = parseKnownFailures('k', text);
    expect(parsed.ok ? [] : parsed.problems).toEqual([expect.stringMatching(message)]);
  });
});

describe('loadSettings', () => {
  const requirements = [
    { id: 'LIST-2', level: 'MUST', statement: '', section: '', subject: 'server', dependsOn: [] },
    { id: 'GEN-4', level: 'MUST', statement: '', section: '', subject: 'server', dependsOn: [] },
  ] as const;
  const load = (flags: Readonly<Record<string, unknown>>) =>
    loadSettings({ flags, env: {}, directory, requirements });
  it('a named file that cannot be used -> an error', async () => {
    const known = await writeConfig(
      'known.yaml',
      '- { id: LIST-2, reason: old }\n- { id: LIST-20, reason: older }\n- { id: LIST, reason: all }\n',
    );
    expect(await load({ knownFailures: known })).toEqual({
      ok: false,
      problems: [
        `${known}:2:3: unknown requirement "LIST-20": did you mean LIST-2?`,
        expect.stringMatching(/:3:3: unknown requirement "LIST"/),
      ],
    });
    expect(await load({ spec: join(directory, 'none.yaml') })).toMatchObject({
      problems: [expect.stringMatching(/^--spec .*none\.yaml: there is no such file$/)],
    });
  });
  it('--config -> replaces the file in the working directory', async () => {
    await writeConfig('conformance.config.yaml', 'runs: 3\n');
    const other = await writeConfig('other.yaml', 'runs: 4\n');
    expect(await load({})).toMatchObject({ ok: true, settings: { runs: 3 } });
    expect(await load({ config: other })).toMatchObject({ ok: true, settings: { runs: 4 } });
    expect(await load({ config: other, runs: '5' })).toMatchObject({ ok: true, settings: { runs: 5 } });
  });
});
