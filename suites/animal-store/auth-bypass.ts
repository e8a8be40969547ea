import { anonymous } from '../../src/check/credentials.ts';
import {
  type ApiResponse,
  type CheckContext,
  core,
  createPet,
  defineCheck,
  type Header,
  type Inputs,
  isJsonObject,
  type Json,
  type Probe,
  type RunContext,
  undocumentedRequest,
} from '../../src/check/index.ts';
import { idOf } from '../../src/check/pets.ts';
import { unexpectedStatus } from '../../src/check/responses.ts';
import { dropParts } from '../../src/check/schemas.ts';
import { inputOf } from '../../src/check/tiers.ts';
import { ordinaryPet } from './support/animals.ts';
import { type OperationName, someId, testedOperations } from './support/operations.ts';
import { isRejectedWithout, rejectedWith401 } from './support/refused.ts';

/** Another form of a request without a key. A router may know it, although the code that checks keys does not. */
interface Form {
  readonly operation: OperationName;
  readonly method: string;
  /** Made of the id of an animal. */
  readonly path: (id: bigint) => string;
  readonly headers?: (basePath: string) => readonly Header[];
}

const list = (path: string, headers?: Form['headers']): Form => ({
  operation: 'listPets',
  method: 'GET',
  path: () => path,
  ...(headers === undefined ? {} : { headers }),
});

/** Where gateways say which path or method a client requested. */
const pathHeaders: readonly string[] = ['X-Original-URL', 'X-Rewrite-URL', 'X-Forwarded-Uri'];
const methodHeaders: readonly string[] = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'];

const all =
  (names: readonly string[], value: (basePath: string) => string): NonNullable<Form['headers']> =>
  (basePath) =>
    names.map((name) => [name, value(basePath)]);

/** A preflight needs no key (fetch.spec.whatwg.org), but a method that replaces OPTIONS does. */
const preflight: NonNullable<Form['headers']> = (basePath) => [
  ['Origin', 'https://app.example'],
  ['Access-Control-Request-Method', 'GET'],
  ...all(methodHeaders, () => 'GET')(basePath),
];

const forms: Inputs<Form> = [
  core(list('/pets/')),
  list('//pets'),
  list('/pets;a=b'),
  list('/store/..;/pets'),
  list('/PETS'),
  list('/%70ets'),
  list('/pets.json'),
  { operation: 'getPet', method: 'GET', path: (id) => `/pets/${id}/` },
  { operation: 'createPet', method: 'POST', path: () => '/pets/' },
  { ...list('/pets', preflight), method: 'OPTIONS' },
  // A request for documentation, or a preflight, as the code that checks keys sees it.
  list(
    '/pets',
    all(pathHeaders, () => '/health'),
  ),
  {
    operation: 'getPet',
    method: 'GET',
    path: (id) => `/pets/${id}`,
    headers: all(methodHeaders, () => 'OPTIONS'),
  },
  // The root needs no key, and the gateway rewrites it.
  list(
    '/',
    all(pathHeaders, (basePath) => `${basePath}/pets`),
  ),
];

const headersOf = ({ headers }: Form, baseUrl: string): readonly Header[] =>
  headers?.(new URL(baseUrl).pathname.replace(/\/$/, '')) ?? [];

const probeOf = (form: Form, context: CheckContext): Probe => {
  const { method, path } = form;
  const { request, ...probe } = undocumentedRequest(method, path(someId(context.run)));
  const headers = headersOf(form, context.run.baseUrl);
  const creation = method === 'POST' ? createPet(ordinaryPet(context)) : null;
  return {
    ...probe,
    label: [...headers.map((header) => header.join(': ')), anonymous.label].join(', '),
    ...(creation?.sent === undefined ? {} : { sent: creation.sent }),
    request: {
      ...request,
      credential: anonymous,
      headers: [...request.headers, ...(creation?.request.headers ?? []), ...headers],
      body: creation?.request.body ?? null,
    },
  };
};

const isPet = (value: Json): boolean =>
  isJsonObject(value) && idOf(value) !== null && typeof value.name === 'string';

/** Any other response is permitted: the document has no such request. */
const showsAnimal = ({ status, json = null }: ApiResponse): boolean =>
  status >= 200 && status < 300 && (Array.isArray(json) ? json : [json]).some(isPet);

const noKey = rejectedWith401('AUTH-1', 'the request has no API key, and the response has an animal');

export const otherForms = defineCheck<Form>({
  id: 'auth-1-other-forms',
  title: 'without a key, no other form of a request returns an animal',
  requirement: 'AUTH-1',
  // A creation may succeed.
  cost: { requests: 1, keyless: 1 },
  inputs: (run) => forms.filter((form) => isTested(inputOf(form), run)),
  shrink: (form, { baseUrl }) =>
    dropParts(headersOf(form, baseUrl)).map((some) => ({ ...form, headers: () => some })),
  run: async (form, context) => {
    const response = await context.send(probeOf(form, context));
    if (!showsAnimal(response)) return context.passed();
    const { operation } = form;
    if (!(await isRejectedWithout(operation, context)))
      return context.skipCase({ code: 'precondition', detail: 'keyless-success', operation });
    context.breach({ problem: unexpectedStatus(noKey, response), response });
  },
});

const isTested = ({ operation }: Form, run: RunContext): boolean =>
  testedOperations(run).includes(operation) && !(run.readOnly && operation === 'createPet');
