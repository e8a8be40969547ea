import { expect, test } from 'vitest';
import { coveredBy } from '../../src/check/check.ts';
import { loadCatalogue } from '../../src/openapi/catalogue.ts';
import { oracleRequirements } from '../../src/oracle/oracle.ts';
import { checks } from './index.ts';

const catalogue = loadCatalogue();
const ofServers = catalogue.filter(({ subject }) => subject === 'server').map(({ id }) => id);
const given = new Set([...oracleRequirements, ...checks.flatMap(coveredBy)]);

test('every requirement on servers is judged by a check or by the oracle', () => {
  expect(ofServers.filter((id) => !given.has(id))).toEqual([]);
});

test('what checks and the oracle judge stands in the catalogue, as a requirement on servers', () => {
  expect([...given].filter((id) => !ofServers.includes(id))).toEqual([]);
});

test('every requirement on servers but those that the oracle judges alone is named by a check', () => {
  const named = new Set(checks.map(({ requirement }) => requirement));
  const unnamed = ofServers.filter((id) => !named.has(id) && !oracleRequirements.includes(id));
  const byOthers = unnamed.filter((id) => checks.some((check) => coveredBy(check).includes(id)));
  expect(unnamed).toEqual(byOthers);
  expect(byOthers).toEqual(['GET-7', 'ORDERS-2', 'RATE-6', 'RATE-8', 'RATE-9', 'RATE-13']);
});

test('a check -> a permanent id of its own that starts with its requirement, and a title of its own', () => {
  const of = (part: 'id' | 'title') => checks.map((check) => `${check.requirement} ${check[part]}`);
  for (const all of [of('id'), of('title'), checks.map(({ id }) => id)])
    expect(new Set(all).size).toBe(all.length);
  for (const check of checks) {
    expect(check.id).toMatch(/^[a-z\d]+(-[a-z\d]+)*$/);
    expect(check.id.startsWith(`${check.requirement.toLowerCase()}-`)).toBe(true);
    expect(new Set(coveredBy(check)).size).toBe(coveredBy(check).length);
  }
});

test('at most one check of a requirement generates cases, so that a path leads to one case', () => {
  const generating = checks
    .filter(({ arbitrary }) => arbitrary !== undefined)
    .map(({ requirement }) => requirement);
  expect(new Set(generating).size).toBe(generating.length);
});

test('the ids of checks are permanent', () => {
  expect(checks.map(({ id }) => id).toSorted()).toMatchSnapshot();
});

test('the ids are permanent', () => {
  expect(catalogue.map(({ id, level }) => `${id} ${level}`)).toMatchSnapshot();
});
