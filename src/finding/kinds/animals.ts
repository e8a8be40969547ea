import { excerpt, splitSafe } from '../../json/excerpt.ts';
import type { Json, JsonObject } from '../../json/json.ts';
import { stringifyJson } from '../../json/stringify.ts';
import { defineProblem, type ProblemText, type Seen } from '../define-problem.ts';
import { jsonOrAbsent, shownJson } from '../words/values.ts';

const longest = 200;
/** The number of common characters shown before the difference. */
const shownBefore = 20;

const firstDifference = (a: string, b: string): number => {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
};

/** The number of characters: of a string without the escapes of JSON, otherwise of the JSON text. */
const lengthOf = (text: string): number =>
  [...(text.startsWith('"') ? String(JSON.parse(text)) : text)].length;

/** Returns two different JSON texts, cut to fit a line. If they have a long common beginning, it is cut, and the lengths are added. */
export const contrast = (expected: string, actual: string): readonly [expected: string, actual: string] => {
  const from = firstDifference(expected, actual) - shownBefore;
  const shown = (text: string): string =>
    from + shownBefore < longest
      ? excerpt(text, longest)
      : `…${excerpt(text.slice(splitSafe(text, from)), longest)} (${lengthOf(text)} characters, alike before)`;
  return [shown(expected), shown(actual)];
};

type OfCreation = {
  readonly in: 'creation';
  readonly member: string;
  readonly sent: Json | undefined;
  readonly got: Json | undefined;
  /** The response is the animal of another request. */
  readonly isOther: boolean;
};

/** The categoryId of a new animal. */
type OfCategoryId = {
  readonly in: 'categoryId';
  /** Null: in the list. */
  readonly id: bigint | null;
  readonly sent: bigint;
  readonly got: Json | undefined;
};

/** The response in which a member of an animal had another value than before. */
export type ShownIn =
  | 'list'
  | 'list after creation'
  | 'get'
  | 'get as created'
  | 'get as listed'
  | 'get after other requests';

type OfAnimal = {
  readonly in: ShownIn;
  readonly member: string;
  readonly id: bigint;
  readonly was: JsonObject;
  readonly is: JsonObject;
};

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'a boolean',
  object: 'an array or an object',
};

/** At most so many missing characters are shown: a server removes some characters, such as spaces. More are cut to a length. */
const fewCharacters = 3;

const cut = (sent: string, got: string): string => {
  const end = sent.slice(got.length);
  return [...end].length <= fewCharacters
    ? `the end ${JSON.stringify(end)} is missing`
    : `cut after ${[...got].length} characters`;
};

/** Whether an integer was rounded, because a double cannot represent it. */
const isRoundedTo = (sent: Json | undefined, got: Json | undefined): boolean =>
  typeof sent === 'bigint' && typeof got === 'bigint' && sent !== got && BigInt(Number(sent)) === got;

const precision = '(integer precision lost above 2^53)';

/** How a returned member differs from the sent one. */
const otherValue = ({ member, sent, got }: OfCreation): string => {
  if (got === undefined) return `${member} is missing in the response`;
  const type = got === null ? 'null' : types[typeof got];
  if (typeof got !== typeof sent && type !== undefined) return `${member} came back as ${type}`;
  if (isRoundedTo(sent, got)) return `${member} ${sent} came back as ${got} ${precision}`;
  const isCut = typeof sent === 'string' && typeof got === 'string' && got !== '' && sent.startsWith(got);
  return `${member} came back different${isCut ? `: ${cut(sent, got)}` : ''}`;
};

const creationDiffers = (problem: OfCreation, { request }: Seen): ProblemText => {
  const { member, sent, got, isOther } = problem;
  const [expected, actual] = contrast(jsonOrAbsent(sent), jsonOrAbsent(got));
  const other = isOther ? '. The response is the animal of another request' : '';
  return {
    message: `${request}: ${otherValue(problem)}${other}`,
    expected: `${JSON.stringify(member)}: ${expected}`,
    actual: `${JSON.stringify(member)}: ${actual}`,
  };
};

const otherCategoryId = ({ id, sent, got }: OfCategoryId): ProblemText => {
  const lost = typeof got === 'bigint' && Number(got) === Number(sent) ? ` ${precision}` : '';
  const request = id === null ? 'GET /pets after a creation' : `GET /pets/${id}`;
  return {
    message: `${request}: expected categoryId ${sent}, got ${String(got)}${lost}`,
    expected: `"categoryId":${sent}`,
    actual: `"categoryId":${String(got)}`,
  };
};

/** How a member differs: `its status is missing`. */
const describeDifference = ({ member, is }: OfAnimal): string =>
  `its ${member} ${is[member] === undefined ? 'is missing' : 'differs'}`;

const shownDifferently: Readonly<Record<ShownIn, (problem: OfAnimal, seen: Seen) => string>> = {
  list: (problem, { request }) =>
    `${request} shows animal ${problem.id} differently than POST returned it: ${describeDifference(problem)}`,
  'list after creation': (problem) =>
    `GET /pets right after the creation of animal ${problem.id}: expected the status that POST returned, got another (${describeDifference(problem)})`,
  get: (problem) =>
    `GET /pets/${problem.id} returns the animal differently than POST returned it: ${describeDifference(problem)}`,
  'get as created': (problem) =>
    `GET /pets/${problem.id}: expected the animal as created, got another ${problem.member} (${describeDifference(problem)})`,
  'get as listed': (problem) =>
    `GET /pets/${problem.id}: expected the animal as listed, got another ${problem.member} (${describeDifference(problem)})`,
  'get after other requests': (problem) =>
    `GET /pets/${problem.id} after other requests: expected the animal as created, got another ${problem.member} (${describeDifference(problem)})`,
};

const memberVariant = (facts: OfCreation | OfCategoryId | OfAnimal): string => {
  if (facts.in === 'categoryId') return facts.in;
  return facts.in === 'get as listed' ? `${facts.member} as listed` : facts.member;
};

const reusedBy = {
  listed: 'another animal in the list has',
  'earlier creation': 'is already in use',
  'concurrent creation': 'another creation got at the same time',
} as const;

type IdReused =
  | { by: keyof typeof reusedBy; id: bigint }
  | { by: 'batch'; id: bigint; ids: readonly bigint[] };

/** The members of an animal, in the order of the document. */
const shownAnimal = ({ id = null, name = null, categoryId = null, status = null }: JsonObject): string =>
  stringifyJson({ id, name, categoryId, status });

/** Problems with one animal. */
export const animalKinds = {
  'id-not-int64': defineProblem<{ id: Json | undefined }>({
    example: { id: '7' },
    saysBothSides: true,
    text: ({ id }, { response }) => ({
      message: `${response}: expected an int64 as id, got ${shownJson(id)}`,
      expected: '"id": an int64',
      actual: `"id": ${shownJson(id)}`,
    }),
  }),
  'id-reused': defineProblem<IdReused>({
    example: { by: 'earlier creation', id: 7n },
    text: (facts, { request }) =>
      facts.by === 'batch'
        ? {
            message: `POST /pets, ${facts.ids.length} at the same time: expected unique ids, got id ${facts.id} twice`,
            expected: 'a unique id for each animal',
            actual: facts.ids.join(', '),
          }
        : {
            message: `${request}: the new animal got id ${facts.id}, which ${reusedBy[facts.by]}`,
            expected: 'an id that no other animal has',
            actual: `"id":${facts.id}`,
          },
  }),
  'member-differs': defineProblem<OfCreation | OfCategoryId | OfAnimal>({
    example: { in: 'creation', member: 'name', sent: ' Rex ', got: 'Rex', isOther: false },
    text: (facts, seen) => {
      if (facts.in === 'creation') return creationDiffers(facts, seen);
      if (facts.in === 'categoryId') return otherCategoryId(facts);
      return {
        message: shownDifferently[facts.in](facts, seen),
        expected: stringifyJson(facts.was),
        actual: stringifyJson(facts.is),
      };
    },
    variant: memberVariant,
    members: (facts) => [facts.in === 'categoryId' ? facts.in : facts.member],
  }),
  'status-when-omitted': defineProblem<{ allowed: readonly string[]; got: Json | undefined }>({
    example: { allowed: ['available', 'adopted'], got: null },
    saysBothSides: true,
    text: ({ allowed, got }, { request }) => ({
      message: `${request}: expected no status or one of ${allowed.join(', ')}, got ${shownJson(got)}`,
      expected: `no status, or one of ${allowed.join(', ')}`,
      actual: `"status": ${shownJson(got)}`,
    }),
  }),
  'id-from-request': defineProblem<{ input: string; id: Json | undefined }>({
    example: { input: 'id 7', id: 7n },
    saysBothSides: true,
    text: ({ input, id }) => ({
      message: `POST /pets with ${input}: expected an id from the server, got the id from the request (${String(id)})`,
      expected: 'an id assigned by the server, or 400',
      actual: `"id":${String(id)}`,
    }),
  }),
  /** `is` null: no animal has the id. */
  'animal-replaced': defineProblem<{
    id: bigint;
    isGone: boolean;
    was: JsonObject;
    is: JsonObject | null;
  }>({
    example: { id: 7n, isGone: false, was: { id: 7n, name: 'Rex' }, is: { id: 7n, name: 'Tom' } },
    saysBothSides: true,
    text: ({ id, isGone, was, is }) => ({
      message: `POST /pets with the id of animal ${id}: expected animal ${id} unchanged, got it ${isGone ? 'removed' : 'changed'}`,
      expected: shownAnimal(was),
      actual: is === null ? 'no animal with that id' : shownAnimal(is),
    }),
  }),
  'wrong-animal': defineProblem<{ requested: bigint; got: bigint | null; isConcurrent: boolean }>({
    example: { requested: 7n, got: 8n, isConcurrent: true },
    saysBothSides: true,
    text: ({ requested, got, isConcurrent }) =>
      isConcurrent
        ? {
            message: `GET /pets/${requested} with concurrent requests: expected animal ${requested}, got animal ${got}`,
            expected: `animal ${requested}`,
            actual: `animal ${got}`,
          }
        : {
            message: `GET /pets/${requested}: expected 404, got animal ${got}`,
            expected: `status 404, or animal ${requested}`,
            actual: `animal ${got}`,
          },
    variant: ({ isConcurrent }) => (isConcurrent ? 'concurrent' : undefined),
  }),
};
