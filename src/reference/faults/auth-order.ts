import type { Call, Operation } from '../parts.ts';
import type { Fault } from '../patch.ts';
import type { Reply } from '../reply.ts';
import { refusing } from './auth-breaches.ts';
import { problem } from './create-patches.ts';

type Early = (call: Call) => Reply | null | Promise<Reply | null>;

const early = (name: string, description: string, operation: Operation, answer: Early): Fault => ({
  name,
  requirement: 'AUTH-4',
  // The same request has no key, or an invalid or misplaced one.
  companions: ['AUTH-1', 'AUTH-2', 'AUTH-3'],
  description,
  patch: refusing(answer, operation),
});

/** What is wrong with the body of a creation, as the reference server sees it: it stores nothing. */
async function bodyProblem(call: Call, looks: 'at the syntax' | 'at the values'): Promise<Reply | null> {
  const { parts } = call;
  const body = await call.body();
  if (!body.ok) return parts.fail(body.problem, call);
  const parsed = parts.parseBody(body.bytes, call);
  if (!parsed.ok) return parts.fail('invalid-body', call, parsed.message);
  if (looks === 'at the syntax') return null;
  const [violation] = parts.violations(parsed.value);
  return violation === undefined ? null : parts.fail('invalid-body', call, violation);
}

const petIdOf = ({ parts, route }: Call): bigint | null =>
  route.operation === 'getPet' ? parts.readPetId(route.petId) : null;

const mediaTypeOf = ({ request }: Call): string => request.headers.get('content-type') ?? '';

const invalidParameter = (call: Call): Reply => call.parts.fail('invalid-parameter', call);

/** Mistakes in what is looked at before the key is. */
export const authOrderFaults: readonly Fault[] = [
  early(
    'body-validated-before-the-key',
    'An invalid body gets 400 before the key is looked at.',
    'createPet',
    (call) => bodyProblem(call, 'at the values'),
  ),
  early(
    'body-parsed-before-the-key',
    'The JSON parser runs before the authentication: malformed JSON gets 400 without a key.',
    'createPet',
    (call) => bodyProblem(call, 'at the syntax'),
  ),
  early(
    'empty-body-refused-before-the-key',
    'A creation without any body gets 400 before the key is looked at.',
    'createPet',
    async (call) => {
      const body = await call.body();
      return body.ok && body.bytes.length === 0 ? call.parts.fail('invalid-body', call) : null;
    },
  ),
  early(
    'animal-looked-up-before-the-key',
    'An unknown id gets 404 before the key is looked at, so that anybody can try ids.',
    'getPet',
    async (call) => {
      const id = petIdOf(call);
      const known = id !== null && (await call.parts.find(id, call.world)) !== undefined;
      return known ? null : call.parts.fail('unknown-pet', call);
    },
  ),
  early(
    'pet-id-validated-before-the-key',
    'A petId that is no int64 gets 400 before the key is looked at.',
    'getPet',
    (call) => (petIdOf(call) === null ? invalidParameter(call) : null),
  ),
  early(
    'limit-validated-before-the-key',
    'A limit out of range gets 400 before the key is looked at.',
    'listPets',
    (call) =>
      call.parts.readLimit(call.url.searchParams.getAll('limit')).ok ? null : invalidParameter(call),
  ),
  early(
    'media-type-judged-before-the-key',
    'A body that is not labelled as JSON gets 415 before the key is looked at.',
    'createPet',
    (call) => (mediaTypeOf(call).includes('json') ? null : problem(415, 'unsupported_media_type')(call)),
  ),
  early(
    'missing-media-type-refused-before-the-key',
    'A body without a Content-Type gets 400 before the key is looked at.',
    'createPet',
    (call) => (mediaTypeOf(call) === '' ? call.parts.fail('invalid-body', call) : null),
  ),
  early(
    'plain-text-refused-before-the-key',
    'A body of plain text gets 415 before the key is looked at.',
    'createPet',
    (call) => (mediaTypeOf(call).startsWith('text/') ? problem(415, 'unsupported_media_type')(call) : null),
  ),
  early(
    'form-validated-before-the-key',
    'The fields of a form are validated before the key is looked at: 400.',
    'createPet',
    (call) => (mediaTypeOf(call).includes('form') ? call.parts.fail('invalid-body', call) : null),
  ),
  early(
    'coding-judged-before-the-key',
    'A Content-Encoding that the server does not know gets 415 before the key is looked at.',
    'createPet',
    (call) =>
      call.request.headers.has('content-encoding') ? problem(415, 'unsupported_encoding')(call) : null,
  ),
  early(
    'accept-judged-before-the-key',
    'A request that takes no JSON gets 406 before the key is looked at.',
    'listPets',
    (call) =>
      /json|\*/.test(call.request.headers.get('accept') ?? '*') ? null : problem(406, 'not_acceptable')(call),
  ),
  early(
    'status-validated-before-the-key',
    'A status outside the enumeration gets 400 before the key is looked at.',
    'listPets',
    (call) =>
      call.parts.readStatus(call.url.searchParams.getAll('status')).ok ? null : invalidParameter(call),
  ),
];
