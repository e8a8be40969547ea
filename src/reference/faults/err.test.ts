import type { SendOptions } from '../testing.ts';
import { fieldsOf } from '../testing.ts';
import { errorFaults } from './err.ts';
import { type Difference, testDifferences } from './gen-testing.ts';

/** The members of an Error in the answer to a request; what else it is, as JSON text. */
const error =
  (method: string, path: string, options: SendOptions = {}): Difference[0] =>
  async (server) => {
    const answer = await server.send(method, path, options);
    return Object.keys(fieldsOf(answer)).length > 0 ? fieldsOf(answer) : answer.text;
  };
const member =
  (act: Difference[0], name: string): Difference[0] =>
  async (server) =>
    Object.entries((await act(server)) ?? {}).find(([one]) => one === name)?.[1];
const both =
  (one: Difference[0], other: Difference[0], name: string): Difference[0] =>
  async (server) => [await member(one, name)(server), await member(other, name)(server)];
const members =
  (act: Difference[0]): Difference[0] =>
  async (server) =>
    Object.keys((await act(server)) ?? {});

const missingKey = error('GET', '/pets', { key: null });
const invalidKey = error('GET', '/pets', { key: 'other' });
const unknown = error('GET', '/pets/99');
const invalid = error('POST', '/pets', { body: '{}' });
const malformed = error('POST', '/pets', { body: '{' });
const orders = error('GET', '/store/orders', { key: null });
const animal = error('GET', '/pets/1', { key: null });
const page = (title: string) => `<!doctype html><title>${title}</title><h1>${title}</h1>`;

testDifferences(errorFaults, {
  'errors-without-code': [members(missingKey), ['message', 'status']],
  'messages-in-an-array-where-all-is-wrong': [
    async (server) => {
      const body = '{"name":7,"categoryId":"x","status":"gone"}';
      return Array.isArray(await member(error('POST', '/pets', { body }), 'message')(server));
    },
    true,
  ],
  'messages-in-an-array-where-both-parameters-are-wrong': [
    async (server) =>
      Array.isArray(await member(error('GET', '/pets?limit=x&status=gone'), 'message')(server)) &&
      !Array.isArray(await member(error('GET', '/pets?limit=x&status=sold'), 'message')(server)),
    true,
  ],
  'unknown-animal-without-message': [members(unknown), ['code', 'status']],
  'creation-errors-without-status': [members(invalid), ['code', 'message']],
  'error-status-as-string': [both(unknown, missingKey, 'status'), ['404', '401']],
  'error-code-as-number': [both(invalid, missingKey, 'code'), [1001n, 'unauthorized']],
  'error-messages-in-an-array': [
    member(invalid, 'message'),
    ['The body is no valid NewPet: name must be a string; categoryId must be an integer of 64 bits'],
  ],
  'missing-key-message-null': [
    both(missingKey, invalidKey, 'message'),
    [null, 'The API key is missing or invalid'],
  ],
  'errors-in-an-envelope': [members(unknown), ['error']],
  'unauthenticated-as-a-word': [missingKey, '"Unauthorized"'],
  'errors-in-a-list': [async (server) => String(await invalid(server)).slice(0, 2), '[{'],
  'errors-as-problems': [members(unknown), ['type', 'title', 'status', 'detail']],
  'malformed-json-as-framework-detail': [both(malformed, invalid, 'detail'), ['JSON parse error', undefined]],
  'orders-401-in-an-envelope': [
    async (server) => [await members(orders)(server), await members(animal)(server)],
    [['error'], ['code', 'message', 'status']],
  ],
  'empty-object-for-a-deprecated-error': [animal, '{}'],
  'unauthenticated-without-a-body': [missingKey, ''],
  'unknown-animal-as-a-page': [unknown, page('Not Found')],
  'malformed-json-as-a-page': [malformed, page('Bad Request')],
  'malformed-percent-as-a-page': [error('GET', '/pets/%zz', { key: null }), page('Bad Request')],
  'error-status-always-400': [both(unknown, missingKey, 'status'), [400n, 400n]],
  'error-status-zero': [both(invalid, unknown, 'status'), [0n, 404n]],
  'unauthenticated-says-403': [both(missingKey, unknown, 'status'), [403n, 404n]],
  'unknown-animal-says-500': [both(unknown, missingKey, 'status'), [500n, 401n]],
  'orders-401-says-404': [both(orders, animal, 'status'), [404n, 401n]],
  'missing-member-says-422': [both(invalid, malformed, 'status'), [422n, 400n]],
  'error-status-of-the-last-error': [both(unknown, missingKey, 'status'), [400n, 404n]],
});
