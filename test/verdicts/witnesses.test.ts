import { expect, test } from 'vitest';
import { testServer } from '../../src/selftest/test-server.ts';

/** If one request combines many inputs, the failure is reported with the smallest request that shows it. */
test.each([
  ['status-of-four-bytes-fails', 'LIST-7', /^GET \/pets\?status=%F0%9F%90%88$/],
  ['status-given-twice-fails', 'LIST-7', /^GET \/pets\?status=a&status=a$/],
  ['unknown-status-with-limit-fails', 'LIST-7', /^GET \/pets\?status=a&limit=5$/],
  ['limit-out-of-range-with-status-fails', 'LIST-5', /^GET \/pets\?limit=1{1,20}&status=available$/],
  ['spaces-in-names-refused', 'CREATE-1', /^POST \/pets {"name":"\w \w","categoryId":\d+}$/],
  ['accents-stripped', 'CREATE-2', /-\w+\u00eb?\u00e9?"}$/],
  [
    'order-of-members-assumed',
    'CREATE-1',
    /^POST \/pets {"status":"sold","categoryId":\d+,"name":"[\w-]+"}$/,
  ],
  ['operator-as-a-member-crashes', 'GEN-4', /{"name":"[\w-]+","categoryId":\d+,"\$set":{"name":"Ann"}}$/],
  ['deep-json-crashes', 'GEN-4', /{"name":"[\w-]+","status":"sold","nested":\[\[\[/],
  ['query-completes-the-body', 'CREATE-5', /^POST \/pets\?name=[\w-]+ {"categoryId":\d+}$/],
  ['quote-in-id-crashes', 'GET-3', /^GET \/pets\/\d+%27$/],
  ['limit-validated-before-the-key', 'AUTH-4', /^GET \/pets\?limit=101$/],
])('%s -> %s fails with a minimal request', async (fault, requirement, request) => {
  const only = [requirement];
  const { findings } = await testServer({
    kind: 'fault',
    names: [fault],
    seed: 42,
    only,
    budget: null,
    thorough: true,
  });
  const evidence = findings.find(({ id }) => id === requirement)?.evidence ?? [];
  expect(evidence.map((one) => one.request)).toEqual([expect.stringMatching(request)]);
});

test('key in 40 places at once -> names the two that are needed together', async () => {
  const names = ['key-in-a-cookie-that-a-header-repeats'];
  const { findings } = await testServer({
    kind: 'fault',
    names,
    seed: 42,
    only: ['AUTH-3'],
    budget: null,
    thorough: true,
  });
  const messages = findings.flatMap(({ evidence }) => evidence.map(({ message }) => message));
  expect(messages.length).toBeGreaterThan(0);
  for (const message of messages)
    expect(message).toContain(
      'with the valid key in the header X-Token and the cookie token together: expected 401',
    );
});
