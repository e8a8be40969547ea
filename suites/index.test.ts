import { expect, test } from 'vitest';
import { loadCatalogue } from '../src/document/catalogue.ts';
import { oracleRequirements } from '../src/oracle/oracle.ts';
import { checks } from './index.ts';

const catalogue = loadCatalogue();
const ofServers = catalogue.filter(({ subject }) => subject === 'server').map(({ id }) => id);
const given = new Set([...oracleRequirements, ...checks.flatMap(({ gives }) => gives)]);

test('every requirement on servers is judged by a check or by the oracle', () => {
  expect(ofServers.filter((id) => !given.has(id))).toEqual([]);
});

test('what checks and the oracle judge stands in the catalogue, as a requirement on servers', () => {
  expect([...given].filter((id) => !ofServers.includes(id))).toEqual([]);
});

test('every requirement on servers but those that the oracle judges alone is named by a check', () => {
  const named = new Set(checks.map(({ name }) => name.split(' ')[0]));
  const unnamed = ofServers.filter((id) => !named.has(id) && !oracleRequirements.includes(id));
  const byOthers = unnamed.filter((id) => checks.some(({ gives }) => gives.includes(id)));
  expect(unnamed).toEqual(byOthers);
  expect(byOthers).toEqual(['GET-7', 'ORDERS-2', 'RATE-6', 'RATE-8', 'RATE-9', 'RATE-13']);
});

test('a check has a name of its own, that starts with a requirement it gives evidence on', () => {
  const names = checks.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, gives } of checks) {
    expect(name).toMatch(/^[A-Z]+-\d+ \S/);
    expect(gives).toContain(name.split(' ')[0]);
    expect(new Set(gives).size).toBe(gives.length);
  }
});

test('at most one check of a requirement generates cases, so that a path leads to one case', () => {
  const generating = checks
    .filter(({ arbitrary }) => arbitrary !== undefined)
    .map(({ name }) => name.split(' ')[0]);
  expect(new Set(generating).size).toBe(generating.length);
});

test('the ids are permanent', () => {
  expect(catalogue.map(({ id, level }) => `${id} ${level}`)).toMatchSnapshot();
});
