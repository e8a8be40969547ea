import { expect, test } from 'vitest';
import { loadCatalogue } from '../../openapi/catalogue.ts';
import { isGoodClient, testClients } from './test-clients.ts';

const clients = await testClients(Number(process.env.TEST_SEED ?? 1));

test('testClients: faulty clients -> killed by their requirements, and by no others', () => {
  const faulty = clients.filter(({ requirement }) => requirement !== null);
  expect(faulty.length).toBeGreaterThanOrEqual(25);
  expect(faulty.filter((client) => !isGoodClient(client))).toEqual([]);
});

test('testClients: conforming clients -> none accused', () => {
  const right = clients.filter(({ requirement }) => requirement === null);
  expect(right.length).toBeGreaterThanOrEqual(15);
  expect(right.filter((client) => !isGoodClient(client))).toEqual([]);
});

test('testClients: each requirement on clients -> a faulty client that it kills', () => {
  const ids = loadCatalogue().flatMap(({ id, subject }) => (subject === 'client' ? [id] : []));
  expect(ids.filter((id) => !clients.some(({ requirement }) => requirement === id))).toEqual([]);
});
