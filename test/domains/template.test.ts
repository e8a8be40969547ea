import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadDomains } from '../../src/domains/read-file.ts';
import { temporaryFolder } from '../support/folder.ts';
import { command, folder } from '../support/processes.ts';

test('init --domains: the file that it writes -> read without a mistake, also with every comment as a field', async () => {
  const { out, code } = await command('init', '--domains');
  expect(code).toBe(0);
  expect(out).toContain('domains --config domains.yaml');
  const written = await loadDomains(join(folder, 'domains.yaml'));
  expect(written).toMatchObject({ ok: true, settings: { primary: 'www.shop.example' } });
  const text = await readFile(join(folder, 'domains.yaml'), 'utf8');
  const path = join(temporaryFolder(), 'all.yaml');
  await writeFile(path, text.replaceAll(/^( *)# (?=\w+: |\w+:$| {2}\w+: )/gm, '$1'));
  expect(await loadDomains(path)).toMatchObject({
    ok: true,
    settings: {
      authorities: ['ca.example'],
      removed: ['old.shop.example'],
      project: { contains: 'Welcome', status: 200 },
    },
  });
});
