import { expect, test } from 'vitest';
import { breachOf, exchangeOf } from '../../test/support/build.ts';
import { createPet, getPet, listPets } from '../check/requests.ts';
import type { Probe } from '../finding/probe.ts';
import { withContext } from './breach-context.ts';

const noCreations = { creationsOf: () => [] };
const sentOf = (probe: Probe) => ({ probe, exchange: exchangeOf(probe, {}) });
const creation = createPet({ name: 'Rex', categoryId: 1n });

test('breach -> the earlier exchanges of the same case, without repetitions', () => {
  const [first, second, repeated, last, later] = [
    sentOf(creation),
    sentOf(creation),
    sentOf(getPet('7')),
    sentOf(getPet('7')),
    sentOf(listPets({})),
  ];
  const found = withContext(
    { ...breachOf('GET-1'), exchange: last.exchange },
    [first, second, repeated, last, later],
    noCreations,
  );
  expect(found.before).toEqual([first.exchange, second.exchange]);
  expect(found).toMatchObject({ probe: last.probe, about: { kind: 'request', probe: last.probe } });
});

test('many earlier exchanges -> the last three', () => {
  const sent = ['1', '2', '3', '4', '5'].map((id) => sentOf(getPet(id)));
  const { before } = withContext(
    { ...breachOf('GET-1'), exchange: sentOf(listPets({})).exchange },
    sent,
    noCreations,
  );
  expect(before).toEqual(sent.slice(2).map(({ exchange }) => exchange));
});

test('request for a created animal -> only its creation', () => {
  const [creationExchange, other] = [exchangeOf(creation, { status: 201 }), sentOf(listPets({}))];
  const requested = sentOf(getPet('7'));
  const creationsOf = (id: bigint) => (id === 7n ? [creationExchange] : []);
  const found = withContext({ ...breachOf('GET-1'), exchange: requested.exchange }, [other, requested], {
    creationsOf,
  });
  expect(found.before).toEqual([creationExchange]);
});

test('breach with an origin -> only the origin', () => {
  const refusal = exchangeOf(creation, { status: 400 });
  const list = sentOf(listPets({}));
  const breach = { ...breachOf('CREATE-8'), exchange: list.exchange, origin: [refusal, list.exchange] };
  expect(withContext(breach, [sentOf(getPet('1')), list], noCreations).before).toEqual([refusal]);
});

test('request for a created animal -> the subject has its creation', () => {
  const creationExchange = exchangeOf(creation, { status: 201 });
  const creationsOf = (id: bigint) => (id === 7n ? [creationExchange] : []);
  const aboutOf = (id: string) => {
    const sent = sentOf(getPet(id));
    return withContext({ ...breachOf('GET-1'), exchange: sent.exchange }, [sent], { creationsOf }).about;
  };
  expect(aboutOf('7')).toMatchObject({ kind: 'request', createdBy: creationExchange });
  expect(aboutOf('8')).not.toHaveProperty('createdBy');
});

test('breach with a subject -> unchanged', () => {
  const list = sentOf(listPets({}));
  const about = { kind: 'creation', exchange: exchangeOf(creation, { status: 201 }) } as const;
  const breach = { ...breachOf('LIST-8'), exchange: list.exchange, about };
  expect(withContext(breach, [list], noCreations).about).toBe(about);
});
