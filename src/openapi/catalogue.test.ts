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
