import { excerpt, splitSafe } from '../../json/excerpt.ts';
import type { Json, JsonObject } from '../../json/json.ts';
import { stringifyJson } from '../../json/stringify.ts';
import type { ProblemOf } from '../../oracle/problem.ts';
import type { AnimalProblem, ShownIn } from '../../oracle/problems/animals.ts';
import type { Seen, Texts } from './texts.ts';
import { jsonOrAbsent, type ProblemText, shownJson } from './words.ts';

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

type Differs = ProblemOf<'member-differs'>;
type OfCreation = Extract<Differs, { in: 'creation' }>;
type OfCategoryId = Extract<Differs, { in: 'categoryId' }>;
type OfAnimal = Extract<Differs, { in: ShownIn }>;

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

const reusedBy: Readonly<Record<Exclude<ProblemOf<'id-reused'>['by'], 'batch'>, string>> = {
  listed: 'another animal in the list has',
  'earlier creation': 'is already in use',
  'concurrent creation': 'another creation got at the same time',
};

const animalReplaced = ({ id, isGone, was, is }: ProblemOf<'animal-replaced'>): ProblemText => {
  const shown = ({ id: own = null, name = null, categoryId = null, status = null }: JsonObject) =>
    stringifyJson({ id: own, name, categoryId, status });
  return {
    message: `POST /pets with the id of animal ${id}: expected animal ${id} unchanged, got it ${isGone ? 'removed' : 'changed'}`,
    expected: shown(was),
    actual: is === null ? 'no animal with that id' : shown(is),
  };
};

/** The sentences about one animal. */
export const animalTexts: Texts<AnimalProblem> = {
  'id-not-int64': ({ id }, { response }) => ({
    message: `${response}: expected an int64 as id, got ${shownJson(id)}`,
    expected: '"id": an int64',
    actual: `"id": ${shownJson(id)}`,
  }),
  'id-reused': (problem, { request }) =>
    problem.by === 'batch'
      ? {
          message: `POST /pets, ${problem.ids.length} at the same time: expected unique ids, got id ${problem.id} twice`,
          expected: 'a unique id for each animal',
          actual: problem.ids.join(', '),
        }
      : {
          message: `${request}: the new animal got id ${problem.id}, which ${reusedBy[problem.by]}`,
          expected: 'an id that no other animal has',
          actual: `"id":${problem.id}`,
        },
  'member-differs': (problem, seen) => {
    if (problem.in === 'creation') return creationDiffers(problem, seen);
    if (problem.in === 'categoryId') return otherCategoryId(problem);
    return {
      message: shownDifferently[problem.in](problem, seen),
      expected: stringifyJson(problem.was),
      actual: stringifyJson(problem.is),
    };
  },
  'status-when-omitted': ({ allowed, got }, { request }) => ({
    message: `${request}: expected no status or one of ${allowed.join(', ')}, got ${shownJson(got)}`,
    expected: `no status, or one of ${allowed.join(', ')}`,
    actual: `"status": ${shownJson(got)}`,
  }),
  'id-from-request': ({ input, id }) => ({
    message: `POST /pets with ${input}: expected an id from the server, got the id from the request (${String(id)})`,
    expected: 'an id assigned by the server, or 400',
    actual: `"id":${String(id)}`,
  }),
  'animal-replaced': animalReplaced,
  'wrong-animal': ({ requested, got, isConcurrent }) =>
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
};
