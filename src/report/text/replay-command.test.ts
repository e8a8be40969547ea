import { describe, expect, test } from 'vitest';
import { breachOf, checkNamed, noSettings, today } from '../../../test/support/build.ts';
import type { RunSettings } from '../../config/settings.ts';
import { replayOf } from './replay-command.ts';

const command = 'animal-store-conformance run --base-url http://127.0.0.1:4010/v1';
const folder = '--report-dir reports/replay-LIST-3';
const target = {
  baseUrl: 'http://127.0.0.1:4010/v1',
  reference: false,
  keys: { main: 'a-key', 'rate-limit': null },
};

/** The command that repeats a breach of LIST-3. */
const replay = (
  { check = 'LIST-3', path }: { readonly check?: string; readonly path: string | null },
  settings: Partial<RunSettings> = {},
  reference = false,
) =>
  replayOf(
    { breach: breachOf('LIST-3'), check: checkNamed(check), path },
    {
      settings: { ...noSettings, ...settings },
      target: { ...target, reference },
      seed: 7,
      redact: (text) => text,
      redactResponse: (text) => text,
    },
  );

const longer = { runs: 60, budget: 300, skip: ['RATE'], shard: { index: 1, of: 3 } };

describe('replayOf a case', () => {
  test('a path -> the requirement, its check, and the path', () => {
    expect(replay({ path: '30:1' })).toBe(`${command} --only LIST-3 --seed 7 --path 30:1@list-3 ${folder}`);
    expect(replay({ check: 'CREATE-2', path: '4' })).toBe(
      `${command} --only LIST-3 --seed 7 --path 4@create-2 ${folder}`,
    );
  });

  test('settings of a longer run -> the same command', () => {
    expect(replay({ path: '4' }, longer)).toBe(replay({ path: '4' }));
  });

  test('the built-in server -> --reference', () => {
    expect(replay({ path: '4' }, {}, true)).toBe(
      `animal-store-conformance run --reference --only LIST-3 --seed 7 --path 4@list-3 ${folder}`,
    );
  });

  test.each([
    ['elsewhere', 'elsewhere/replay-LIST-3'],
    ['a folder/', "'a folder/replay-LIST-3'"],
    ['reports/replay-CREATE-9', 'reports/replay-LIST-3'],
  ])('reports in %s -> a separate folder', (reportDir, own) => {
    expect(replay({ path: '4' }, { reportDir })).toContain(` --report-dir ${own}`);
  });

  test('settings that limit or change the case -> in the command; others -> not', () => {
    const bounded = replay(
      { path: '4' },
      {
        readOnly: true,
        maxCreates: 5,
        plan: 'free',
        categoryIds: [1n, 2n ** 60n],
        risky: false,
        now: today,
        allowAnyPath: true,
        timeout: 500,
        maxBody: 5_000_000,
        spec: "it's mine.yaml",
        strict: true,
        apiKey: 'a-key',
      },
    );
    for (const words of [
      '--read-only',
      '--max-creates 5',
      '--plan free',
      '--category-id 1 --category-id 1152921504606846976',
      '--no-risky',
      '--now 2026-03-01T12:00:00.000Z',
      '--allow-any-path',
      '--timeout 500',
      '--max-body 5000000',
      "--spec 'it'\\''s mine.yaml'",
    ])
      expect(bounded).toContain(` ${words} `);
    for (const words of ['--strict', 'a-key']) expect(bounded).not.toContain(words);
  });
});

describe('replayOf a run', () => {
  test('no path -> only the requirement', () => {
    expect(replay({ path: null })).toBe(`${command} --only LIST-3 --seed 7 ${folder}`);
  });

  test('settings that select cases -> in the command', () => {
    expect(replay({ path: null }, { ...longer, only: ['LIST', 'GET-1'] })).toBe(
      `${command} --budget 300 --runs 60 --shard 1/3 --only LIST-3 --seed 7 ${folder}`,
    );
  });
});

test('replayOf: secrets -> redacted in the command', () => {
  const redact = (text: string) => text.replaceAll('127.0.0.1', 'host');
  const found = { breach: breachOf('LIST-3'), check: checkNamed('LIST-3'), path: null };
  expect(
    replayOf(found, { settings: noSettings, target, seed: 7, redact, redactResponse: redact }),
  ).toContain('http://host:4010/v1');
});
