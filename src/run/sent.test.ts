import { expect, test } from 'vitest';
import { breachOf } from '../../test/support/executing.ts';
import { exchangeOf } from '../../test/support/judging.ts';
import type { Probe } from '../oracle/probe.ts';
import { createPetOf, getPet, listPets } from './probes.ts';
import { placed } from './sent.ts';

const nobody = { creationsOf: () => [] };
const sentOf = (probe: Probe) => ({ probe, exchange: exchangeOf(probe, {}) });
const creation = createPetOf({ name: 'Rex', categoryId: 1n });

test('a breach has before it what was answered before for the same case, but for the same question', () => {
  const [first, second, again, last, later] = [
    sentOf(creation),
    sentOf(creation),
    sentOf(getPet('7')),
    sentOf(getPet('7')),
    sentOf(listPets({})),
  ];
  const found = placed(
    { ...breachOf('GET-1'), exchange: last.exchange },
    [first, second, again, last, later],
    nobody,
  );
  expect(found.before).toEqual([first.exchange, second.exchange]);
  expect(found.request).toBe('GET /pets/7');
});

test('no more than the last three of them', () => {
  const sent = ['1', '2', '3', '4', '5'].map((id) => sentOf(getPet(id)));
  const { before } = placed({ ...breachOf('GET-1'), exchange: sentOf(listPets({})).exchange }, sent, nobody);
  expect(before).toEqual(sent.slice(2).map(({ exchange }) => exchange));
});

test('of an animal that a creation gave the creation alone', () => {
  const [made, other] = [exchangeOf(creation, { status: 201 }), sentOf(listPets({}))];
  const asked = sentOf(getPet('7'));
  const creationsOf = (id: bigint) => (id === 7n ? [made] : []);
  const found = placed({ ...breachOf('GET-1'), exchange: asked.exchange }, [other, asked], { creationsOf });
  expect(found.before).toEqual([made]);
});

test('of what a rule holds it against that alone', () => {
  const refusal = exchangeOf(creation, { status: 400 });
  const list = sentOf(listPets({}));
  const breach = { ...breachOf('CREATE-8'), exchange: list.exchange, origin: [refusal, list.exchange] };
  expect(placed(breach, [sentOf(getPet('1')), list], nobody).before).toEqual([refusal]);
});

test('a body says more than words about it, but for a long one', () => {
  const words = (probe: Probe) => {
    const sent = sentOf(probe);
    return placed({ ...breachOf('CREATE-1'), exchange: sent.exchange }, [sent], nobody).request;
  };
  expect(words({ ...creation, label: 'a dog' })).toBe('POST /pets {"name":"Rex","categoryId":1}');
  const long = createPetOf({ name: 'x'.repeat(200), categoryId: 1n });
  expect(words({ ...long, label: 'a long name' })).toBe('POST /pets with a long name');
});

test('an animal that is asked for by its id is told by how it was created', () => {
  const made = exchangeOf(creation, { status: 201 });
  const creationsOf = (id: bigint) => (id === 7n ? [made] : []);
  const words = (id: string) => {
    const sent = sentOf(getPet(id));
    return placed({ ...breachOf('GET-1'), exchange: sent.exchange }, [sent], { creationsOf }).request;
  };
  expect(words('7')).toBe('GET /pets/7, created by POST /pets {"name":"Rex","categoryId":1}');
  expect(words('8')).toBe('GET /pets/8');
});

test('what a rule itself says is wrong stands for the request', () => {
  const list = sentOf(listPets({}));
  const breach = { ...breachOf('LIST-8'), exchange: list.exchange, request: 'POST /pets {"name":""}' };
  expect(placed(breach, [list], nobody).request).toBe('POST /pets {"name":""}');
});
