import { expect, test } from 'vitest';
import { loadCatalogue } from './catalogue.ts';

test('every requirement has its fields, and depends only on others', () => {
  const ids = loadCatalogue().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { dependsOn, ...fields } of loadCatalogue()) {
    expect(fields).toEqual({
      id: expect.stringMatching(/^[A-Z]+-[1-9]\d*$/),
      level: expect.stringMatching(/^(MUST|SHOULD|OPEN)$/),
      statement: expect.stringMatching(/./),
      section: expect.stringMatching(/./),
      subject: expect.stringMatching(/^(server|client|domain)$/),
    });
    expect(ids).toEqual(expect.arrayContaining([...dependsOn]));
  }
});

test('has permanent ids and levels', () => {
  const groups = Map.groupBy(loadCatalogue(), ({ id }) => id.replace(/-\d+$/, ''));
  const lines = [...groups].map(
    ([group, members]) =>
      `${group} ${members.map(({ id, level }) => `${id.split('-')[1]}:${level}`).join(' ')}`,
  );
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "GEN 1:MUST 2:MUST 3:MUST 4:MUST 5:SHOULD
    ERR 1:MUST 2:MUST 3:OPEN
    AUTH 1:MUST 2:MUST 3:MUST 4:MUST 5:MUST 6:SHOULD
    LIST 1:MUST 2:MUST 3:MUST 4:MUST 5:MUST 6:MUST 7:MUST 8:MUST 9:MUST 10:OPEN
    CREATE 1:MUST 2:MUST 3:MUST 4:MUST 5:MUST 6:MUST 7:MUST 8:MUST 9:MUST 10:MUST 11:OPEN
    GET 1:MUST 2:MUST 3:MUST 4:MUST 5:MUST 6:SHOULD 7:OPEN
    ORDERS 1:MUST 2:OPEN
    RATE 1:MUST 2:MUST 3:MUST 4:MUST 5:MUST 6:MUST 7:MUST 8:MUST 9:MUST 10:SHOULD 11:MUST 12:OPEN 13:MUST 14:SHOULD
    VER 1:MUST
    CLIENT 1:MUST 2:MUST 3:MUST 4:MUST 5:MUST 6:SHOULD 7:SHOULD
    DOMAIN 1:MUST 2:MUST 3:MUST 4:MUST 5:MUST 6:MUST 7:MUST 8:MUST 9:OPEN"
  `);
});

test('every group has one subject', () => {
  const subjects = { CLIENT: 'client', DOMAIN: 'domain' };
  for (const { id, subject } of loadCatalogue()) {
    const [group = ''] = id.split('-');
    expect([id, subject]).toEqual([
      id,
      Object.entries(subjects).find(([name]) => name === group)?.[1] ?? 'server',
    ]);
  }
});

test('no requirement depends on itself, directly or through others', () => {
  const dependsOn = new Map(loadCatalogue().map((requirement) => [requirement.id, requirement.dependsOn]));
  const reaches = (from: string, to: string): boolean =>
    (dependsOn.get(from) ?? []).some((next) => next === to || reaches(next, to));
  expect([...dependsOn.keys()].filter((id) => reaches(id, id))).toEqual([]);
});
