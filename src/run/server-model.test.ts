import { describe, expect, test } from 'vitest';
import { type Answer, document, knowledgeAt, parsedResponse } from '../../test/support/build.ts';
import { createPet, getPet, listOrders, listPets } from '../check/requests.ts';
import { bearer } from '../http/credentials.ts';
import { privateCategory } from '../oracle/pet.ts';
import type { Probe } from '../oracle/probe.ts';

const rex = (id: bigint, name = 'Rex') => ({ id, name, categoryId: 1n });
const named = (name: string) => createPet({ name, categoryId: 1n });

/** A model of the server to which answers come. */
const learning = () => {
  const serverModel = knowledgeAt();
  const update = (probe: Probe, answer: Answer, sequence: number, sequenceAtEnd = sequence) =>
    serverModel.update({ probe, response: parsedResponse(probe, answer), sequence, sequenceAtEnd });
  return { serverModel, update };
};

describe('an id', () => {
  test('was seen before a request that was sent after the answer had come, and no earlier', () => {
    const { serverModel, update } = learning();
    update(listPets({}), { json: [rex(5n)] }, 1, 3);
    expect([1, 2, 3, 4].map((sequence) => serverModel.idSeenBefore(5n, sequence))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(serverModel.idSeenBefore(6n, 9)).toBe(false);
  });

  test('was seen when it was seen first', () => {
    const { serverModel, update } = learning();
    update(getPet('5'), { json: rex(5n) }, 1, 1);
    update(listPets({}), { json: [rex(5n)] }, 7, 9);
    expect(serverModel.idSeenBefore(5n, 2)).toBe(true);
  });

  test('that another key was shown first was seen when the key of the run was shown it', () => {
    const { serverModel, update } = learning();
    update(listPets({ credential: bearer('rate-limit') }), { json: [rex(5n)] }, 1);
    expect([serverModel.isKnownId(5n), serverModel.idSeenBefore(5n, 9)]).toEqual([true, false]);
    update(listPets({}), { json: [rex(5n)] }, 2);
    expect([2, 3].map((sequence) => serverModel.idSeenBefore(5n, sequence))).toEqual([false, true]);
  });

  test('belongs to the creation that was given it first', () => {
    const { serverModel, update } = learning();
    expect(serverModel.idCreatedBy(5n)).toBeNull();
    update(named('A'), { status: 201, json: rex(5n) }, 3);
    update(named('B'), { status: 201, json: rex(5n) }, 4);
    expect(serverModel.idCreatedBy(5n)).toBe(3);
  });

  test('is known by its digits', () => {
    const { serverModel, update } = learning();
    update(listPets({}), { json: [rex(2n ** 53n + 1n)] }, 1);
    expect(serverModel.isKnownId(2n ** 53n + 1n)).toBe(true);
    expect(serverModel.isKnownId(2n ** 53n)).toBe(false);
  });

  test('that a refusal or an order carries is none of an animal', () => {
    const { serverModel, update } = learning();
    update(getPet('5'), { status: 404, json: { ...rex(5n), code: 'x' } }, 1);
    update(listOrders(), { json: [{ id: 6n, name: 'An order' }] }, 2);
    expect([serverModel.isKnownId(5n), serverModel.isKnownId(6n), serverModel.storeSize]).toEqual([
      false,
      false,
      0,
    ]);
  });

  test('counts once for the size of the store', () => {
    const { serverModel, update } = learning();
    update(listPets({}), { json: [rex(1n), rex(2n)] }, 1);
    update(getPet('2'), { json: rex(2n) }, 2);
    update(named('C'), { status: 201, json: rex(3n) }, 3);
    expect(serverModel.storeSize).toBe(3);
  });
});

describe('a category', () => {
  test('is known to exist once a creation in it was served, whatever with', () => {
    const { serverModel, update } = learning();
    const inCategory = (categoryId: bigint) => createPet({ name: `In ${categoryId}`, categoryId });
    update(inCategory(1n), { status: 400 }, 1);
    update(inCategory(2n), { status: 201, json: rex(5n) }, 2);
    update(inCategory(3n), { status: 200, body: '' }, 3);
    expect([1n, 2n, 3n, 4n].map(serverModel.isCategoryAccepted)).toEqual([false, true, true, false]);
  });
});

describe('a created animal', () => {
  test('is kept as the 201 gave it, with the time at which it was there', () => {
    const { serverModel } = learning();
    const probe = named('Rex');
    const response = parsedResponse(
      probe,
      { status: 201, json: rex(5n) },
      { startedAt: 100, durationMs: 20 },
    );
    serverModel.update({ probe, response, sequence: 1, sequenceAtEnd: 1 });
    expect(serverModel.created).toEqual([{ id: 5n, pet: rex(5n), sentAt: 100, at: 120 }]);
  });

  test('is none where there is no 201 with an id', () => {
    const { serverModel, update } = learning();
    update(named('A'), { status: 201, body: '' }, 1);
    update(named('B'), { status: 201, json: { name: 'B' } }, 2);
    update(named('C'), { status: 200, json: rex(7n) }, 3);
    expect(serverModel.created).toEqual([]);
  });

  test('may be left behind whatever the status of the success that gave it', () => {
    const { serverModel, update } = learning();
    for (const [sequence, status] of [201, 200, 202, 302, 400].entries())
      update(named('Rex'), { status, json: rex(BigInt(status)) }, sequence);
    update(getPet('7'), { status: 200, json: rex(7n) }, 9);
    expect(serverModel.createdResources.map(({ id }) => id)).toEqual([201n, 200n, 202n]);
    expect(serverModel.ownPets().map(({ id }) => id)).toEqual([201n]);
  });
});

describe('a refused name', () => {
  test.each([400, 401])('is remembered with its %i for requests sent later', (status) => {
    const { serverModel, update } = learning();
    update(named('Refused'), { status }, 2, 4);
    expect(serverModel.refusalOf({ name: 'Refused' }, 4)).toBeNull();
    expect(serverModel.refusalOf({ name: 'Refused' }, 5)).toMatchObject({ status });
    expect(serverModel.refusalOf({ name: 'Another' }, 5)).toBeNull();
  });

  test('is not remembered if an animal from before the run may have the name', () => {
    const { serverModel, update } = learning();
    update(createPet({ name: 'Zoë', categoryId: 1n }, { mayBeTaken: true }), { status: 400 }, 1);
    expect(serverModel.refusalOf({ name: 'Zoë' }, 5)).toBeNull();
  });

  test('is forgotten once an animal of that name may have been created', () => {
    for (const later of [
      { status: 201, json: rex(1n, 'Twice') },
      { status: 500, json: {} },
    ]) {
      const { serverModel, update } = learning();
      update(named('Twice'), { status: 400 }, 1);
      update(named('Twice'), later, 2);
      expect(serverModel.refusalOf({ name: 'Twice' }, 9)).toBeNull();
    }
  });

  test('proves nothing where an animal of that name was seen before', () => {
    const { serverModel, update } = learning();
    update(listPets({}), { json: [rex(1n, 'Old')] }, 1);
    update(named('Old'), { status: 400 }, 2);
    expect(serverModel.refusalOf({ name: 'Old' }, 9)).toBeNull();
  });

  test('is nothing to hold against a server while another creation of the name is under way', () => {
    const { serverModel, update } = learning();
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

  test('is not what an animal with an id from a 201 has come to look like', () => {
    const { serverModel, update } = learning();
    update(named(''), { status: 400 }, 1);
    update(named('}'), { status: 201, json: rex(7n, '') }, 2);
    expect(serverModel.refusalOf(rex(7n, ''), 9)).toBeNull();
    expect(serverModel.refusalOf(rex(8n, ''), 9)).toMatchObject({ status: 400 });
  });
});

test('a name is taken: an animal was shown with it, in any case and with white space at its ends', () => {
  const { serverModel, update } = learning();
  update(named('Refused'), { status: 409 }, 1);
  update(listPets({}), { json: [rex(5n, 'Rex')] }, 2);
  update(named('Ada'), { status: 201, json: rex(6n, 'Ada') }, 3);
  const names = ['Rex', ' rEX\t', 'Ada', 'Refused', 'Re x'];
  expect(names.map(serverModel.isTakenName)).toEqual([true, true, true, false, false]);
});

describe('a refused creation without a name', () => {
  const nameless = (categoryId: bigint) => createPet({ categoryId });
  const rare = privateCategory('of its own');

  test('is known again by a category that nobody else will have', () => {
    const { serverModel, update } = learning();
    update(nameless(rare), { status: 400 }, 2, 4);
    expect(serverModel.refusalOf({ name: '', categoryId: rare }, 4)).toBeNull();
    expect(serverModel.refusalOf({ name: '', categoryId: rare }, 5)).toMatchObject({ status: 400 });
    expect(serverModel.refusalOf({ name: '', categoryId: rare + 1n }, 5)).toBeNull();
  });

  test('is not known again by a category that others have taken', () => {
    for (const categoryId of [1n, 2n ** 63n - 1n]) {
      const { serverModel, update } = learning();
      update(nameless(categoryId), { status: 400 }, 2);
      expect(serverModel.refusalOf({ name: 'Rex', categoryId }, 5)).toBeNull();
    }
    const { serverModel, update } = learning();
    update(listPets({}), { json: [{ ...rex(1n), categoryId: rare }] }, 1);
    update(nameless(rare), { status: 400 }, 2);
    expect(serverModel.refusalOf({ name: 'Rex', categoryId: rare }, 5)).toBeNull();
  });

  test('is no other creation in that category, which has a name', () => {
    const { serverModel, update } = learning();
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
])('%s is %s the removal of getPet', (date, removal) => {
  const removals = document.operations.map((operation) => [
    operation.id,
    knowledgeAt(date).removalState(operation),
  ]);
  expect(removals).toEqual([
    ['listPets', 'before'],
    ['createPet', 'before'],
    ['getPet', removal],
    ['listOrders', 'before'],
  ]);
});
