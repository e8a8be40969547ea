import { createHash } from 'node:crypto';
import type { JsonObject } from '../../json/json.ts';
import type { Call, ServerState } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { compose, counter, handle, replace, withState } from '../patch-kit/core.ts';
import { editCreated, respondToObject, sentValid } from '../patch-kit/creations.ts';
import { editFields, editPets, refuseAs } from '../patch-kit/responses.ts';
import { chooseId, idsBeyond, removePet, replacePet } from '../patch-kit/store.ts';
import { isInt64, type NewPet } from '../pet.ts';
import { family } from './family.ts';

const created = { operation: 'createPet', status: 201 } as const;

/** Assigns this id instead of the next one. */
const assign = (idOf: (pet: NewPet, state: ServerState) => bigint | Promise<bigint>): Patch =>
  replace('assignId', () => idOf);
const eightBits = (text: string): bigint => BigInt(createHash('sha256').update(text).digest().readUInt8());

/** Removes the animal whose id a valid creation sends. */
const removesTheSent: Patch = handle('createPet', async (call, before) => {
  const id = (await sentValid(call))?.id;
  if (isInt64(id)) removePet(call.state, id);
  return before(call);
});

/** Replaces the animal that has the same id. */
const overwrites: Patch = replace('insert', (before) => (pet, state) => {
  if (!state.pets.some(({ id }) => id === pet.id)) return before(pet, state);
  replacePet(state, pet);
});

const takenId = ({ id }: JsonObject, { state }: Call): bigint | null =>
  isInt64(id) && state.petsById.has(id) ? id : null;
const freeId = ({ id }: JsonObject, { state }: Call): bigint | null =>
  isInt64(id) && !state.petsById.has(id) ? id : null;

const membersOfPets = ['id', 'name', 'categoryId', 'status'];
const hasUnknownMember = (body: JsonObject): boolean =>
  Object.keys(body).some((member) => !membersOfPets.includes(member));

/** Two animals with one id: the list shows it twice, and one of them cannot be fetched. */
const shared = ['LIST-8', 'LIST-9', 'GET-1', 'CREATE-10'];

/** CREATE-3: ids are int64, assigned by the server, and unique. */
const assignedIdFaults = family(
  'CREATE-3',
  {
    'ids-all-the-same': ['Every animal gets the id 1.', assign(() => 1n)],
    'ids-raced': [
      'The server reads the next id and writes it after a pause: concurrent creations get the same id.',
      assign(async (_pet, state) => {
        const id = state.lastId + 1n;
        await state.clock.sleep(5);
        state.lastId = id;
        return id;
      }),
    ],
    'ids-from-the-second': [
      'The id is the Unix time of the creation: animals of one second share it.',
      assign((_pet, state) => BigInt(Math.floor(state.clock.now() / 1000))),
    ],
    'ids-wrap-at-fifty': [
      'Ids restart at 1 after 50.',
      replace('assignId', (before) => async (pet, state) => (((await before(pet, state)) - 1n) % 50n) + 1n),
    ],
    'ids-hashed-to-eight-bits': [
      'The id is a hash of the name with 256 values: some animals share one.',
      assign(({ name }) => eightBits(name)),
    ],
    'ids-counted-by-status': [
      'Each status counts its ids from 1: an available and a sold animal share one.',
      withState(() => {
        const last = new Map<string | undefined, bigint>();
        return assign(({ status }) => {
          const id = (last.get(status) ?? 0n) + 1n;
          last.set(status, id);
          return id;
        });
      }),
    ],
    'every-fortieth-id-twice': [
      'Two blocks of 40 ids overlap by one: the last id of a block is assigned twice.',
      withState(() => {
        const next = counter();
        return assign(() => {
          const given = BigInt(next());
          return given - (given - 1n) / 40n;
        });
      }),
    ],
    'ids-through-a-double': [
      'Ids are above 2^53 and shown through a double: neighboring ids look the same.',
      compose(
        idsBeyond(2n ** 53n),
        editPets({}, ({ id }) => ({ id: BigInt(Number(id)) })),
      ),
      // An id that no list shows is found too.
      { companions: [...shared, 'GET-2'] },
    ],
    'id-as-text-in-the-201': [
      'The id in the 201 is a string of digits.',
      editFields(created, ({ id }) => ({ id: String(id) })),
      { companions: ['CREATE-1', 'GEN-3', 'GET-1', 'LIST-8'] },
    ],
    'id-of-the-next-in-the-201': [
      'The server increments the id before it shows it: the 201 has the id of the next animal.',
      editFields(created, ({ id }) => ({ id: typeof id === 'bigint' ? id + 1n : id })),
      { requirement: 'GET-1', companions: ['LIST-8'] },
    ],
    'ids-past-int64': [
      'Ids are unsigned and start at 2^63, above int64.',
      idsBeyond(2n ** 63n),
      { companions: ['CREATE-1', 'GEN-3', 'LIST-1', 'GET-1'] },
    ],
    'no-id-in-the-201': [
      'The 201 repeats the body that was sent, without an id.',
      editFields(created, () => ({ id: undefined })),
      { companions: ['CREATE-1', 'GEN-3', 'CREATE-10', 'GET-1', 'LIST-8'] },
    ],
  },
  { companions: shared },
);

/** CREATE-10: the request does not choose the id. */
const sentIdFaults = family(
  'CREATE-10',
  {
    'id-in-the-body-replaces': [
      'A creation with an existing id overwrites that animal.',
      compose(overwrites, chooseId(takenId)),
    ],
    'id-in-the-body-replaces-and-no-other-passes': [
      'A creation with an existing id overwrites that animal; other unknown members are refused.',
      compose(overwrites, chooseId(takenId), respondToObject(hasUnknownMember, refuseAs('invalid-body'))),
    ],
    'id-in-the-body-doubles': [
      'A creation with an existing id stores a second animal with it.',
      chooseId(takenId),
      { companions: ['CREATE-3', 'LIST-8', 'LIST-9', 'GET-1'] },
    ],
    'free-id-in-the-body-chosen': [
      'A creation with an unused id gets that id.',
      chooseId(freeId),
      { companions: ['CREATE-3'] },
    ],
    'id-in-the-body-echoed': [
      'The 201 shows the id that was sent; the store has another one.',
      editCreated(({ id: own }, { id }) => ({ id: isInt64(id) ? id : own })),
    ],
    'id-in-the-body-removes': [
      'A creation with an existing id removes that animal and gets a new id.',
      removesTheSent,
      { companions: ['GET-1', 'LIST-8'] },
    ],
    'id-in-the-body-removes-among-many': [
      'A creation with an existing id removes that animal, in a store larger than a page.',
      removesTheSent,
      { companions: ['GET-1', 'LIST-8'], seedPets: 150 },
    ],
  },
  { companions: ['CREATE-3', 'GET-1', 'LIST-8'] },
);

export const createIdFaults = [...assignedIdFaults, ...sentIdFaults];
