import { expect, test } from 'vitest';
import { breachOf, exchangeOf } from '../../test/support/build.ts';
import { createPet, getPet, listPets } from '../check/requests.ts';
import { placed } from './breach-context.ts';
import type { Probe } from './probe.ts';

const nobody = { creationsOf: () => [] };
const sentOf = (probe: Probe) => ({ probe, exchange: exchangeOf(probe, {}) });
const creation = createPet({ name: 'Rex', categoryId: 1n });

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
  expect(found).toMatchObject({ probe: last.probe, about: { kind: 'request', probe: last.probe } });
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

test('a request for an animal by its id is about the creation as well', () => {
  const made = exchangeOf(creation, { status: 201 });
  const creationsOf = (id: bigint) => (id === 7n ? [made] : []);
  const aboutOf = (id: string) => {
    const sent = sentOf(getPet(id));
    return placed({ ...breachOf('GET-1'), exchange: sent.exchange }, [sent], { creationsOf }).about;
  };
  expect(aboutOf('7')).toMatchObject({ kind: 'request', createdBy: made });
  expect(aboutOf('8')).not.toHaveProperty('createdBy');
});

test('what a rule says a breach is about stays', () => {
  const list = sentOf(listPets({}));
  const about = { kind: 'creation', exchange: exchangeOf(creation, { status: 201 }) } as const;
  const breach = { ...breachOf('LIST-8'), exchange: list.exchange, about };
  expect(placed(breach, [list], nobody).about).toBe(about);
});
