import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { Fault, Patch } from '../patch.ts';
import { handle, perServer } from '../patches.ts';
import type { Reply } from '../reply.ts';
import { answerWhere, internalError, problem, refuseValid } from './create-patches.ts';
import { bodyText } from './gen-answers.ts';

/** What a query gives, as a framework hands it out along with the body. */
const fieldsOf = (query: URLSearchParams): JsonObject => ({
  ...Object.fromEntries(query),
  ...(/^\d{1,18}$/.test(query.get('categoryId') ?? '')
    ? { categoryId: BigInt(query.get('categoryId') ?? '') }
    : {}),
});

const nameOf = (query: URLSearchParams): JsonObject =>
  query.has('name') ? { name: query.get('name') ?? '' } : {};

/** What the body lacks is taken from the query. */
const completedBy = (given: (query: URLSearchParams) => JsonObject): Patch =>
  handle('createPet', async (call, before) => {
    const parseBody: typeof call.parts.parseBody = (bytes, inner) => {
      const parsed = call.parts.parseBody(bytes, inner);
      return parsed.ok && isJsonObject(parsed.value)
        ? { ...parsed, value: { ...given(call.url.searchParams), ...parsed.value } }
        : parsed;
    };
    return before({ ...call, parts: { ...call.parts, parseBody } });
  });

/** Creations that only others like them, or another part of the request, spoil. */
export const createTwinFaults: readonly Fault[] = [
  {
    name: 'the-same-creation-at-once-is-one',
    requirement: 'CREATE-3',
    companions: ['CREATE-8'],
    description:
      'Requests that are alike and under way at once share one answer: two creations make one animal.',
    patch: perServer(() => {
      const underWay = new Map<string, Promise<Reply>>();
      return handle('createPet', async (call, before) => {
        const text = await bodyText(call);
        const first = underWay.get(text);
        if (first !== undefined) return first;
        const reply = call.world.clock.sleep(5).then(() => before(call));
        underWay.set(text, reply);
        return reply.finally(() => underWay.delete(text));
      });
    }),
  },
  {
    name: 'names-unique-by-their-beginning',
    requirement: 'CREATE-1',
    companions: ['GEN-1', 'CREATE-3', 'CREATE-10'],
    description:
      'The index of names holds their first 24 characters: a name that begins like another gets 409.',
    patch: refuseValid(
      ({ name }, { world }) =>
        world.pets.some((pet) => pet.name !== name && pet.name.slice(0, 24) === name.slice(0, 24)),
      problem(409, 'conflict'),
    ),
  },
  {
    name: 'taken-name-in-another-case-fails',
    requirement: 'GEN-4',
    companions: ['CREATE-11'],
    description:
      'Names are checked for their letters, and unique in any case in the database: its error gets 500.',
    patch: refuseValid(
      ({ name }, { world }) =>
        world.pets.some((pet) => pet.name !== name && pet.name.toLowerCase() === name.toLowerCase()),
      internalError,
    ),
  },
  {
    name: 'query-completes-the-body',
    requirement: 'CREATE-5',
    companions: [],
    description:
      'Parameters of the query and members of the body are one: what is missing is taken from the query.',
    patch: completedBy(fieldsOf),
  },
  {
    name: 'query-completes-the-name',
    requirement: 'CREATE-5',
    companions: [],
    description: 'A name that the body lacks is taken from the query, as the input of a framework has it.',
    patch: completedBy(nameOf),
  },
  {
    name: 'null-as-an-id-crashes',
    requirement: 'GEN-4',
    companions: ['CREATE-10'],
    description:
      'An id that is null, as clients send what they do not have, is taken for one that is there: 500.',
    patch: answerWhere(({ id }) => id === null, internalError),
  },
];
