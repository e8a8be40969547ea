import { expect, test } from 'vitest';
import { testServer } from '../reference/testing.ts';
import { degenerateServers } from './degenerate.ts';

const serverOf = (name: string) => {
  const found = degenerateServers.find((server) => server.name === name);
  return testServer({ seedPets: 3, patches: found ? [found.patch] : [] });
};

test.each([
  ['always-an-empty-list', 200, '[]'],
  ['always-one-list', 200, '[{"id":1,"name":"Bella","categoryId":1,"status":"available"}]'],
  ['always-one-pet', 200, '{"id":1,"name":"Bella","categoryId":1,"status":"available"}'],
  ['always-created', 201, '{"id":1,"name":"Bella","categoryId":1,"status":"available"}'],
  ['always-bad-request', 400, '{"code":"bad_request","message":"No.","status":400}'],
  ['always-not-found', 404, '{"code":"not_found","message":"No.","status":404}'],
  ['always-forbidden', 403, '{"code":"forbidden","message":"No.","status":403}'],
  ['always-too-many-requests', 429, ''],
  ['always-unavailable', 503, '<!doctype html><title>Welcome</title><p>It works.'],
  ['html-everywhere', 200, '<!doctype html><title>Welcome</title><p>It works.'],
  ['no-content-everywhere', 204, ''],
  ['redirect-everywhere', 302, ''],
  ['echo', 200, '{"name":'],
])('%s answers %i to whatever is asked', async (name, status, text) => {
  const server = serverOf(name);
  const created = await server.create('{"name":');
  expect([created.status, created.text]).toEqual([status, text]);
  for (const path of ['/pets', '/pets/1', '/nowhere']) {
    expect((await server.get(path)).status).toBe(status);
  }
});

test('requires-no-key serves without a key', async () => {
  expect((await serverOf('requires-no-key').get('/pets', { key: null })).status).toBe(200);
});

test('accepts-no-key refuses every key', async () => {
  expect((await serverOf('accepts-no-key').get('/pets')).status).toBe(401);
});

test('drops-every-connection answers nothing', async () => {
  await expect(serverOf('drops-every-connection').get('/pets')).rejects.toThrow('dropped');
});

test('each has a name of its own', () => {
  const names = degenerateServers.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
