// The commands `matrix` and `claim` of docs/how-to.md.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/openapi/package-root.ts';
import { parseReport } from '../../src/report/read.ts';
import { at, key, run, serve } from '../support/command.ts';
import { command, folder } from '../support/processes.ts';

const secretName = 'ops.internal.example';
let good = '';
let bad = '';

beforeAll(async () => {
  const few = ['--only', 'GEN', '--only', 'LIST', '--seed', '3'];
  const known = join(folder, 'known.yaml');
  writeFileSync(known, `- id: LIST-4\n  reason: see ${secretName}\n`);
  const faulty = await serve('--fault', 'limit-one-too-many');
  const [first, second] = await Promise.all([
    run([...few, '--reference']),
    run([...at(faulty), ...few, '--known-failures', known]),
  ]);
  [good, bad] = [first.reportDir, second.reportDir];
});

const read = (dir: string, name: string) => readFileSync(join(dir, name), 'utf8');
const newFolder = () => mkdtempSync(join(folder, 'matrix-'));

/** The failed requirements of a report. */
const failedIn = (dir: string): readonly string[] =>
  JSON.parse(read(dir, 'conformance.json'))
    .requirements.filter(
      ({ verdict, known }: { verdict: string; known: string | null }) =>
        verdict === 'failed' && known === null,
    )
    .map(({ id }: { id: string }) => id);

describe('matrix', () => {
  test('requirement × implementation, a page, and a badge beside each report', async () => {
    const dir = newFolder();
    const { code, out } = await command(
      'matrix',
      `good=${good}`,
      `bad <b>=${join(bad, 'conformance.json')}`,
      '--report-dir',
      dir,
    );
    expect([code, out]).toEqual([0, `2 implementations on one page: ${join(dir, 'matrix.html')}\n`]);
    const matrix = JSON.parse(read(dir, 'matrix.json'));
    expect(matrix.implementations).toMatchObject([
      { name: 'good', verdict: 'conformant', failed: [] },
      { name: 'bad <b>', verdict: 'nonconformant', failed: failedIn(bad) },
    ]);
    expect(failedIn(bad).length).toBeGreaterThan(0);
    const row = matrix.requirements.find(({ id }: { id: string }) => id === failedIn(bad)[0]);
    expect(row.verdicts).toEqual({ good: 'passed', 'bad <b>': 'failed' });
    expect(read(dir, 'matrix.html')).toContain('1 of 2 implementations conform');
    expect(read(dir, 'matrix.html')).not.toContain('<b>=');
    expect(read(good, 'badge.svg')).toContain('animal store: conformant');
    expect(read(bad, 'badge.svg')).toContain(`animal store: ${failedIn(bad).length} failed`);
  });

  test('--before -> what changed, and that nothing did', async () => {
    const [first, same, later] = [newFolder(), newFolder(), newFolder()];
    await command('matrix', `store=${bad}`, '--report-dir', first);
    const before = ['--before', join(first, 'matrix.json')];
    await command('matrix', `store=${bad}`, '--report-dir', same, ...before);
    expect(JSON.parse(read(same, 'matrix.json')).changes).toEqual([]);
    await command('matrix', `store=${good}`, '--report-dir', later, ...before);
    const { changes } = JSON.parse(read(later, 'matrix.json'));
    expect(changes).toContainEqual({
      implementation: 'store',
      id: failedIn(bad)[0],
      before: 'failed',
      now: 'passed',
    });
    expect(read(later, 'matrix.html')).toContain(
      `store: <span class="nb">${failedIn(bad)[0]}</span> passed (was failed)`,
    );
  });

  test.each([
    [['nameless'], 'nameless is not NAME=REPORT'],
    [['a=x', 'a=y'], 'a is the name of two reports'],
    [['a=no-such-folder'], 'there is no report at no-such-folder'],
    [[], "missing required argument 'NAME=REPORT'"],
  ])('matrix %j -> exit 2', async (words, problem) => {
    expect(await command('matrix', ...words)).toMatchObject({
      code: 2,
      err: expect.stringContaining(problem),
    });
  });

  test('--before that is no matrix -> exit 2', async () => {
    const ended = await command('matrix', `a=${good}`, '--before', join(good, 'conformance.json'));
    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining('is not a matrix.json') });
  });
});

describe('claim', () => {
  test('the verdicts, and nothing that the server, its operator, or the user wrote', async () => {
    const { code, out } = await command('claim', bad);
    const claim = parseReport(out, 'claim');
    const report = parseReport(read(bad, 'conformance.json'), bad);
    const verdictsOf = ({ requirements }: typeof claim) =>
      requirements.map(({ id, verdict }) => [id, verdict]);
    expect([code, claim.isClaim, claim.verdict, claim.seed]).toEqual([0, true, report.verdict, 3]);
    expect(verdictsOf(claim)).toEqual(verdictsOf(report));
    expect(claim.settings).toEqual({ only: ['GEN', 'LIST'], plan: 'business' });
    const withheld = [key, '127.0.0.1', secretName, folder, 'http:', 'conformance-'];
    for (const text of withheld) expect(out).not.toContain(text);
  });

  test('a requirement of the user, and an operation -> not named', async () => {
    const checks = join(folder, 'own-checks.ts');
    writeFileSync(
      checks,
      `import { defineCheck, defineRequirement, listPets } from '${packageRoot()}/src/api/index.ts';
export const own = defineRequirement({ id: 'ACME-1', statement: 'As ${secretName} says.' });
export const check = defineCheck({ requirement: 'ACME-1', title: 'a list', run: async (_: null, context) => {
  await context.send(listPets());
  context.passed();
} });`,
    );
    const { reportDir } = await run(['--reference', '--checks', checks, '--only', 'ACME', '--seed', '3']);
    const { out } = await command('claim', reportDir);
    const claim = parseReport(out, 'claim');
    const own = claim.requirements.find(({ id }) => id === 'ACME-1');
    expect(own).toMatchObject({ verdict: 'passed', statement: 'withheld' });
    expect([out.includes(secretName), claim.traffic.byOperation]).toEqual([false, {}]);
  });

  test('merge refuses claims, because they do not name their server', async () => {
    const file = join(newFolder(), 'claim.json');
    writeFileSync(file, (await command('claim', good)).out);
    expect(await command('merge', file)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Cannot merge claims'),
    });
  });

  test('matrix reads a claim like its report, and puts the badge beside it', async () => {
    const dir = newFolder();
    const claims = join(dir, 'claims');
    mkdirSync(claims);
    writeFileSync(join(claims, 'bad.json'), (await command('claim', bad)).out);
    await command('matrix', `store=${join(claims, 'bad.json')}`, '--report-dir', dir);
    const whole = newFolder();
    await command('matrix', `store=${bad}`, '--report-dir', whole);
    expect(read(dir, 'matrix.json')).toBe(read(whole, 'matrix.json'));
    expect(read(claims, 'bad.badge.svg')).toBe(read(bad, 'badge.svg'));
  });
});
