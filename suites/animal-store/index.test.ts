import { expect, test } from 'vitest';
import { coveredBy } from '../../src/check/check.ts';
import { loadCatalogue } from '../../src/openapi/catalogue.ts';
import { oracleRequirements } from '../../src/oracle/oracle.ts';
import { checks } from './index.ts';

const catalogue = loadCatalogue();
const ofServers = catalogue.filter(({ subject }) => subject === 'server').map(({ id }) => id);
const given = new Set([...oracleRequirements, ...checks.flatMap(coveredBy)]);

test('every requirement on servers -> a check or the oracle tests it', () => {
  expect(ofServers.filter((id) => !given.has(id))).toEqual([]);
});

test('checks and the oracle -> test only requirements on servers in the catalogue', () => {
  expect([...given].filter((id) => !ofServers.includes(id))).toEqual([]);
});

test('every requirement on servers that the oracle does not test alone -> a check is named after it', () => {
  const named = new Set(checks.map(({ requirement }) => requirement));
  const unnamed = ofServers.filter((id) => !named.has(id) && !oracleRequirements.includes(id));
  const byOthers = unnamed.filter((id) => checks.some((check) => coveredBy(check).includes(id)));
  expect(unnamed).toEqual(byOthers);
  expect(byOthers).toEqual(['GET-7', 'ORDERS-2', 'RATE-6', 'RATE-8', 'RATE-9', 'RATE-13']);
});

test('a check -> a unique permanent id that starts with its requirement, and a unique title', () => {
  const of = (part: 'id' | 'title') => checks.map((check) => `${check.requirement} ${check[part]}`);
  for (const all of [of('id'), of('title'), checks.map(({ id }) => id)])
    expect(new Set(all).size).toBe(all.length);
  for (const check of checks) {
    expect(check.id).toMatch(/^[a-z\d]+(-[a-z\d]+)*$/);
    expect(check.id.startsWith(`${check.requirement.toLowerCase()}-`)).toBe(true);
    expect(new Set(coveredBy(check)).size).toBe(coveredBy(check).length);
  }
});

test('a requirement -> at most one check generates cases, so that a path names one case', () => {
  const generating = checks
    .filter(({ arbitrary }) => arbitrary !== undefined)
    .map(({ requirement }) => requirement);
  expect(new Set(generating).size).toBe(generating.length);
});
