import { describe, expect, test } from 'vitest';
import { document, parsedResponse, type ResponseStub, serverModelAt } from '../../test/support/build.ts';
import { createPet, getPet, listOrders, listPets } from '../check/requests.ts';
import type { Probe } from '../finding/probe.ts';
import { bearer } from '../http/credentials.ts';
import { privateCategory } from '../oracle/pet.ts';

const rex = (id: bigint, name = 'Rex') => ({ id, name, categoryId: 1n });
const named = (name: string) => createPet({ name, categoryId: 1n });

/** A server model with a shorthand for a response. */
const modelWithUpdate = () => {
  const serverModel = serverModelAt();
  const update = (probe: Probe, stub: ResponseStub, sequence: number, sequenceAtEnd = sequence) =>
    serverModel.update({ probe, response: parsedResponse(probe, stub), sequence, sequenceAtEnd });
  return { serverModel, update };
};

describe('id', () => {
  test('seen twice -> the first time counts', () => {
    const { serverModel, update } = modelWithUpdate();
    update(getPet('5'), { json: rex(5n) }, 1, 1);
    update(listPets({}), { json: [rex(5n)] }, 7, 9);
    expect(serverModel.idSeenBefore(5n, 2)).toBe(true);
  });

  test('shown to another key first -> seen when the key of the run got it', () => {
    const { serverModel, update } = modelWithUpdate();
    update(listPets({ credential: bearer('rate-limit') }), { json: [rex(5n)] }, 1);
    expect([serverModel.isKnownId(5n), serverModel.idSeenBefore(5n, 9)]).toEqual([true, false]);
    update(listPets({}), { json: [rex(5n)] }, 2);
    expect([2, 3].map((sequence) => serverModel.idSeenBefore(5n, sequence))).toEqual([false, true]);
  });

  test('above 2^53 -> compared exactly', () => {
    const { serverModel, update } = modelWithUpdate();
    update(listPets({}), { json: [rex(2n ** 53n + 1n)] }, 1);
    expect(serverModel.isKnownId(2n ** 53n + 1n)).toBe(true);
    expect(serverModel.isKnownId(2n ** 53n)).toBe(false);
  });

  test('in an error or an order -> not an id of an animal', () => {
    const { serverModel, update } = modelWithUpdate();
    update(getPet('5'), { status: 404, json: { ...rex(5n), code: 'x' } }, 1);
    update(listOrders(), { json: [{ id: 6n, name: 'An order' }] }, 2);
    expect([serverModel.isKnownId(5n), serverModel.isKnownId(6n), serverModel.storeSize]).toEqual([
      false,
      false,
      0,
    ]);
  });

  test('seen twice -> counts once for the size of the store', () => {
    const { serverModel, update } = modelWithUpdate();
    update(listPets({}), { json: [rex(1n), rex(2n)] }, 1);
    update(getPet('2'), { json: rex(2n) }, 2);
    update(named('C'), { status: 201, json: rex(3n) }, 3);
    expect(serverModel.storeSize).toBe(3);
  });
});

describe('category', () => {
  test('a creation in it succeeded, with any body -> exists', () => {
    const { serverModel, update } = modelWithUpdate();
    const inCategory = (categoryId: bigint) => createPet({ name: `In ${categoryId}`, categoryId });
    update(inCategory(1n), { status: 400 }, 1);
    update(inCategory(2n), { status: 201, json: rex(5n) }, 2);
    update(inCategory(3n), { status: 200, body: '' }, 3);
    expect([1n, 2n, 3n, 4n].map(serverModel.isCategoryAccepted)).toEqual([false, true, true, false]);
  });
});

describe('created animal', () => {
  test('no 201 with an id -> none', () => {
    const { serverModel, update } = modelWithUpdate();
    update(named('A'), { status: 201, body: '' }, 1);
    update(named('B'), { status: 201, json: { name: 'B' } }, 2);
    update(named('C'), { status: 200, json: rex(7n) }, 3);
    expect(serverModel.created).toEqual([]);
  });

  test('any 2xx -> listed for cleaning up', () => {
    const { serverModel, update } = modelWithUpdate();
    for (const [sequence, status] of [201, 200, 202, 302, 400].entries())
      update(named('Rex'), { status, json: rex(BigInt(status)) }, sequence);
    update(getPet('7'), { status: 200, json: rex(7n) }, 9);
    expect(serverModel.createdResources.map(({ id }) => id)).toEqual([201n, 200n, 202n]);
    expect(serverModel.ownPets().map(({ id }) => id)).toEqual([201n]);
  });
});

describe('rejected name', () => {
  test('an animal from before the run may have the name -> not remembered', () => {
    const { serverModel, update } = modelWithUpdate();
    update(createPet({ name: 'Zoë', categoryId: 1n }, { mayBeTaken: true }), { status: 400 }, 1);
    expect(serverModel.refusalOf({ name: 'Zoë' }, 5)).toBeNull();
  });

  test('an animal of that name may have been created -> forgotten', () => {
    for (const later of [
      { status: 201, json: rex(1n, 'Twice') },
      { status: 500, json: {} },
    ]) {
      const { serverModel, update } = modelWithUpdate();
      update(named('Twice'), { status: 400 }, 1);
      update(named('Twice'), later, 2);
      expect(serverModel.refusalOf({ name: 'Twice' }, 9)).toBeNull();
    }
  });

  test('an animal of that name was seen before -> not remembered', () => {
    const { serverModel, update } = modelWithUpdate();
    update(listPets({}), { json: [rex(1n, 'Old')] }, 1);
    update(named('Old'), { status: 400 }, 2);
    expect(serverModel.refusalOf({ name: 'Old' }, 9)).toBeNull();
  });

  test('another creation of the name is in flight -> no evidence against the server', () => {
    const { serverModel, update } = modelWithUpdate();
    const first = serverModel.sending(named('Twice'));
    update(named('Twice'), { status: 400 }, 1, 1);
    first();
    expect(serverModel.refusalOf({ name: 'Twice' }, 9)).toMatchObject({ status: 400 });
    const second = serverModel.sending(named('Twice'));
    expect(serverModel.refusalOf({ name: 'Twice' }, 9)).toBeNull();
    serverModel.sending(named('Twice'));
    update(named('Twice'), { status: 400 }, 2, 2);
    second();
    expect(serverModel.refusalOf({ name: 'Twice' }, 9)).toBeNull();
    update(named('Twice'), { status: 400 }, 3, 3);
    expect(serverModel.refusalOf({ name: 'Twice' }, 9)).toMatchObject({ status: 400 });
  });

  test('an animal of a 201 looks like the rejected one -> not taken for it', () => {
    const { serverModel, update } = modelWithUpdate();
    update(named(''), { status: 400 }, 1);
    update(named('}'), { status: 201, json: rex(7n, '') }, 2);
    expect(serverModel.refusalOf(rex(7n, ''), 9)).toBeNull();
    expect(serverModel.refusalOf(rex(8n, ''), 9)).toMatchObject({ status: 400 });
  });
});

test('taken name: an animal was shown with it, in any case and with white space at its ends', () => {
  const { serverModel, update } = modelWithUpdate();
  update(named('Refused'), { status: 409 }, 1);
  update(listPets({}), { json: [rex(5n, 'Rex')] }, 2);
  update(named('Ada'), { status: 201, json: rex(6n, 'Ada') }, 3);
  const names = ['Rex', ' rEX\t', 'Ada', 'Refused', 'Re x'];
  expect(names.map(serverModel.isTakenName)).toEqual([true, true, true, false, false]);
});

describe('rejected creation without a name', () => {
  const nameless = (categoryId: bigint) => createPet({ categoryId });
  const rare = privateCategory('of its own');

  test('category that nobody else uses -> recognized by it', () => {
    const { serverModel, update } = modelWithUpdate();
    update(nameless(rare), { status: 400 }, 2, 4);
    expect(serverModel.refusalOf({ name: '', categoryId: rare }, 4)).toBeNull();
    expect(serverModel.refusalOf({ name: '', categoryId: rare }, 5)).toMatchObject({ status: 400 });
    expect(serverModel.refusalOf({ name: '', categoryId: rare + 1n }, 5)).toBeNull();
  });

  test('category that others use -> not recognized', () => {
    for (const categoryId of [1n, 2n ** 63n - 1n]) {
      const { serverModel, update } = modelWithUpdate();
      update(nameless(categoryId), { status: 400 }, 2);
      expect(serverModel.refusalOf({ name: 'Rex', categoryId }, 5)).toBeNull();
    }
    const { serverModel, update } = modelWithUpdate();
    update(listPets({}), { json: [{ ...rex(1n), categoryId: rare }] }, 1);
    update(nameless(rare), { status: 400 }, 2);
    expect(serverModel.refusalOf({ name: 'Rex', categoryId: rare }, 5)).toBeNull();
  });

  test('creation with a name in that category -> another creation', () => {
    const { serverModel, update } = modelWithUpdate();
    update(createPet({ name: 'Refused', categoryId: rare }), { status: 400 }, 1);
    expect(serverModel.refusalOf({ name: 'Another', categoryId: rare }, 5)).toBeNull();
  });
});

test.each([
  ['2026-03-01T00:00:00Z', 'before'],
  ['2030-12-04T09:59:59.999Z', 'before'],
  ['2030-12-04T10:00:00Z', 'removal-day'],
  ['2030-12-06T11:59:59.999Z', 'removal-day'],
  ['2030-12-06T12:00:00Z', 'after'],
  ['2040-01-01T00:00:00Z', 'after'],
])('removal of getPet: %s -> %s', (date, removal) => {
  const removals = document.operations.map((operation) => [
    operation.id,
    serverModelAt(date).removalState(operation),
  ]);
  expect(removals).toEqual([
    ['listPets', 'before'],
    ['createPet', 'before'],
    ['getPet', removal],
    ['listOrders', 'before'],
  ]);
});
