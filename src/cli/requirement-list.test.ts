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

describe('listRequirements', () => {
  it('the catalogue -> every requirement in its order', async () => {
    expect((await listRequirements()).map(({ id }) => id)).toEqual(loadCatalogue().map(({ id }) => id));
  });
  it('a requirement that every exchange is tested with -> names the oracle', async () => {
    const byOracle = (await listRequirements()).filter(({ judgedBy }) =>
      judgedBy.some(({ file }) => file === 'src/oracle'),
    );
    expect(byOracle.map(({ id }) => id).toSorted()).toEqual([...oracleRequirements].toSorted());
  });
  it('a check that is exported twice -> named once', async () => {
    for (const { id, judgedBy } of await listRequirements()) {
      const checks = judgedBy.flatMap(({ checks }) => checks);
      expect(checks, id).toEqual([...new Set(checks)]);
    }
  });
  it('a check in a list of another file -> names its own file', async () => {
    const list = await listRequirements();
    const files = list.find(({ id }) => id === 'RATE-11')?.judgedBy.map(({ file }) => file);
    expect(files).toContain('suites/animal-store/rate-limit-daily.ts');
    expect(files).not.toContain('suites/animal-store/rate-limit.ts');
  });
  it('as text: a check -> a line with its file', () => {
    const judgedBy = [
      { file: 'suites/animal-store/list.ts', checks: ['LIST-3 limit is honored', 'LIST-4 bounds'] },
    ];
    expect(requirementsText([listed({ judgedBy })])).toBe(
      [
        'LIST-3     MUST   With `limit` n, at most n animals.',
        '    suites/animal-store/list.ts: LIST-3 limit is honored',
        '    suites/animal-store/list.ts: LIST-4 bounds',
        '',
      ].join('\n'),
    );
  });
  it('as text: a requirement on clients -> not tested by run', () => {
    expect(requirementsText([listed({ id: 'CLIENT-1', subject: 'client' })])).toContain(
      'not tested by run: a requirement on clients',
    );
  });
});
