import { maskedKey, shownLength } from '../util/masked-key.ts';
import { keyPlaces, placesInOtherSpellings } from './redacted-places.ts';

/** Replaces keys and their encodings by `…`, after a few of their first characters if they are long. */
export type Redact = (text: string) => string;

/** What hides secrets in reports. */
export interface Redactors {
  /** Hides the keys of the run and known secrets of responses, in any text. */
  readonly redact: Redact;
  /** Also hides what is secret by its place in a header line or a body of a response. */
  readonly redactResponse: Redact;
}

/**
 * Shorter keys may be part of ordinary words. They are replaced only in the place of a credential, or as a separate word that is unlikely
 * to be anything else.
 */
export const SHORT_KEY = 6;
/** Basic credentials are base64 already, and may be encoded once more. */
const BASE64_LAYERS = 2;

type Span = readonly [start: number, end: number];

/** An unescaped text. `source` maps an index in it, or its end, to the index in the original text. */
interface View {
  readonly text: string;
  readonly source: (index: number) => number;
}

/**
 * Creates a redactor for keys. It finds a key in any case, percent-encoded, escaped for JSON or HTML, and in base64 at any alignment. It
 * also finds near misses: 8 characters of the key in a row (half of a shorter key), or one different character. It replaces the whole
 * token. It keeps tokens that occur in every report, or that start with `namePrefix`, as the names of the run's animals do. Such a token
 * is still replaced if it contains a key or is in the place of a credential.
 */
export const createRedactor = (keys: readonly string[], namePrefix: string | null = null): Redact => {
  const long = [...new Set(keys.flatMap(formsOf))].filter((form) => form.length >= SHORT_KEY);
  const short = keys.filter((key) => key !== '' && formsOf(key).some((form) => form.length < SHORT_KEY));
  const searches = [...new Set(long.map(runLength))].map((length) =>
    runSearch(
      long.filter((key) => runLength(key) === length),
      length,
    ),
  );
  const positions = short.flatMap((key) => [credentialPosition(key), ...ownWord(key)]);
  const isKept = createKeptTest(long, namePrefix?.toLowerCase() ?? null);
  // A long token may begin with a short key.
  const mostShown = Math.min(...[...long, ...short].map(shownLength));
  const mask: Redact = (token) => maskedKey(token, mostShown);

  return (text) => {
    const view = viewOf(text);
    const spans = searches.flatMap((search) => [...search.find(view.text), ...inBase64(view.text, search)]);
    const redacted = spans.length === 0 ? text : replaceSpans(text, view, spans, { isKept, mask });
    return positions.reduce(
      (rest, position) =>
        rest.replace(position, (_all, before: string, token: string) => before + mask(token)),
      redacted,
    );
  };
};

/** Texts are unescaped before the search, so a key that looks escaped is searched for in both forms. */
const formsOf = (key: string): readonly string[] => [key, viewOf(key).text];

const runLength = (key: string): number => (key.length >= 16 ? 8 : Math.max(5, Math.ceil(key.length / 2)));

/** Words that occur in every report. They reveal nothing of a key that shares characters with them. */
const ownWords: ReadonlySet<string> = new Set([
  'animal',
  'animals',
  'animal-store-conformance',
  'animal_store_api_key',
  'animal_store_rate_limit_key',
  'application',
  'authorization',
  'available',
  'bearer',
  'categoryid',
  'conformance',
  'content-type',
  'expected',
  'limit',
  'orders',
  'pending',
  'request',
  'requests',
  'response',
  'retry-after',
  'second',
  'status',
  'store',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]);
const credentialFollows = /(?:bearer|basic|token|apikey)s?:?\s+$|(?:token|key)["']?\s*[=:]\s*["']?$/i;
/** The longest scheme or field name before a credential, with spaces. */
const MAX_PREFIX = 32;

/** Tells whether a token is the suite's own word and not a credential. */
type IsKept = (text: string, from: number, to: number) => boolean;

const createKeptTest =
  (keys: readonly string[], namePrefix: string | null): IsKept =>
  (text, from, to) => {
    const token = text.slice(from, to).toLowerCase();
    const isOurs = ownWords.has(token) || (namePrefix !== null && token.startsWith(namePrefix));
    return (
      isOurs &&
      !keys.some((key) => token.includes(key.toLowerCase())) &&
      !credentialFollows.test(text.slice(Math.max(0, from - MAX_PREFIX), from))
    );
  };

/** Finds the runs of `length` characters that a text shares with a key. */
interface Search {
  readonly length: number;
  readonly find: (text: string) => Span[];
}

const runSearch = (keys: readonly string[], length: number): Search => {
  const runs = new Set<string>();
  // The first two characters rule out most places.
  const beginnings = new Uint8Array(65_536);
  for (const key of keys.map((each) => each.toLowerCase()))
    for (let at = 0; at + length <= key.length; at += 1) {
      runs.add(key.slice(at, at + length));
      beginnings[pairAt(key, at)] = 1;
    }
  const find = (text: string): Span[] => {
    const searched = text.toLowerCase();
    // Lower case changes the length of some characters, which would shift the spans.
    const haystack =
      searched.length === text.length ? searched : text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
    const spans: Span[] = [];
    for (let at = 0; at + length <= haystack.length; at += 1)
      if (beginnings[pairAt(haystack, at)] === 1 && runs.has(haystack.slice(at, at + length)))
        spans.push([at, at + length]);
    return [...spans, ...keys.flatMap((key) => oneCharacterOff(haystack, key.toLowerCase(), length))];
  };
  return { length, find };
};

/** Finds a short key with one character changed, added or removed in its middle. Both halves are too short for a run. */
const oneCharacterOff = (haystack: string, key: string, length: number): Span[] => {
  if (key.length > 2 * length) return [];
  const spans: Span[] = [];
  const beginning = key.slice(0, key.length - length);
  for (let at = haystack.indexOf(beginning); at >= 0; at = haystack.indexOf(beginning, at + 1)) {
    let same = beginning.length;
    while (same < key.length && haystack[at + same] === key[same]) same += 1;
    for (const [other, own] of alterations) {
      const rest = key.slice(same + own);
      if (rest !== '' && haystack.startsWith(rest, at + same + other))
        spans.push([at, at + same + other + rest.length]);
    }
  }
  return spans;
};

/** Number of differing characters in the near miss and in the key: changed, added, removed. */
const alterations = [
  [1, 1],
  [1, 0],
  [0, 1],
] as const;

const pairAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) << 8) ^ text.charCodeAt(at + 1)) & 0xffff;

/** Finds base64 words that contain part of a key, at any alignment. */
const inBase64 = (text: string, search: Search, layers = BASE64_LAYERS): Span[] =>
  [...text.matchAll(/[A-Za-z0-9+/_-]{7,}={0,2}/g)]
    .filter(([word]) => word.length * 3 >= search.length * 4 && containsKey(decodings(word), search, layers))
    .map((match): Span => [match.index, match.index + match[0].length]);

/** Searches a text, its unescaped form, and its base64 words. */
const containsKey = (decoded: string, search: Search, layers: number): boolean => {
  const { text } = viewOf(decoded);
  return (
    search.find(decoded).length > 0 ||
    (text !== decoded && search.find(text).length > 0) ||
    (layers > 1 && inBase64(decoded, search, layers - 1).length > 0)
  );
};

const decodings = (word: string): string =>
  [0, 1, 2, 3].map((skip) => Buffer.from(word.slice(skip), 'base64').toString('latin1')).join('\n');

const ESCAPE = /%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\["\\/]|&#(?:\d{1,6}|x[0-9a-f]{1,6});/gi;

/** Escaped text may be escaped again. */
const ESCAPE_LAYERS = 3;

const viewOf = (text: string, layers = ESCAPE_LAYERS): View => {
  const outer = unescapeOnce(text);
  if (outer.text === text || layers === 1) return outer;
  const inner = viewOf(outer.text, layers - 1);
  return { text: inner.text, source: (index) => outer.source(inner.source(index)) };
};

const unescapeOnce = (text: string): View => {
  const places: number[] = [];
  let plain = '';
  let from = 0;
  for (const match of text.matchAll(ESCAPE)) {
    for (let at = from; at < match.index; at += 1) places.push(at);
    plain += text.slice(from, match.index) + characterOf(match[0]);
    places.push(match.index);
    from = match.index + match[0].length;
  }
  if (from === 0) return { text, source: (index) => index };
  for (let at = from; at <= text.length; at += 1) places.push(at);
  return { text: plain + text.slice(from), source: (index) => places[index] ?? text.length };
};

/** Returns one UTF-16 code unit per escape, so that indices can be mapped. */
const characterOf = (escaped: string): string => {
  const hex = /^(?:%|\\u|&#x)([0-9a-f]+)/i.exec(escaped)?.[1];
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  const decimal = /^&#(\d+)/.exec(escaped)?.[1];
  return decimal === undefined ? escaped.slice(1) : String.fromCharCode(Number(decimal));
};

const isTokenCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[A-Za-z0-9_~+-]/.test(character);

const replaceSpans = (
  text: string,
  view: View,
  spans: readonly Span[],
  { isKept, mask }: { readonly isKept: IsKept; readonly mask: Redact },
): string => {
  let redacted = '';
  let done = 0;
  for (const [start, end] of [...spans].sort(([a], [b]) => a - b)) {
    // Most runs are inside a token that is already replaced.
    if (end <= done) continue;
    let [from, to] = [start, end];
    while (from > done && isTokenCharacter(view.text[from - 1])) from -= 1;
    while (isTokenCharacter(view.text[to])) to += 1;
    if (isKept(view.text, from, to)) continue;
    const continues = done > 0 && from <= done;
    if (!continues)
      redacted += text.slice(view.source(done), view.source(from)) + mask(view.text.slice(from, to));
    done = to;
  }
  return redacted + text.slice(view.source(done));
};

/** Names of fields with a credential, or the ends of such names. */
const fields = [
  ...new Set(
    [
      'authorization',
      'token',
      'key',
      ...[...keyPlaces, ...placesInOtherSpellings].map(({ name }) => name),
    ].map((name) => name.toLowerCase()),
  ),
].join('|');

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Matches a short key, or its base64 form, after a scheme or as the value of a credential field. */
const credentialPosition = (key: string): RegExp => {
  const base64 = (part: string): string => Buffer.from(part, 'latin1').toString('base64');
  const forms = [base64(`${key}:`), base64(`:${key}`), base64(key), encodeURIComponent(key), key];
  const alternatives = [...new Set(forms)].map(literal);
  const before = `bearers?:?\\s*|(?:basic|token|apikey)\\s+|(?:${fields})["']?\\s*[=:]\\s*["']?`;
  return new RegExp(`(${before})((?:${alternatives.join('|')})[\\w+/=-]*)`, 'gi');
};

/** Matches a short key as a separate word, if it has both letters and digits: few other words do. */
const ownWord = (key: string): readonly RegExp[] =>
  key.length > 4 && /^(?=.*\d)(?=.*[a-z])\w+$/i.test(key)
    ? [new RegExp(`(?<!\\w)()(${literal(key)})(?!\\w)`, 'gi')]
    : [];
