import { describe, expect, test } from 'vitest';
import { loadCatalogue, parseCatalogue } from './catalogue.ts';

const entry = `- id: AUTH-1
  level: MUST
  statement: A statement.
  section: Authentication
  subject: server
  dependsOn: []
`;

describe('the shipped catalogue', () => {
  test('has permanent ids and levels', () => {
    const groups = Map.groupBy(loadCatalogue(), ({ id }) => id.replace(/-\d+$/, ''));
    const lines = [...groups].map(
      ([group, members]) =>
        `${group} ${members.map(({ id, level }) => `${id.split('-')[1]}:${level}`).join(' ')}`,
    );
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "GEN 1:MUST 2:MUST 3:MUST 4:MUST
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
});

describe('malformed catalogue -> an error of one line', () => {
  test.each([
    ['id: x', 'c.yaml: expected a list of requirements'],
    ['- 1', 'c.yaml: entry 1: expected a requirement'],
    [`${entry}- level: MUST`, 'c.yaml: entry 2: id must be text'],
    [entry.replace('AUTH-1', 'auth'), 'c.yaml: entry 1: "auth" is not of the form GROUP-N'],
    [entry.replace('MUST', 'MAY'), 'c.yaml: AUTH-1: level must be one of MUST, SHOULD, OPEN'],
    [entry.replace('server', 'nobody'), 'c.yaml: AUTH-1: subject must be one of server, client, domain'],
    [entry.replace('A statement.', '""'), 'c.yaml: AUTH-1: statement must be text'],
    [entry.replace('[]', 'AUTH-2'), 'c.yaml: AUTH-1: dependsOn must be a list of requirement ids'],
    [entry.replace('[]', '[AUTH-2]'), 'c.yaml: AUTH-1 depends on "AUTH-2", which is not another requirement'],
    [entry.replace('[]', '[AUTH-1]'), 'c.yaml: AUTH-1 depends on "AUTH-1", which is not another requirement'],
    [entry + entry, 'c.yaml: AUTH-1 is there twice'],
    ['- {', 'c.yaml: '],
  ])('%j', (text, message) => {
    const thrown = (() => {
      try {
        parseCatalogue(text, 'c.yaml');
      } catch (error) {
        return String(error);
      }
      return 'nothing thrown';
    })();
    expect(thrown).toContain(message);
    expect(thrown).not.toContain('\n');
  });
});
