import { isJsonObject } from '../../json/json.ts';
import type { Fault } from '../patch.ts';
import { editReply, handle, perServer, replace, setStatus } from '../patches.ts';
import { jsonReply } from '../reply.ts';
import { sent } from './gen-answers.ts';

/** Mistakes in the status of answers: ones that the document does not give. */
export const statusFaults: readonly Fault[] = [
  {
    name: 'created-with-202-while-pending',
    requirement: 'GEN-1',
    companions: ['CREATE-1'],
    description: 'An animal that is created pending is answered with 202, as if it were not created yet.',
    patch: setStatus(202, {
      operation: 'createPet',
      status: 201,
      when: ({ body }) =>
        body !== null && 'json' in body && isJsonObject(body.json) && body.json.status === 'pending',
    }),
  },
  {
    name: 'created-with-200-without-status',
    requirement: 'GEN-1',
    companions: ['CREATE-1'],
    description: 'An animal that is created without a status is answered with 200 in place of 201.',
    patch: handle('createPet', async (call, before) => {
      const reply = await before(call);
      const body = await sent(call);
      const bare = isJsonObject(body) && body.status === undefined;
      return reply.status === 201 && bare ? { ...reply, status: 200 } : reply;
    }),
  },
  {
    name: 'full-page-as-partial-content',
    requirement: 'GEN-1',
    companions: ['LIST-1', 'LIST-4', 'LIST-5', 'LIST-7'],
    description: 'A list that the limit cuts short is answered with 206.',
    patch: setStatus(206, {
      operation: 'listPets',
      status: 200,
      when: ({ body }, { world }) =>
        body !== null && 'json' in body && Array.isArray(body.json) && body.json.length < world.pets.length,
    }),
  },
  {
    name: 'animal-not-modified-when-seen-before',
    requirement: 'GEN-1',
    companions: ['GET-1', 'GET-4'],
    description: 'An animal that was fetched before gets 304, though the request is not conditional.',
    patch: perServer(() => {
      const seen = new Set<string>();
      return editReply({ operation: 'getPet', status: 200 }, (reply, { url }) => {
        const again = seen.has(url.pathname);
        seen.add(url.pathname);
        return again ? { ...reply, status: 304, body: null } : reply;
      });
    }),
  },
  {
    name: 'deprecated-operation-redirected',
    requirement: 'GEN-1',
    companions: ['GET-1', 'GET-2', 'GET-3', 'GET-4'],
    description: 'GET /pets/{petId} redirects to its replacement already, years before its removal.',
    patch: handle('getPet', () => ({ status: 301, headers: { location: '/v1/pets' }, body: null })),
  },
  {
    name: 'unknown-animal-gone',
    requirement: 'GEN-1',
    companions: ['GET-2'],
    description: 'An unknown id is answered with 410 in place of 404.',
    patch: replace('problems', (before) => ({
      ...before,
      'unknown-pet': { ...before['unknown-pet'], status: 410 },
    })),
  },
  {
    name: 'sold-animals-unavailable',
    requirement: 'GEN-1',
    companions: ['LIST-1', 'LIST-8'],
    description: 'A list filtered by status=sold is refused with 403.',
    patch: handle('listPets', (call, before) =>
      call.url.searchParams.get('status') === 'sold'
        ? jsonReply(
            403,
            call.parts.renderError({ status: 403, code: 'forbidden', message: 'Not for you' }, call),
          )
        : before(call),
    ),
  },
];
