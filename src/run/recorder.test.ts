import { expect, test } from 'vitest';
import { breachOf, checkNamed, exchangeOf } from '../../test/support/build.ts';
import { listPets } from '../check/requests.ts';
import { createExchangeStore } from './recorder.ts';

const plain = (text: string) => text;
const exchange = (body = '[]') => exchangeOf(listPets({}), { body });

test('failing check -> keeps every exchange', () => {
  const exchangeStore = createExchangeStore({ redact: plain, redactResponse: plain });
  const send = (count: number) =>
    Array.from({ length: count }, () => exchange()).map((each) => {
      exchangeStore.add(each, checkNamed('LIST-1 a check'), []);
      exchangeStore.add(exchange(), checkNamed('LIST-1 another check'), []);
      return each;
    });
  const before = send(10);
  const breached = exchange();
  exchangeStore.add(breached, checkNamed('LIST-1 a check'), [breachOf('GEN-1')]);
  const all = [...before, breached, ...send(5)].map(({ id }) => id);
  const ofCheck = exchangeStore.all().filter(({ check }) => check === 'LIST-1 a check');
  expect(ofCheck.map(({ id }) => id)).toEqual(all);
  expect(exchangeStore.all()).toHaveLength(16 + 3);
});

test('check with a pinned exchange -> keeps every exchange', () => {
  const exchangeStore = createExchangeStore({ redact: plain, redactResponse: plain });
  const all = Array.from({ length: 10 }, () => exchange());
  for (const each of all) exchangeStore.add(each, checkNamed('LIST-1 a check'), []);
  for (const each of all.slice(-1)) exchangeStore.pin(each, checkNamed('LIST-1 a check'), 'LIST-8');
  expect(exchangeStore.all()).toHaveLength(10);
});

test.each([60_000, 200_000])('many bodies of %d bytes -> 25 MB of them are kept', (length) => {
  const exchangeStore = createExchangeStore({ redact: plain, redactResponse: plain });
  for (let count = 0; count < 2_000; count += 1) {
    exchangeStore.add(exchange('x'.repeat(length)), checkNamed(`LIST-1 check ${count}`), []);
    exchangeStore.add(exchange('x'.repeat(length)), checkNamed('LIST-1 a check'), [breachOf('GEN-1')]);
    exchangeStore.add(exchange('x'.repeat(length)), checkNamed('LIST-1 a check'), []);
  }
  const kept = exchangeStore.all().reduce((sum, { response }) => sum + (response?.body?.length ?? 0), 0);
  expect(kept).toBeLessThan(25 * 1024 * 1024);
});

test('exchanges are in the order of sending, with keys redacted and the reason for a missing response', () => {
  const redact = (text: string) => text.replaceAll('secret', '…');
  const exchangeStore = createExchangeStore({ redact, redactResponse: redact });
  const [first, second] = [exchange('"secret"'), exchange('"secret"')];
  const silent = {
    ...second,
    response: null,
    failure: { kind: 'reset', detail: { code: 'closed', bodyBytes: null }, reused: false },
  } as const;
  exchangeStore.add(silent, checkNamed('LIST-1 a check'), [breachOf('GEN-4')]);
  exchangeStore.add(first, checkNamed('LIST-1 a check'), []);
  const kept = exchangeStore.all();
  expect(kept.map(({ id }) => id)).toEqual([first.id, silent.id]);
  expect(kept.map(({ failure }) => failure)).toEqual([null, silent.failure.detail]);
  expect(JSON.stringify(kept)).not.toContain('secret');
});

test('pinned exchange -> kept once, also if the store is full', () => {
  const exchangeStore = createExchangeStore({ redact: plain, redactResponse: plain });
  for (let count = 0; count < 500; count += 1)
    exchangeStore.add(exchange(), checkNamed('LIST-1 a check'), [breachOf('GEN-1')]);
  const [first] = exchangeStore.all();
  const late = exchange();
  exchangeStore.add(late, checkNamed('LIST-1 a check'), []);
  for (const requirement of ['LIST-8', 'GET-1', 'LIST-8'])
    exchangeStore.pin(late, checkNamed('LIST-1 a check'), requirement);
  expect(exchangeStore.all().at(-1)).toMatchObject({ id: late.id, breaches: ['LIST-8', 'GET-1'] });
  const again = { ...exchange(), id: first?.id ?? 0 };
  exchangeStore.pin(again, checkNamed('LIST-1 a check'), 'LIST-3');
  expect(exchangeStore.all().filter(({ id }) => id === first?.id)).toMatchObject([
    { breaches: ['GEN-1', 'LIST-3'] },
  ]);
});
