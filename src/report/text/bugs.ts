import { excerpt } from '../../json/excerpt.ts';

/** Who wrote the responses that lack headers. */
export type Writer = 'authentication' | 'body parser' | 'router' | null;

/** Responses that lack headers: all with a status, or some. */
export interface Lacking {
  readonly status: string;
  readonly isEvery: boolean;
  /** Null if it is not known, or the application. */
  readonly writer: Writer;
  /** The operation, if the other operations have the headers with this status. */
  readonly operation: string | null;
}

export interface PartlySent {
  readonly names: readonly string[];
  readonly lacking: readonly Lacking[];
  /** Statuses with which some responses have the headers. */
  readonly sentOn: readonly string[];
}

/** What a server judges before the key. */
export type JudgedFirst = 'body' | 'parameters' | 'headers' | 'animal';

const listFormat = new Intl.ListFormat('en-US');

const errorMembers: Readonly<Record<string, string>> = {
  code: 'a string',
  message: 'a string',
  status: 'an integer',
};

const judgedFirst: Readonly<Record<JudgedFirst, string>> = {
  body: 'The body is parsed or checked before the key: check the key first, before the body parser runs.',
  parameters: 'The path or query is checked before the key: check the key first.',
  headers:
    'Accept, Content-Type, or Content-Encoding is judged before the key (content negotiation): check the key first.',
  animal: 'The animal is looked up before the key is checked: check the key first.',
};

const lackingText = ({ status, isEvery, writer, operation }: Lacking): string =>
  [
    `${isEvery ? 'every' : 'some'} ${status}`,
    ...(operation === null ? [] : [`of ${operation}`]),
    ...(writer === null ? [] : [`(${writer})`]),
  ].join(' ');

/** Sentences that name likely bugs, with what to do. */
export const bugTexts = {
  leftBy: (prefix: string) =>
    `An animal of run ${prefix.replace(/-$/, '')} is wrong: restart the server, or clean its store.`,
  slash: (path: string) =>
    `Every route ends in a slash here: ${path} leads to ${path}/, but clients do not follow. Serve ${path} itself.`,
  exception: ({ message, exception }: { readonly message: string; readonly exception: string }) =>
    `${message}: ${excerpt(exception, 200)}`,
  pagesForBrowsers: () =>
    'A client whose Accept prefers text/html gets an HTML page: return JSON for every Accept.',
  envelope: (name: string) =>
    `The list is wrapped in an object, in its member "${name}": return the array itself.`,
  forbidden: ({ missing, invalid }: { readonly missing: boolean; readonly invalid: boolean }) => {
    const key = missing === invalid ? 'a valid key' : missing ? 'a key' : null;
    return `Requests ${key === null ? 'with an invalid key' : `without ${key}`} get 403: return 401.`;
  },
  idFromRequest: () =>
    'The server used the id from the request body: write { ...body, id: newId }, not { id: newId, ...body }.',
  judgedFirst: (what: JudgedFirst) => judgedFirst[what],
  printsErrors: (error: string) =>
    `PHP prints errors into responses (${error}): fix them, and turn display_errors off.`,
  defaultErrorResponse: (facts: {
    readonly statuses: readonly number[];
    readonly name: string;
    readonly advice: string | null;
  }) => {
    const isOne = facts.statuses.length === 1;
    const advice = facts.advice === null ? '' : `: ${facts.advice}`;
    return `The ${listFormat.format(facts.statuses.map(String))} ${isOne ? 'is the default error response' : 'are default error responses'} of ${facts.name}${advice}.`;
  },
  headersNeverSent: (names: readonly string[]) =>
    `Responses lack ${names.join(', ')}: add them to every response in one place, errors included.`,
  headersPartlySent: ({ names, lacking, sentOn }: PartlySent) =>
    `Missing on ${listFormat.format(lacking.map(lackingText))}: ${names.join(', ')}. Other responses (${sentOn.join(', ')}) have them: set them in one place, before anything responds.`,
  errorsOfAnotherShape: (names: readonly string[]) =>
    `Error bodies need ${names.map((name) => `${name} (${errorMembers[name] ?? 'see the schema'})`).join(', ')} in every 400, 401, and 404.`,
  mediaTypeNeverSent: (type: string) =>
    `Responses have ${type === '' ? 'no Content-Type' : `Content-Type: ${excerpt(type)}`}: set Content-Type: application/json in one place, errors included.`,
  counterStuck: (remaining: number) =>
    `X-RateLimit-Remaining stays ${remaining}: the counter does not count. Keep it between requests, where all processes share it.`,
  resetIsTimeLeft: (unit: string) =>
    `X-RateLimit-Reset has the ${unit} left until the reset: send the Unix time of the reset in seconds.`,
  resetInMilliseconds: () =>
    'X-RateLimit-Reset is Unix time in milliseconds: send seconds (divide by 1,000, without a fraction).',
  nullStatus: () => 'status is null: leave it out if the request has none, or return a default.',
  indexedList: () =>
    'The list is an object with indexes as names: write an array (PHP: array_values before json_encode).',
  anotherClientError: ({ operation, status }: { readonly operation: string; readonly status: number }) =>
    `${operation} rejects invalid bodies with ${status}: return 400.`,
  anotherSuccess: (status: number) => `createPet returns ${status} for a created animal: return 201.`,
  integerThroughDouble: () =>
    'Integers above 2^53 lose digits, because they pass through a double: parse and write JSON with 64-bit integers.',
  integerCutTo32Bits: () => 'categoryId is cut to 32 bits: use a 64-bit type in code and database.',
  nameChanged: (change: string) => `The name is ${change}: store and return it exactly as sent.`,
  notStored: () =>
    'Neither the list nor getPet shows an animal of this run: createPet returns 201, but does not store the animal.',
  filterAfterPaging: () =>
    'Only lists with status lack animals: filter by status before the page is cut (WHERE before LIMIT).',
  staleCopy: () =>
    'The list shows no animal of this run: animals are not stored, or lists come from a copy (replica, cache, other instance) that gets them more than 2 s late or never.',
  oneTooMany: () =>
    'The page has exactly one animal too many: off by one, or one is read ahead and not removed.',
  exclusiveBound: () => 'The bounds of limit are inclusive: 1 and 100 are valid.',
  boundTooWide: () =>
    'limit may be outside 1 to 100: refuse other values, or return at most 100 animals for them.',
  limitOfAddress: () =>
    'Requests are counted by client address, or for all keys together: count them by API key.',
};
