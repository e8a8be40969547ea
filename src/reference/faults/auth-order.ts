import { isUtf8 } from 'node:buffer';
import type { Call, Operation } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { sentObject, sentText } from '../patch-kit/creations.ts';
import { refusing, refusingWhen } from '../patch-kit/keys.ts';
import { int64IdOf, petIdOf } from '../patch-kit/paths.ts';
import { errorReply, refuseAs } from '../patch-kit/responses.ts';
import type { Reply } from '../reply.ts';
import { family } from './family.ts';

/** The response to an invalid body, as of the reference server; null: the body is valid. It stores nothing. */
async function bodyProblem(call: Call, scope: 'syntax' | 'values'): Promise<Reply | null> {
  const { parts } = call;
  const body = await call.body();
  if (!body.ok) return parts.fail(body.problem, call);
  const parsed = parts.parseBody(body.bytes, call);
  if (!parsed.ok) return parts.fail('invalid-body', call, parsed.message);
  if (scope === 'syntax') return null;
  const [violation] = parts.violations(parsed.value);
  return violation === undefined ? null : parts.fail('invalid-body', call, violation);
}

const early = (operation: Operation, when: (call: Call) => boolean, respond: (call: Call) => Reply): Patch =>
  refusingWhen(when, respond, operation);

const mediaTypeOf = ({ request }: Call): string => request.headers.get('content-type') ?? '';

/** As `early`, by the body of a creation. */
const earlyByBody = (
  when: (call: Call) => Promise<boolean>,
  respond: (call: Call) => Reply = invalidBody,
): Patch => refusing(async (call) => ((await when(call)) ? respond(call) : null), 'createPet');

const isAcceptable = ({ request }: Call): boolean => /json|\*/.test(request.headers.get('accept') ?? '*');

const invalidBody = refuseAs('invalid-body');
const invalidParameter = refuseAs('invalid-parameter');
const notAcceptable = errorReply(406, 'not_acceptable');
const unsupportedMediaType = errorReply(415, 'unsupported_media_type');

/** Mistakes in what is checked before the key. */
export const authOrderFaults = family(
  'AUTH-4',
  {
    'body-validated-before-the-key': [
      'An invalid body gets 400 before the key is checked.',
      refusing((call) => bodyProblem(call, 'values'), 'createPet'),
    ],
    'body-parsed-before-the-key': [
      'The JSON parser runs before authentication: malformed JSON gets 400 without a key.',
      refusing((call) => bodyProblem(call, 'syntax'), 'createPet'),
    ],
    'empty-body-refused-before-the-key': [
      'An empty body gets 400 before the key is checked.',
      earlyByBody(async (call) => (await sentText(call)) === ''),
    ],
    'animal-looked-up-before-the-key': [
      'An unknown id gets 404 before the key is checked: anyone can probe ids.',
      refusing(async (call) => {
        const id = int64IdOf(call);
        const isKnown = id !== null && (await call.parts.find(id, call.state)) !== undefined;
        return isKnown ? null : call.parts.fail('unknown-pet', call);
      }, 'getPet'),
    ],
    'pet-id-validated-before-the-key': [
      'A petId that is not an int64 gets 400 before the key is checked.',
      early('getPet', (call) => int64IdOf(call) === null, invalidParameter),
    ],
    'limit-validated-before-the-key': [
      'A limit out of range gets 400 before the key is checked.',
      early(
        'listPets',
        ({ parts, url }) => !parts.readLimit(url.searchParams.getAll('limit')).ok,
        invalidParameter,
      ),
    ],
    'media-type-judged-before-the-key': [
      'A body that is not labeled as JSON gets 415 before the key is checked.',
      early('createPet', (call) => !mediaTypeOf(call).includes('json'), unsupportedMediaType),
    ],
    'missing-media-type-refused-before-the-key': [
      'A body without a Content-Type gets 400 before the key is checked.',
      early('createPet', (call) => mediaTypeOf(call) === '', invalidBody),
    ],
    'plain-text-refused-before-the-key': [
      'A plain-text body gets 415 before the key is checked.',
      early('createPet', (call) => mediaTypeOf(call).startsWith('text/'), unsupportedMediaType),
    ],
    'form-validated-before-the-key': [
      'The fields of a form are validated before the key is checked: 400.',
      early('createPet', (call) => mediaTypeOf(call).includes('form'), invalidBody),
    ],
    'coding-judged-before-the-key': [
      'An unknown Content-Encoding gets 415 before the key is checked.',
      early(
        'createPet',
        ({ request }) => request.headers.has('content-encoding'),
        errorReply(415, 'unsupported_encoding'),
      ),
    ],
    'accept-judged-before-the-key': [
      'A request that does not accept JSON gets 406 before the key is checked.',
      early('listPets', (call) => !isAcceptable(call), notAcceptable),
    ],
    'accept-of-orders-judged-before-the-key': [
      'GET /store/orders that does not accept JSON gets 406 before the key is checked.',
      early('listOrders', (call) => !isAcceptable(call), notAcceptable),
    ],
    'accept-of-creations-judged-before-the-key': [
      'A creation that does not accept JSON gets 406 before the key is checked.',
      early('createPet', (call) => !isAcceptable(call), notAcceptable),
    ],
    'charset-judged-before-the-key': [
      'The body parser refuses a charset other than UTF-8 with 415 before the key is checked.',
      early('createPet', (call) => /charset=(?!"?utf-?8)/i.test(mediaTypeOf(call)), unsupportedMediaType),
    ],
    'multipart-parsed-before-the-key': [
      'The parser of multipart bodies refuses one without a boundary before the key is checked.',
      early('createPet', (call) => /multipart(?!.*boundary)/.test(mediaTypeOf(call)), invalidBody),
    ],
    'xml-refused-before-the-key': [
      'An XML body gets 415 before the key is checked.',
      early('createPet', (call) => mediaTypeOf(call).includes('xml'), unsupportedMediaType),
    ],
    'long-body-refused-before-the-key': [
      'The body parser refuses more than 64 kB with 413 before the key is checked.',
      earlyByBody(
        async (call) => ((await sentText(call)) ?? '').length > 64_000,
        errorReply(413, 'too_large'),
      ),
    ],
    'null-read-before-the-key': [
      'The server reads the name of a null before it checks the key: 400.',
      earlyByBody(async (call) => (await sentText(call)) === 'null'),
    ],
    'encoding-judged-before-the-key': [
      'A body that is not UTF-8 gets 400 before the key is checked.',
      earlyByBody(async (call) => {
        const body = await call.body();
        return body.ok && !isUtf8(body.bytes);
      }),
    ],
    'category-looked-up-before-the-key': [
      'The server looks the category up before it checks the key: an unknown one gets 422.',
      earlyByBody(
        async (call) => {
          const categoryId = (await sentObject(call))?.categoryId;
          const isKnown = call.state.pets.some((pet) => pet.categoryId === categoryId);
          return typeof categoryId === 'bigint' && !isKnown;
        },
        errorReply(422, 'unknown_category'),
      ),
    ],
    'unknown-parameter-refused-before-the-key': [
      'GET /store/orders refuses unknown parameters with 400 before the key is checked.',
      early('listOrders', ({ url }) => url.searchParams.has('unknown'), invalidParameter),
    ],
    'id-beyond-int64-refused-before-the-key': [
      'A petId beyond int64 gets 400 before the key is checked.',
      early(
        'getPet',
        (call) => /^\d{19,}$/.test(petIdOf(call)) && int64IdOf(call) === null,
        invalidParameter,
      ),
    ],
    'negative-limit-refused-before-the-key': [
      'A negative limit gets 400 before the key is checked.',
      early('listPets', ({ url }) => /^-\d/.test(url.searchParams.get('limit') ?? ''), invalidParameter),
    ],
    'status-validated-before-the-key': [
      'An unknown status gets 400 before the key is checked.',
      early(
        'listPets',
        ({ parts, url }) => !parts.readStatus(url.searchParams.getAll('status')).ok,
        invalidParameter,
      ),
    ],
  },
  // The same request has no key, or an invalid or misplaced one.
  { companions: ['AUTH-1', 'AUTH-2', 'AUTH-3'] },
);
