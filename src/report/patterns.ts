import type { Json, JsonObject } from '../json/json.ts';
import type { Failure, RequirementResult } from '../run/outcome.ts';
import { hasErrorShapeProblem } from './error-bodies.ts';
import { frameworkOf } from './framework-errors.ts';
import { jsonIn, objectsIn } from './json-text.ts';

/** A failure, with all that its requirement fails for. */
interface Context {
  readonly requirement: string;
  readonly failure: Failure;
  /** The failures of this requirement. */
  readonly failures: readonly Failure[];
}

/** A mistake that servers make often. */
interface Pattern {
  readonly name: string;
  /** The likely bug in a sentence; null: this is another failure. */
  readonly sentence: (context: Context) => string | null;
}

const sent = ({ failure }: Context): JsonObject => objectsIn(failure.request.body)[0] ?? {};

/** The animals of the response. */
const received = ({ failure }: Context): readonly JsonObject[] => objectsIn(failure.response?.body);

const query = ({ request }: Failure, name: string): string | null =>
  URL.canParse(request.url) ? new URL(request.url).searchParams.get(name) : null;

/** A sentence for one requirement, if the failure is of this kind. */
const when =
  (ids: readonly string[], applies: (context: Context) => boolean, sentence: string) =>
  (context: Context): string | null =>
    ids.includes(context.requirement) && applies(context) ? sentence : null;

const errorPage = (context: Context): string | null => {
  const { response } = context.failure;
  if (!hasErrorShapeProblem(context) || response === null) return null;
  const framework = frameworkOf(response.body);
  return framework === null
    ? null
    : `The ${response.status} is the default error response of ${framework.name}: ${framework.advice}.`;
};

const first = (context: Context, name: string): Json | undefined => received(context)[0]?.[name];

const normalForms = ['NFC', 'NFD', 'NFKC', 'NFKD'];

/** How a returned name differs from the one sent. */
const nameChanges: readonly (readonly [change: string, apply: (name: string, got: string) => boolean])[] = [
  ['trimmed', (name, got) => got === name.trim() || got === name.trimStart() || got === name.trimEnd()],
  ['changed to lower case', (name, got) => got === name.toLowerCase()],
  ['changed to upper case', (name, got) => got === name.toUpperCase()],
  ['normalized (Unicode)', (name, got) => normalForms.some((form) => name.normalize(form) === got)],
  ['cut', (name, got) => got !== '' && name.startsWith(got)],
  ['escaped for HTML', (name, got) => unescaped(got) === name],
];

const entities: readonly (readonly [entity: RegExp, character: string])[] = [
  [/&lt;/g, '<'],
  [/&gt;/g, '>'],
  [/&quot;|&#34;|&#x22;/g, '"'],
  [/&#0?39;|&#x27;|&apos;/g, "'"],
  [/&amp;/g, '&'],
];

const unescaped = (text: string): string =>
  entities.reduce((result, [entity, character]) => result.replaceAll(entity, character), text);

const changedName = (context: Context): string | null => {
  const { name } = sent(context);
  const got = first(context, 'name');
  if (context.requirement !== 'CREATE-2' || typeof name !== 'string' || typeof got !== 'string') return null;
  if (name === got) return null;
  const change = nameChanges.find(([, apply]) => apply(name, got));
  return change === undefined ? null : `The name is ${change[0]}: store and return it exactly as sent.`;
};

/** How a large integer differs from the one sent. */
const integerChanges: readonly (readonly [change: string, apply: (sent: bigint) => bigint])[] = [
  [
    'Integers above 2^53 lose digits, because they pass through a double: parse and write JSON with 64-bit integers.',
    (value) => BigInt(Number(value)),
  ],
  [
    'categoryId is cut to 32 bits: use a 64-bit type in code and database.',
    (value) => BigInt.asIntN(32, value),
  ],
];

const changedInteger = (context: Context): string | null => {
  const { categoryId } = sent(context);
  if (context.requirement !== 'CREATE-9' || typeof categoryId !== 'bigint') return null;
  const got = received(context).map((animal) => animal.categoryId);
  return integerChanges.find(([, apply]) => got.includes(apply(categoryId)))?.[0] ?? null;
};

const hasBody = ({ failure: { operation } }: Context): boolean => operation === 'createPet';

const isList = ({ response }: Failure): boolean => Array.isArray(jsonIn(response?.body));

const isUnderStatus = (failure: Failure): boolean => query(failure, 'status') !== null;

/** Lists by status lack animals that plain lists show, and are not simply empty. */
const filtersLate = (context: Context): boolean =>
  context.failures.every((each) => isUnderStatus(each) && isList(each)) && received(context).length > 0;

const defaultLimit = 20;

const hasOneTooMany = (context: Context): boolean =>
  received(context).length === Number(query(context.failure, 'limit') ?? defaultLimit) + 1;

const isBound = ({ failure }: Context): boolean =>
  ['1', '100'].includes(query(failure, 'limit') ?? '') && (failure.response?.status ?? 0) >= 400;

const isBeyondBound = ({ failure }: Context): boolean =>
  ['0', '101'].includes(query(failure, 'limit') ?? '') && failure.response?.status === 200;

const usesSentId = (context: Context): boolean => {
  const { id } = sent(context);
  return id !== undefined && String(first(context, 'id')) === String(id);
};

/** Common bugs, the most specific first. */
const patterns: readonly Pattern[] = [
  {
    name: 'id from the request',
    sentence: when(
      ['CREATE-10'],
      usesSentId,
      'The server used the id from the request body: write { ...body, id: newId }, not { id: newId, ...body }.',
    ),
  },
  {
    name: 'body before key',
    sentence: when(
      ['AUTH-4'],
      hasBody,
      'The body is parsed or checked before the key: check the key first, before the body parser runs.',
    ),
  },
  {
    name: 'parameters before key',
    sentence: when(
      ['AUTH-4'],
      (context) => !hasBody(context),
      'The path or query is checked before the key: check the key first.',
    ),
  },
  { name: 'default error response', sentence: errorPage },
  { name: 'changed integer', sentence: changedInteger },
  { name: 'changed name', sentence: changedName },
  {
    name: 'filter after paging',
    sentence: when(
      ['LIST-8'],
      filtersLate,
      'Only lists with status lack animals: filter by status before the page is cut (WHERE before LIMIT).',
    ),
  },
  {
    name: 'one too many',
    sentence: when(
      ['LIST-2', 'LIST-3'],
      hasOneTooMany,
      'The page has exactly one animal too many: off by one, or one is read ahead and not removed.',
    ),
  },
  {
    name: 'exclusive bound',
    sentence: when(['LIST-4'], isBound, 'The bounds of limit are inclusive: 1 and 100 are valid.'),
  },
  {
    name: 'bound too wide',
    sentence: when(['LIST-5'], isBeyondBound, 'limit is valid from 1 to 100: 0 and 101 are not.'),
  },
];

/** The likely bug in a sentence; null: no pattern matches. */
export const likelyBug = ({ id, failures }: RequirementResult, failure: Failure): string | null => {
  for (const { sentence } of patterns) {
    const text = sentence({ requirement: id, failure, failures });
    if (text !== null) return text;
  }
  return null;
};
