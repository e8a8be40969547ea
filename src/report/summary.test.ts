import { expect, test } from 'vitest';
import { annotations } from './annotations.ts';
import { headline } from './headline.ts';
import { summaryMarkdown } from './summary.ts';
import { brokenOutcome, failure, hostileStrings, outcomeOf, type Scenario } from './testing.ts';

const manyFailures = () =>
  outcomeOf({
    verdict: 'nonconformant',
    ended: 'The server stopped responding.',
    results: Object.fromEntries(
      outcomeOf().requirements.map(({ id }) => [id, { verdict: 'failed' as const, failures: [failure()] }]),
    ),
  });

/** GitHub shows no summary that is larger. */
const mostBytes = 1024 * 1024;

test('summaryMarkdown: many failures -> root causes, then every failed requirement with its replay, far below the limit of GitHub', () => {
  const outcome = manyFailures();
  const text = summaryMarkdown(outcome);
  const items = text.split('\n').filter((line) => line.startsWith('- **'));
  expect(items).toHaveLength(outcome.requirements.length);
  for (const item of items) expect(item).toContain(`<br>\`${failure().replay}\``);
  expect(text.indexOf('**Fix first**')).toBeLessThan(text.indexOf('- **'));
  expect(Buffer.byteLength(text)).toBeLessThan(mostBytes / 10);
  expect(text.split('\n')[2]).toContain('`http://127.0.0.1:4010/v1`');
});

test('summaryMarkdown, annotations: a requirement with a root cause -> before others', () => {
  const alone = failure({ exchange: 5, expected: 'another', actual: 'status' });
  const results = {
    'GEN-1': { failures: [alone] },
    'ERR-1': { failures: [failure()] },
    'LIST-1': { failures: [failure()] },
  };
  const failing = Object.fromEntries(
    Object.entries(results).map(([id, result]) => [id, { verdict: 'failed' as const, ...result }]),
  );
  const outcome = outcomeOf({ verdict: 'nonconformant', results: failing });
  const order = [...summaryMarkdown(outcome).matchAll(/^- \*\*(\S+)\*\*/gm)].map(([, id]) => id);
  expect(order).toEqual(['ERR-1', 'GEN-1', 'LIST-1']);
  expect(annotations(outcome).map((line) => /title=(\S+)/.exec(line)?.[1])).toEqual(order);
  expect(annotations(outcome)[0]).toMatch(/::Fix first: ERR-1 .*replay/);
});

test('annotations: a server that cannot be tested -> an error with the reason', () => {
  const ended = 'every operation returned 401: check the key';
  expect(annotations(outcomeOf({ verdict: 'not-judged', ended }))).toEqual([
    '::error title=Not judged::Every operation returned 401: check the key.',
  ]);
  expect(annotations(outcomeOf({ verdict: 'not-judged', ended: 'interrupted' }))).toEqual([]);
});

test('summaryMarkdown: a failed run -> verdict, failures, known failures, and figures', () => {
  const text = summaryMarkdown(brokenOutcome());
  for (const part of [
    'Failed: 2 of 27 requirements',
    'CREATE-9',
    'came back rounded',
    'seed 42',
    '665 requests',
    '3 animals created',
    'fixed in the next release',
    '1 known failure',
    'The check threw a TypeError',
  ]) {
    expect(text).toContain(part);
  }
  const another = { version: '2.1', title: 'Parcels' };
  expect(summaryMarkdown({ ...outcomeOf({ created: 1 }), interface: another })).toContain(
    '· 1 resource created ·',
  );
});

const inconclusive = { verdict: 'inconclusive', reason: 'the key is used up' } as const;
const barelyTested = Object.fromEntries(
  outcomeOf()
    .requirements.slice(1)
    .map(({ id }) => [id, inconclusive]),
);

test.each<[mark: string, scenario: Scenario]>([
  ['✅', {}],
  ['❌', { verdict: 'nonconformant', results: { 'GEN-1': { verdict: 'failed', failures: [failure()] } } }],
  ['⚠️', { ended: 'interrupted' }],
  ['⚠️', { results: barelyTested }],
  ['⚠️', { verdict: 'not-judged', ended: 'no connection' }],
  ['⚠️', { results: { 'GEN-1': { known: 'once broken' } } }],
])('summaryMarkdown -> the mark %s and the headline first, for %j', (mark, scenario) => {
  const outcome = outcomeOf(scenario);
  expect(summaryMarkdown(outcome).split('\n', 1)).toEqual([`## ${mark} ${headline(outcome)}`]);
});

test('summaryMarkdown: a run that ended early -> the reason, and what was not tested', () => {
  const skipped = { verdict: 'skipped', reasonCode: 'needs-rate-limit-key' } as const;
  const text = summaryMarkdown(outcomeOf({ ended: 'interrupted', results: { 'RATE-5': skipped } }));
  expect(text).toContain('**Not tested:** RATE-5 \\(needs --rate-limit-key\\)\n');
  expect(text).toContain('**Ended early:** interrupted');
});

test('summaryMarkdown: markup from the server -> text', () => {
  const hostile = failure({ message: hostileStrings, replay: `run --base-url \`\`${hostileStrings}\n# x` });
  const text = summaryMarkdown(
    outcomeOf({ verdict: 'nonconformant', results: { 'GEN-4': { verdict: 'failed', failures: [hostile] } } }),
  );
  const [, code = ''] = /^- \*\*GEN-4.*<br>(.*)$/m.exec(text) ?? [];
  expect(code).toMatch(/^``` .* ```$/);
  expect(text.replace(code, '')).not.toMatch(/<script|<img/);
  expect(text).not.toMatch(/^# x/m);
});

test('annotations: failures, warnings, known failures -> errors, warnings, notices', () => {
  const lines = annotations(brokenOutcome());
  const titled = (command: string) =>
    lines.filter((line) => line.startsWith(`::${command} `)).map((line) => /title=(\S+)/.exec(line)?.[1]);
  expect(titled('error')).toEqual(['GEN-4', 'CREATE-9', 'RATE-6']);
  expect(titled('warning')).toEqual(['AUTH-6']);
  expect(titled('notice')).toEqual(['LIST-6']);
  expect(annotations(outcomeOf())).toEqual([]);
});

test('annotations: any text -> one line with one command', () => {
  for (const line of annotations(brokenOutcome())) {
    expect(line).not.toMatch(/[\r\n]/);
    const [, title = ''] = /^::\w+ title=(.*?)::/.exec(line) ?? [];
    expect(title).not.toMatch(/[:,]/);
    expect(line.replaceAll(/%(25|0A|0D|3A|2C)/g, '')).not.toContain('%');
  }
});

test('annotations: a known failure that passes -> an error', () => {
  expect(annotations(outcomeOf({ results: { 'GEN-1': { known: 'once broken' } } }))).toEqual([
    expect.stringMatching(/^::error title=GEN-1 .*Passes now: .*once broken/),
  ]);
});
