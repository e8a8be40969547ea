import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { Fault, Patch } from '../patch.ts';
import { editFields, editPets, handle, perServer, replace, together } from '../patches.ts';
import { isInt64 } from '../pet.ts';
import { answerWhere, editCreated, putInPlace, sentJson } from './create-patches.ts';

/** Two animals of one id: the list shows it twice, and one of them cannot be fetched. */
const shared = ['LIST-8', 'LIST-9', 'GET-1', 'CREATE-10'];
const assign = (make: () => Parameters<typeof replace<'assignId'>>[1]): Patch =>
  perServer(() => replace('assignId', make()));
const eightBits = (text: string): bigint => BigInt(createHash('sha256').update(text).digest().readUInt8());

/** The id that a valid creation sends along, where it is an int64. */
const withSentId = (use: (id: bigint, call: Parameters<typeof sentJson>[0]) => void): Patch =>
  handle('createPet', async (call, before) => {
    const body = await sentJson(call);
    const id = isJsonObject(body) ? body.id : undefined;
    if (isInt64(id) && call.parts.violations(body).length === 0) use(id, call);
    return before(call);
  });

const removeAnimal: Parameters<typeof withSentId>[0] = (id, { world }) => {
  const at = world.pets.findIndex((pet) => pet.id === id);
  if (at >= 0) world.pets.splice(at, 1);
  world.petsById.delete(id);
};

/** A creation with an id in its body gets that one where `allowed`. */
const chosen = (allowed: (taken: boolean) => boolean): Patch =>
  perServer(() => {
    let next: bigint | null = null;
    return together(
      withSentId((id, { world }) => {
        next = allowed(world.petsById.has(id)) ? id : null;
      }),
      replace('assignId', (before) => (pet, world) => {
        const id = next;
        next = null;
        return id ?? before(pet, world);
      }),
    );
  });

const membersOfPets = ['id', 'name', 'categoryId', 'status'];
const hasMemberOfNoPet = (body: JsonObject): boolean =>
  Object.keys(body).some((member) => !membersOfPets.includes(member));

/** CREATE-3: ids are int64, assigned by the server, and unlike each other; CREATE-10: the request does not choose them. */
export const createIdFaults: readonly Fault[] = [
  {
    name: 'ids-all-the-same',
    requirement: 'CREATE-3',
    companions: shared,
    description: 'Every animal gets the id 1.',
    patch: replace('assignId', () => () => 1n),
  },
  {
    name: 'ids-raced',
    requirement: 'CREATE-3',
    companions: shared,
    description: 'The next id is read, then written after a pause: concurrent creations get the same one.',
    patch: replace('assignId', () => async (_pet, world) => {
      const id = world.lastId + 1n;
      await world.clock.sleep(5);
      world.lastId = id;
      return id;
    }),
  },
  {
    name: 'ids-from-the-second',
    requirement: 'CREATE-3',
    companions: shared,
    description: 'The id is the Unix time of the creation: animals of one second share it.',
    patch: replace('assignId', () => (_pet, world) => BigInt(Math.floor(world.clock.now() / 1000))),
  },
  {
    name: 'ids-wrap-at-fifty',
    requirement: 'CREATE-3',
    companions: shared,
    description: 'Ids start again from 1 after 50.',
    patch: replace(
      'assignId',
      (before) => async (pet, world) => (((await before(pet, world)) - 1n) % 50n) + 1n,
    ),
  },
  {
    name: 'ids-hashed-to-eight-bits',
    requirement: 'CREATE-3',
    companions: shared,
    description: 'The id is a hash of the name with 256 values: now and then two animals share one.',
    patch: replace(
      'assignId',
      () =>
        ({ name }) =>
          eightBits(name),
    ),
  },
  {
    name: 'ids-counted-by-status',
    requirement: 'CREATE-3',
    companions: shared,
    description: 'Each status counts its ids from 1: an available and a sold animal share one.',
    patch: assign(() => {
      const last = new Map<string | undefined, bigint>();
      return () =>
        ({ status }) => {
          const id = (last.get(status) ?? 0n) + 1n;
          last.set(status, id);
          return id;
        };
    }),
  },
  {
    name: 'every-fortieth-id-twice',
    requirement: 'CREATE-3',
    companions: shared,
    description: 'Two blocks of 40 ids overlap by one: the last id of a block is given twice.',
    patch: assign(() => {
      let given = 0n;
      return () => () => {
        given += 1n;
        return given - (given - 1n) / 40n;
      };
    }),
  },
  {
    name: 'ids-through-a-double',
    requirement: 'CREATE-3',
    // An id that no list shows is served all the same.
    companions: [...shared, 'GET-2'],
    description: 'Ids lie beyond 2^53 and are shown through a double: neighbours look the same.',
    patch: together(
      replace('assignId', (before) => async (pet, world) => 2n ** 53n + (await before(pet, world))),
      editPets({}, ({ id }) => ({ id: BigInt(Number(id)) })),
    ),
  },
  {
    name: 'id-as-text-in-the-201',
    requirement: 'CREATE-3',
    companions: ['CREATE-1', 'GEN-3', 'GET-1', 'LIST-8'],
    description: 'The id in the 201 is a string of digits.',
    patch: editFields({ operation: 'createPet', status: 201 }, ({ id }) => ({ id: String(id) })),
  },
  {
    name: 'id-of-the-next-in-the-201',
    requirement: 'GET-1',
    companions: ['LIST-8'],
    description:
      'The id in the 201 is the one that the next animal gets: it is counted up before it is shown.',
    patch: editFields({ operation: 'createPet', status: 201 }, ({ id }) => ({
      id: typeof id === 'bigint' ? id + 1n : id,
    })),
  },
  {
    name: 'ids-past-int64',
    requirement: 'CREATE-3',
    companions: ['CREATE-1', 'GEN-3', 'LIST-1', 'GET-1'],
    description: 'Ids are unsigned and start at 2^63: no int64 holds them.',
    patch: replace('assignId', (before) => async (pet, world) => 2n ** 63n + (await before(pet, world))),
  },
  {
    name: 'no-id-in-the-201',
    requirement: 'CREATE-3',
    companions: ['CREATE-1', 'GEN-3', 'CREATE-10', 'GET-1', 'LIST-8'],
    description: 'The 201 repeats what was sent, without the id.',
    patch: editFields({ operation: 'createPet', status: 201 }, () => ({ id: undefined })),
  },
  {
    name: 'id-in-the-body-replaces',
    requirement: 'CREATE-10',
    companions: ['CREATE-3', 'GET-1', 'LIST-8'],
    description: 'A creation with the id of an existing animal overwrites that one.',
    patch: together(
      putInPlace,
      chosen((taken) => taken),
    ),
  },
  {
    name: 'id-in-the-body-replaces-and-no-other-passes',
    requirement: 'CREATE-10',
    companions: ['CREATE-3', 'GET-1', 'LIST-8'],
    description:
      'A creation with the id of an existing animal overwrites that one; members that no Pet has are refused.',
    patch: together(
      putInPlace,
      chosen((taken) => taken),
      answerWhere(hasMemberOfNoPet, (call) => call.parts.fail('invalid-body', call)),
    ),
  },
  {
    name: 'id-in-the-body-doubles',
    requirement: 'CREATE-10',
    companions: ['CREATE-3', 'LIST-8', 'LIST-9', 'GET-1'],
    description: 'A creation with the id of an existing animal stores a second one under it.',
    patch: chosen((taken) => taken),
  },
  {
    name: 'free-id-in-the-body-chosen',
    requirement: 'CREATE-10',
    companions: ['CREATE-3'],
    description: 'A creation with an id that is still free gets that one.',
    patch: chosen((taken) => !taken),
  },
  {
    name: 'id-in-the-body-echoed',
    requirement: 'CREATE-10',
    companions: ['CREATE-3', 'GET-1', 'LIST-8'],
    description: 'The 201 shows the id that was sent, while the animal is stored under another.',
    patch: editCreated(({ id: own }, { id }) => ({ id: isInt64(id) ? id : own })),
  },
  {
    name: 'id-in-the-body-removes',
    requirement: 'CREATE-10',
    companions: ['GET-1', 'LIST-8'],
    description: 'A creation with the id of an existing animal removes that one and gets a fresh id.',
    patch: withSentId(removeAnimal),
  },
  {
    name: 'id-in-the-body-removes-among-many',
    requirement: 'CREATE-10',
    companions: ['GET-1', 'LIST-8'],
    description:
      'A creation with the id of an existing animal removes that one, in a store larger than a page shows.',
    seedPets: 150,
    patch: withSentId(removeAnimal),
  },
];
