import { excerpt, splitSafe } from '../../json/excerpt.ts';
import type { Json, JsonObject } from '../../json/json.ts';
import { stringifyJson } from '../../json/stringify.ts';
import type { ProblemOf } from '../../oracle/problem.ts';
import type { AnimalProblem, ShownIn } from '../../oracle/problems/animals.ts';
import type { Seen, Texts } from './texts.ts';
import { jsonOrAbsent, type ProblemText, shownJson } from './words.ts';

const longest = 200;
/** So much of what is the same stands before the difference. */
const before = 20;

const firstDifference = (a: string, b: string): number => {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
};

/** Of a string its characters, whatever stands for them in JSON. */
const lengthOf = (text: string): number =>
  [...(text.startsWith('"') ? String(JSON.parse(text)) : text)].length;

/** Two values as JSON that differ, cut to what a line can hold; where they begin alike for longer than that, each from where they part, with its length. */
export const contrast = (expected: string, actual: string): readonly [expected: string, actual: string] => {
  const from = firstDifference(expected, actual) - before;
  const shown = (text: string): string =>
    from + before < longest
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

/** Up to so many missing characters are shown: they are removed for what they are, as a space is. More are cut for want of room. */
const fewCharacters = 3;

const cut = (asked: string, back: string): string => {
  const end = asked.slice(back.length);
  return [...end].length <= fewCharacters
    ? `the end ${JSON.stringify(end)} is missing`
    : `cut after ${[...back].length} characters`;
};

/** What a double makes of an integer that it cannot hold. */
const isRoundedTo = (asked: Json | undefined, back: Json | undefined): boolean =>
  typeof asked === 'bigint' && typeof back === 'bigint' && asked !== back && BigInt(Number(asked)) === back;

const precision = '(integer precision lost above 2^53)';

/** What came in place of what was sent. */
const otherValue = ({ member, sent: asked, got: back }: OfCreation): string => {
  if (back === undefined) return `${member} is missing in the response`;
  const type = back === null ? 'null' : types[typeof back];
  if (typeof back !== typeof asked && type !== undefined) return `${member} came back as ${type}`;
  if (isRoundedTo(asked, back)) return `${member} ${asked} came back as ${back} ${precision}`;
  const isCut =
    typeof asked === 'string' && typeof back === 'string' && back !== '' && asked.startsWith(back);
  return `${member} came back different${isCut ? `: ${cut(asked, back)}` : ''}`;
};

const createdOtherwise = (problem: OfCreation, { request }: Seen): ProblemText => {
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
  const where = id === null ? 'GET /pets after a creation' : `GET /pets/${id}`;
  return {
    message: `${where}: expected categoryId ${sent}, got ${String(got)}${lost}`,
    expected: `"categoryId":${sent}`,
    actual: `"categoryId":${String(got)}`,
  };
};

/** How a member differs: `its status is missing`. */
const describeDifference = ({ member, is }: OfAnimal): string =>
  `its ${member} ${is[member] === undefined ? 'is missing' : 'differs'}`;

const shownOtherwise: Readonly<Record<ShownIn, (problem: OfAnimal, seen: Seen) => string>> = {
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

const changed = ({ id, isGone, was, is }: ProblemOf<'animal-replaced'>): ProblemText => {
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
    if (problem.in === 'creation') return createdOtherwise(problem, seen);
    if (problem.in === 'categoryId') return otherCategoryId(problem);
    return {
      message: shownOtherwise[problem.in](problem, seen),
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
  'animal-replaced': changed,
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
