import { keyPlaces, placesInOtherSpellings } from './redacted-places.ts';

/** Replaces keys, and whatever is made from them, by their first characters and `…`. */
export type Redact = (text: string) => string;

/**
 * Keys shorter than this stand in ordinary words too: they are looked for where credentials stand, and as words of their own where
 * nothing but a key is written so.
 */
export const SHORT_KEY = 6;
const SHOWN = 4;
/** What is in base64 already, under Basic, may be put in it once more. */
const DEEPEST = 2;

type Span = readonly [start: number, end: number];

/** A text with its escapes undone, and for each of its characters (and its end) the place in the text that it comes from. */
interface View {
  readonly text: string;
  readonly source: (index: number) => number;
}

/**
 * Makes a redactor for keys. A key is found in any case, percent-encoded, escaped for JSON or HTML, in base64 at any alignment, and in near
 * misses: whatever shares a run of 8 characters with it (half of a shorter key), or differs from it in one character. The whole token
 * around it is replaced. A token that is a word of every report, or begins with `namePrefix` as the names of the run's animals do, is left
 * for as long as it neither holds a key nor stands where a credential does.
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
  const isLeft = leaving(long, namePrefix?.toLowerCase() ?? null);

  return (text) => {
    const view = viewOf(text);
    const spans = searches.flatMap((search) => [...search.find(view.text), ...inBase64(view.text, search)]);
    const redacted = spans.length === 0 ? text : replaceSpans(text, view, spans, isLeft);
    return positions.reduce(
      (rest, position) =>
        rest.replace(position, (_all, before: string, token: string) => before + maskedKey(token)),
      redacted,
    );
  };
};

/** Texts are searched with their escapes undone: a key that has what looks like some is searched for likewise. */
const formsOf = (key: string): readonly string[] => [key, viewOf(key).text];

/** A key as people are shown it. */
export const maskedKey = (token: string): string => `${token.slice(0, Math.min(SHOWN, token.length >> 1))}…`;

const runLength = (key: string): number => (key.length >= 16 ? 8 : Math.max(5, Math.ceil(key.length / 2)));

/** Words that stand in every report, whatever the key: what a key has in common with them tells nothing of it. */
const ownWords: ReadonlySet<string> = new Set([
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
  'pending',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]);
const credentialFollows = /(?:bearer|basic|token|apikey)s?:?\s+$|(?:token|key)["']?\s*[=:]\s*["']?$/i;
/** The scheme, field and space before a credential are no longer. */
const NEARBY = 32;

/** Whether a token is a word of ours, and none of a credential. */
type IsLeft = (text: string, from: number, to: number) => boolean;

const leaving =
  (keys: readonly string[], namePrefix: string | null): IsLeft =>
  (text, from, to) => {
    const token = text.slice(from, to).toLowerCase();
    const isOurs = ownWords.has(token) || (namePrefix !== null && token.startsWith(namePrefix));
    return (
      isOurs &&
      !keys.some((key) => token.includes(key.toLowerCase())) &&
      !credentialFollows.test(text.slice(Math.max(0, from - NEARBY), from))
    );
  };

/** Finds the runs of a length that a text has in common with one of the keys. */
interface Search {
  readonly length: number;
  readonly find: (text: string) => Span[];
}

const runSearch = (keys: readonly string[], length: number): Search => {
  const runs = new Set<string>();
  // Most places are ruled out by their first two characters alone.
  const beginnings = new Uint8Array(65_536);
  for (const key of keys.map((each) => each.toLowerCase()))
    for (let at = 0; at + length <= key.length; at += 1) {
      runs.add(key.slice(at, at + length));
      beginnings[pairAt(key, at)] = 1;
    }
  const find = (text: string): Span[] => {
    const searched = text.toLowerCase();
    // Some characters change their length with their case: then the places would not fit.
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

/**
 * Where a text holds a short key with one character changed, added or left out in its middle, so that no run of a length shows on
 * either side of it.
 */
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

/** Characters of the near miss, and of the key, that the other does not have: changed, added, left out. */
const alterations = [
  [1, 1],
  [1, 0],
  [0, 1],
] as const;

const pairAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) << 8) ^ text.charCodeAt(at + 1)) & 0xffff;

/** The base64 words of a text that hold part of a key, at whatever alignment. */
const inBase64 = (text: string, search: Search, layers = DEEPEST): Span[] =>
  [...text.matchAll(/[A-Za-z0-9+/_-]{7,}={0,2}/g)]
    .filter(([word]) => word.length * 3 >= search.length * 4 && isHeld(decodings(word), search, layers))
    .map((match): Span => [match.index, match.index + match[0].length]);

/** As it stands, with its escapes undone, or in base64 once more. */
const isHeld = (decoded: string, search: Search, layers: number): boolean => {
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

/** What is escaped may hold escapes of its own. */
const LAYERS = 3;

const viewOf = (text: string, layers = LAYERS): View => {
  const outer = undone(text);
  if (outer.text === text || layers === 1) return outer;
  const inner = viewOf(outer.text, layers - 1);
  return { text: inner.text, source: (index) => outer.source(inner.source(index)) };
};

/** A text with one layer of its escapes undone. */
const undone = (text: string): View => {
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

/** One UTF-16 unit for one escape, so that places can be counted. */
const characterOf = (escaped: string): string => {
  const hex = /^(?:%|\\u|&#x)([0-9a-f]+)/i.exec(escaped)?.[1];
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  const decimal = /^&#(\d+)/.exec(escaped)?.[1];
  return decimal === undefined ? escaped.slice(1) : String.fromCharCode(Number(decimal));
};

const isTokenCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[A-Za-z0-9_~+-]/.test(character);

const replaceSpans = (text: string, view: View, spans: readonly Span[], isLeft: IsLeft): string => {
  let redacted = '';
  let done = 0;
  for (const [start, end] of [...spans].sort(([a], [b]) => a - b)) {
    // Most runs of a key lie in a token that is replaced already.
    if (end <= done) continue;
    let [from, to] = [start, end];
    while (from > done && isTokenCharacter(view.text[from - 1])) from -= 1;
    while (isTokenCharacter(view.text[to])) to += 1;
    if (isLeft(view.text, from, to)) continue;
    const continues = done > 0 && from <= done;
    if (!continues)
      redacted += text.slice(view.source(done), view.source(from)) + maskedKey(view.text.slice(from, to));
    done = to;
  }
  return redacted + text.slice(view.source(done));
};

/** Names of fields that hold a credential, or end in such. */
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

/** Where a short key, or its base64 form, stands as a credential: after a scheme, or as the value of a field that is named like one. */
const credentialPosition = (key: string): RegExp => {
  const base64 = (part: string): string => Buffer.from(part, 'latin1').toString('base64');
  const forms = [base64(`${key}:`), base64(`:${key}`), base64(key), encodeURIComponent(key), key];
  const alternatives = [...new Set(forms)].map(literal);
  const before = `bearers?:?\\s*|(?:basic|token|apikey)\\s+|(?:${fields})["']?\\s*[=:]\\s*["']?`;
  return new RegExp(`(${before})((?:${alternatives.join('|')})[\\w+/=-]*)`, 'gi');
};

/** A short key of letters and digits both, wherever it is a word of its own: nothing else is likely to be written so. */
const ownWord = (key: string): readonly RegExp[] =>
  key.length > SHOWN && /^(?=.*\d)(?=.*[a-z])\w+$/i.test(key)
    ? [new RegExp(`(?<!\\w)()(${literal(key)})(?!\\w)`, 'gi')]
    : [];
