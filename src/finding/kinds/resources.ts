import type { Json } from '../../json/json.ts';
import { defineProblem, type WrongStatus } from '../define-problem.ts';
import { shownStatus } from '../words/requests.ts';
import { shownJson } from '../words/values.ts';

/** The event after which a resource of another API is in a wrong state. */
const events = {
  creation: 'of a resource that was created',
  location: 'at the Location of a creation',
  update: 'after an update',
  replacement: 'after a replacement without it',
  action: 'after an action that returned another value',
  deletion: 'after its deletion',
  'deletion of another': 'after the deletion of another resource',
  'update of another': 'after an update of another resource',
  listing: 'in a list',
  omission: 'of a resource that was created without it',
  'wrong If-Match': 'with an If-Match that does not match',
  'right If-Match': 'with its ETag as If-Match',
  refusal: 'after a refused request',
  'made-up id': 'with an id that does not exist',
  'other parent': 'below another parent than its own',
} as const;

export type ResourceEvent = keyof typeof events;

/** Why a list of another API is wrong. `about`: the id of a resource, or the filter or page size. */
const listMistakes = {
  'created missing': (about: string) => [
    `the created resource ${about} is missing`,
    `the list with ${about}`,
  ],
  'deleted listed': (about: string) => [
    `the deleted resource ${about} is listed`,
    `the list without ${about}`,
  ],
  'refused listed': () => ['a refused request changed the list', 'the same list as before the request'],
  'listed twice': (about: string) => [`the id ${about} is listed twice`, 'each id once'],
  'not filtered': (about: string) => [`resources do not match ${about}`, `only matches of ${about}`],
  'match missing': (about: string) => [`a match of ${about} is missing`, `every match of ${about}`],
  'too many': (about: string) => [`more resources than ${about}`, `at most as many as ${about}`],
  'wrong total': (about: string) => [`the total is ${about}`, 'the number of resources as total'],
  'not sorted': (about: string) => [`resources are not sorted by ${about}`, `the order of ${about}`],
  'missing from pages': (about: string) => [
    `the pages of ${about} lack resources that the whole list has`,
    'each resource on one page',
  ],
  'on two pages': (about: string) => [
    `the pages of ${about} have resources twice`,
    'each resource on one page',
  ],
  'page repeated': (about: string) => [`${about} begins as the page before it does`, 'other resources'],
  'of other parent': (about: string) => [
    `${about}, of another parent, is listed`,
    'only resources of this parent',
  ],
} as const satisfies Readonly<Record<string, (about: string) => readonly [wrong: string, expected: string]>>;

export type ListMistake = keyof typeof listMistakes;

type ResourceStatus = WrongStatus & {
  readonly after: ResourceEvent;
  readonly expected: readonly (number | '2xx')[];
};

type ResourceValue = {
  readonly after: ResourceEvent;
  readonly member: string;
  readonly expected: Json | undefined;
  readonly got: Json | undefined;
};

/** `refused`: what the server refuses instead; null: nothing. */
type InvalidAccepted = WrongStatus & {
  readonly refused: { readonly input: string; readonly status: number } | null;
};

/** Problems with requests that any API judges wrongly, and with its resources. */
export const resourceKinds = {
  /** A valid value is refused, and an ordinary one in its place is accepted with `usual`. */
  'valid-refused': defineProblem<WrongStatus & { readonly usual: number }>({
    example: { usual: 201, wrongStatus: 422 },
    saysBothSides: true,
    text: ({ usual, wrongStatus }, { request, exchange }) => ({
      message: `${request}: expected ${usual}, as with an ordinary value there, got ${wrongStatus}. The document permits the value`,
      expected: `status ${usual}, as with an ordinary value there`,
      actual: shownStatus(exchange),
    }),
  }),
  'invalid-accepted': defineProblem<InvalidAccepted>({
    example: { refused: { input: 'no name', status: 400 }, wrongStatus: 201 },
    saysBothSides: true,
    text: ({ refused, wrongStatus }, { request, exchange }) => ({
      message:
        refused === null
          ? `${request}: expected 400 or 422 (the request is invalid), got ${wrongStatus}`
          : `${request}: expected ${refused.status} (the request is invalid), got ${wrongStatus}. The server refuses ${refused.input}`,
      expected: refused === null ? 'status 400 or 422' : `status ${refused.status}`,
      actual: shownStatus(exchange),
    }),
  }),
  'resource-status': defineProblem<ResourceStatus>({
    example: { after: 'creation', expected: ['2xx'], wrongStatus: 404 },
    saysBothSides: true,
    text: ({ after, expected, wrongStatus }, { request, exchange }) => ({
      message: `${request} ${events[after]}: expected ${expected.join(' or ')}, got ${wrongStatus}`,
      expected: `status ${expected.join(' or ')}`,
      actual: shownStatus(exchange),
    }),
    variant: ({ after }) => after,
  }),
  'resource-value': defineProblem<ResourceValue>({
    example: { after: 'update', member: 'name', expected: 'Rex', got: 'Max' },
    saysBothSides: true,
    text: ({ after, member, expected, got }, { request }) => ({
      message: `${request} ${events[after]}: expected ${member} ${shownJson(expected)}, got ${shownJson(got)}`,
      expected: `${member} ${shownJson(expected)}`,
      actual: `${member} ${shownJson(got)}`,
    }),
    variant: ({ after, member }) => `${member} ${after}`,
    members: ({ member }) => [member],
  }),
  'resource-list': defineProblem<{ mistake: ListMistake; about: string; count: number }>({
    example: { mistake: 'created missing', about: '7', count: 20 },
    text: ({ mistake, about, count }, { request }) => {
      const [wrong, expected] = listMistakes[mistake](about);
      return { message: `${request}: ${wrong}`, expected, actual: `${count} resources` };
    },
    variant: ({ mistake }) => mistake,
  }),
  'id-given-twice': defineProblem<{ id: Json }>({
    example: { id: 7n },
    text: ({ id }, { request }) => ({
      message: `${request}: expected a new id, got ${shownJson(id)}, which another resource has`,
      expected: 'an id that no other resource has',
      actual: shownJson(id),
    }),
  }),
};
