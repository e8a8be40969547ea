import { expect, test } from 'vitest';
import { systemClock } from '../../clock/clock.ts';
import type { Patch } from '../patch.ts';
import { createReference } from '../reference.ts';
import { missingKeyFaults } from './auth-missing.ts';
import { created, everywhere, inTurn, keyless, newPet, status, testDifferences } from './gen-testing.ts';

const remembered = 'key-remembered-by-the-connection';

test(remembered, async () => {
  const statusAfter = async (patches: readonly Patch[]) => {
    const keys = [{ key: 'key', plan: 'business' }] as const;
    const reference = createReference({ clock: systemClock, keys, random: () => 0, patches });
    const connection = {};
    const list = (headers: Record<string, string>) =>
      reference.fetch(new Request('http://localhost/v1/pets', { headers }), connection);
    await list({ authorization: 'Bearer key' });
    return (await list({})).status;
  };
  const patches = missingKeyFaults.filter(({ name }) => name === remembered).map(({ patch }) => patch);
  expect([await statusAfter([]), await statusAfter(patches)]).toEqual([401, 200]);
});

const alone = missingKeyFaults.filter(({ name }) => name !== remembered);
testDifferences(alone, {
  'nobody-needs-a-key': [everywhere(keyless), [200, 201, 200, 200]],
  'orders-need-no-key': [everywhere(keyless), [401, 401, 401, 200]],
  'reads-need-no-key': [everywhere(keyless), [200, 401, 200, 401]],
  'creation-needs-no-key': [everywhere(keyless), [401, 201, 401, 401]],
  'complete-creation-needs-no-key': [
    inTurn(
      everywhere(keyless),
      created(newPet({ status: 'sold' }), keyless),
      created(newPet({ status: 'sold' })),
    ),
    [[401, 401, 401, 401], 201, 201],
  ],
  'deprecated-operation-needs-no-key': [everywhere(keyless), [401, 401, 200, 401]],
  'lists-with-a-query-need-no-key': [
    inTurn(status('GET', '/pets?limit=1', keyless), status('GET', '/pets', keyless)),
    [200, 401],
  ],
  'available-animals-need-no-key': [
    inTurn(
      status('GET', '/pets?status=available', keyless),
      status('GET', '/pets?status=sold', keyless),
      status('GET', '/pets', keyless),
    ),
    [200, 401, 401],
  ],
  'missing-key-forbidden': [everywhere(keyless), [403, 403, 403, 403]],
  'missing-key-as-a-missing-header': [everywhere(keyless), [422, 422, 422, 422]],
  'missing-key-redirected-to-login': [everywhere(keyless), [302, 302, 302, 302]],
  'missing-key-answered-with-200': [everywhere(keyless), [200, 200, 200, 200]],
  'missing-key-hides-orders': [everywhere(keyless), [401, 401, 401, 404]],
  'session-opened-with-the-key': [
    everywhere({ key: null, headers: { cookie: 'sid=0123456789abcdef' } }),
    [200, 201, 200, 200],
  ],
  'lists-cached-before-authentication': [
    inTurn(status('GET', '/pets', keyless), status('GET', '/pets'), status('GET', '/pets', keyless)),
    [401, 200, 200],
  ],
  'lists-cached-in-front-until-a-creation': [
    inTurn(
      status('GET', '/pets'),
      status('GET', '/pets', keyless),
      status('POST', '/pets', { body: '{"name":"Rex","categoryId":1}' }),
      status('GET', '/pets', keyless),
    ),
    [200, 200, 201, 401],
  ],
  'last-caller-remembered': [
    inTurn(status('GET', '/pets', keyless), status('GET', '/pets'), status('GET', '/pets/1', keyless)),
    [401, 200, 200],
  ],
});
