import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '../openapi/catalogue.ts';
import { oracleRequirements } from '../oracle/oracle.ts';
import type { ListedRequirement } from './requirement-list.ts';
import { listRequirements, requirementsText } from './requirement-list.ts';

const listed = (changes: Partial<ListedRequirement>): ListedRequirement => ({
  id: 'LIST-3',
  level: 'MUST',
  statement: 'With `limit` n, at most n animals.',
  section: 'GET /pets',
  subject: 'server',
  dependsOn: [],
  judgedBy: [],
  ...changes,
});

describe('the list of requirements', () => {
  it('holds the whole catalogue in its order', async () => {
    expect((await listRequirements()).map(({ id }) => id)).toEqual(loadCatalogue().map(({ id }) => id));
  });
  it('names the oracle for what it judges with every exchange', async () => {
    const byOracle = (await listRequirements()).filter(({ judgedBy }) =>
      judgedBy.some(({ file }) => file === 'src/oracle'),
    );
    expect(byOracle.map(({ id }) => id).toSorted()).toEqual([...oracleRequirements].toSorted());
  });
  it('names each check of a requirement once', async () => {
    for (const { id, judgedBy } of await listRequirements()) {
      const checks = judgedBy.flatMap(({ checks }) => checks);
      expect(checks, id).toEqual([...new Set(checks)]);
    }
  });
  it('names the file that a check is in, not one that lists it', async () => {
    const list = await listRequirements();
    const files = list.find(({ id }) => id === 'RATE-11')?.judgedBy.map(({ file }) => file);
    expect(files).toContain('suites/animal-store/rate-limit-daily.ts');
    expect(files).not.toContain('suites/animal-store/rate-limit.ts');
  });
  it('tells a check by its file', () => {
    const judgedBy = [
      { file: 'suites/animal-store/list.ts', checks: ['LIST-3 limit is honoured', 'LIST-4 bounds'] },
    ];
    expect(requirementsText([listed({ judgedBy })])).toBe(
      [
        'LIST-3     MUST   With `limit` n, at most n animals.',
        '    suites/animal-store/list.ts: LIST-3 limit is honoured',
        '    suites/animal-store/list.ts: LIST-4 bounds',
        '',
      ].join('\n'),
    );
  });
  it('says where run is not the judge', () => {
    expect(requirementsText([listed({ id: 'CLIENT-1', subject: 'client' })])).toContain(
      'not judged by run: a requirement on clients',
    );
  });
});
