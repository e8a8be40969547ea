import { isJsonObject } from '../../json/json.ts';
import { handle, withState } from '../patch-kit/core.ts';
import { sentLoosely } from '../patch-kit/creations.ts';
import { respondWhen } from '../patch-kit/failures.ts';
import { queryValue } from '../patch-kit/lists.ts';
import { refusalStatus } from '../patch-kit/refusals.ts';
import { editReply, errorReply, setStatus } from '../patch-kit/responses.ts';
import { family } from './family.ts';

/** Mistakes in the status: responses with an undocumented one. */
export const statusFaults = family('GEN-1', {
  'created-with-202-while-pending': [
    'The creation of a pending animal gets 202.',
    setStatus(202, {
      operation: 'createPet',
      status: 201,
      when: ({ body }) =>
        body !== null && 'json' in body && isJsonObject(body.json) && body.json.status === 'pending',
    }),
    { companions: ['CREATE-1'] },
  ],
  'created-with-200-without-status': [
    'A creation without a status gets 200 instead of 201.',
    handle('createPet', async (call, before) => {
      const reply = await before(call);
      const body = await sentLoosely(call);
      const bare = isJsonObject(body) && body.status === undefined;
      return reply.status === 201 && bare ? { ...reply, status: 200 } : reply;
    }),
    { companions: ['CREATE-1'] },
  ],
  'full-page-as-partial-content': [
    'A list that the limit cuts short gets 206.',
    setStatus(206, {
      operation: 'listPets',
      status: 200,
      when: ({ body }, { state }) =>
        body !== null && 'json' in body && Array.isArray(body.json) && body.json.length < state.pets.length,
    }),
    { companions: ['LIST-1', 'LIST-4', 'LIST-5', 'LIST-7'] },
  ],
  'animal-not-modified-when-seen-before': [
    'The second request for an animal gets 304, though it is not conditional.',
    withState(() => {
      const seen = new Set<string>();
      return editReply({ operation: 'getPet', status: 200 }, (reply, { url }) => {
        const again = seen.has(url.pathname);
        seen.add(url.pathname);
        return again ? { ...reply, status: 304, body: null } : reply;
      });
    }),
    { companions: ['GET-1', 'GET-4'] },
  ],
  'deprecated-operation-redirected': [
    'GET /pets/{petId} redirects to its replacement, years before its removal.',
    handle('getPet', () => ({ status: 301, headers: { location: '/v1/pets' }, body: null })),
    { companions: ['GET-1', 'GET-2', 'GET-3', 'GET-4'] },
  ],
  'unknown-animal-gone': [
    'An unknown id gets 410 instead of 404.',
    refusalStatus('unknown-pet', 410),
    { companions: ['GET-2'] },
  ],
  'sold-animals-unavailable': [
    'A list with status=sold gets 403.',
    respondWhen(
      'listPets',
      (call) => queryValue(call, 'status') === 'sold',
      errorReply(403, 'forbidden', 'Not for you'),
    ),
    { companions: ['LIST-1', 'LIST-8'] },
  ],
});
