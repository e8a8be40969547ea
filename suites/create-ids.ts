import type { Json, JsonObject } from '../src/json/json.ts';
import { idOf, petOf } from '../src/oracle/pet.ts';
import type { Reading } from '../src/oracle/reading.ts';
import type { CaseContext, Check } from '../src/run/check.ts';
import { createPetOf, getPet } from '../src/run/probes.ts';
import { withStatus } from './create.ts';
import { createAnimal, createOrdinary, listAll, ordinaryPet } from './support/animals.ts';

/** Two creations in turn would never show what creations at the same time do. */
export const idsAreUnique: Check<number> = {
  name: 'CREATE-3 ids are unique, under concurrent creations too',
  gives: ['CREATE-3'],
  phase: 'main',
  cost: 9,
  examples: () => [0, 1],
  attempt: async (_, context) => {
    const together = Math.max(2, Math.min(8, context.fixtures.concurrency));
    const readings = await Promise.all(
      Array.from({ length: together }, (_each, index) =>
        createOrdinary(context, ordinaryPet(context, withStatus(context.fixtures.statuses[index % 4]))),
      ),
    );
    const made = readings.flatMap((reading) => {
      const pet = petOf(reading);
      const id = pet === null ? null : idOf(pet);
      return reading.status === 201 && id !== null ? [{ id, reading }] : [];
    });
    if (made.length < 2)
      return context.undecided('CREATE-3', 'fewer than two animals could be created at the same time');
    const twice = made.find(({ id }, index) => made.findIndex((other) => other.id === id) !== index);
    if (twice === undefined) return context.met('CREATE-3');
    context.breach({
      requirement: 'CREATE-3',
      rule: 'id taken',
      message: `Of ${made.length} creations at the same time, two were given the id ${twice.id}.`,
      expected: 'an id of its own for every animal',
      actual: made.map(({ id }) => id).join(', '),
      exchange: twice.reading.exchange,
    });
  },
};

interface IdCase {
  readonly label: string;
  readonly id: (existing: bigint) => Json;
}

export const idIsNotChosen: Check<IdCase> = {
  name: 'CREATE-10 an id in the request does not choose the id',
  gives: ['CREATE-10'],
  phase: 'whole-list',
  cost: 4,
  examples: () => [
    { label: 'the id of an existing animal', id: (existing) => existing },
    { label: 'the id of an existing animal, as a string', id: (existing) => existing.toString() },
    { label: 'an id that is free', id: () => 8_888_888_888_888_888_888n },
    { label: 'a small id', id: () => 777_777_777n },
  ],
  attempt: async ({ label, id }, context) => {
    const status = context.fixtures.statuses[0];
    const animal = await createAnimal(context, withStatus(status));
    const wanted = id(animal.id);
    const before = await listAll(context, status);
    const body = { ...ordinaryPet(context, withStatus(status)), id: wanted };
    const reading = await context.send(
      createPetOf(body, {
        space: 'open',
        label: `${label} in the body`,
        expects: [
          { requirement: 'CREATE-10', statuses: [201, 400], because: 'the id is refused, or ignored' },
        ],
      }),
    );
    if (reading.status !== 201) return;
    const given = petOf(reading)?.id;
    if (String(given) === String(wanted)) {
      context.breach({
        requirement: 'CREATE-10',
        rule: 'id chosen',
        message: `The request chose the id: ${label} was taken over from the body.`,
        expected: 'an id assigned by the server, or 400',
        actual: `"id":${String(given)}`,
        exchange: reading.exchange,
      });
    } else if (String(wanted) === String(animal.id)) {
      await judgeReplaced(context, animal.id, before.pets, body, await listAll(context, status));
    }
  },
};

/** It is missing from the plain list as well, which is seen whole, and is not served by its id. */
const isGone = async (context: CaseContext, id: bigint): Promise<boolean> => {
  const { pets, whole } = await listAll(context);
  if (!whole || pets.some((pet) => idOf(pet) === id)) return false;
  // A server that cuts its lists short has not removed what they leave out.
  return (
    context.fixtures.removal() !== 'before' || (await context.send(getPet(id.toString()))).status === 404
  );
};

/** A full page need not hold it. */
const servedUnder = async (context: CaseContext, id: bigint): Promise<readonly JsonObject[]> => {
  if (context.fixtures.removal() !== 'before') return [];
  const reading = await context.send(getPet(id.toString()));
  const pet = reading.status === 200 ? petOf(reading) : null;
  return pet === null ? [] : [pet];
};

/** The animal whose id was named in a request still stands, and is not what the request sent. */
const judgeReplaced = async (
  context: CaseContext,
  id: bigint,
  before: readonly JsonObject[],
  sent: JsonObject,
  after: { readonly pets: readonly JsonObject[]; readonly whole: boolean; readonly reading: Reading },
): Promise<void> => {
  const was = before.filter((pet) => idOf(pet) === id);
  const listed = after.pets.filter((pet) => idOf(pet) === id);
  const is = listed.length === 0 ? await servedUnder(context, id) : listed;
  const gone = was.length > 0 && is.length === 0 && after.whole && (await isGone(context, id));
  const replaced = is.find((pet) => pet.name === sent.name);
  if (!gone && replaced === undefined) return;
  context.breach({
    requirement: 'CREATE-10',
    rule: 'animal replaced',
    message: `A creation whose body named the id of an existing animal has ${gone ? 'removed' : 'replaced'} that animal.`,
    expected: `"id":${id} with the name ${JSON.stringify(was[0]?.name ?? null)}`,
    actual: gone
      ? 'no animal with that id'
      : `"id":${id} with the name ${JSON.stringify(replaced?.name ?? null)}`,
    exchange: after.reading.exchange,
  });
};
