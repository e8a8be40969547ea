import { maskedKey } from './redact.ts';

/** A secret in a text: from `start` up to `end`. `isBare`: the value has no quotes, so a mask in JSON needs them. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  readonly isBare?: boolean;
}

/** Words that only texts with secrets have; most texts have none of them. */
const mayHaveSecrets = /token|passw|pwd|passphrase|secret|key|session|cookie|credential|authori|jwt|eyJ/i;

/** Names whose values are secrets, in lower case and without separators. */
const secretNames =
  /^(?:jwt|pwd|pass|cookie|authorization|credentials?|session(?:id|key)|connectionstring)$|(?:password|passwd|passphrase|passwordhash|secret|secrets|secretkey|apikey|apikeys|accesskey|privatekey|signingkey|encryptionkey|tokens?)$/;
/** Tokens that only name a place in a list, and members that describe a token. */
const otherTokens = /(?:next|prev|previous|page|paging|continuation|cursor|sync|start|skip)tokens?$/;

const isSecretName = (name: string): boolean => {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return secretNames.test(plain) && !otherTokens.test(plain);
};

/** Numbers without quotes that are secrets are at least so long. */
const shortestBare = 4;

/** Returns the end of a list or an object that begins at `start`, or of the text. */
const endOfGroup = (text: string, start: number): number => {
  let depth = 0;
  for (const { 0: part, index } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/g)) {
    depth += part === '[' || part === '{' ? 1 : part === ']' || part === '}' ? -1 : 0;
    if (depth === 0) return start + index;
  }
  return text.length;
};

const stringsIn = (text: string, start: number): readonly SecretSpan[] => {
  const group = text.slice(start, endOfGroup(text, start));
  return [...group.matchAll(/"((?:[^"\\]|\\.)*)"?(\s*:)?/g)]
    .filter(({ 2: colon }) => colon === undefined)
    .map(({ 1: value = '', index }) => ({
      start: start + index + 1,
      end: start + index + 1 + value.length,
    }));
};

/** The value of a member at `start`. JSON inside a text of JSON has backslashes before its quotes. */
const valueAt = (text: string, start: number): readonly SecretSpan[] => {
  if (/^[[{]/.test(text.slice(start, start + 1))) return stringsIn(text, start);
  const [quote] = /^\\*["']/.exec(text.slice(start, start + 8)) ?? [''];
  if (quote.length === 1) {
    const value = /(?:[^"\\\n]|\\.)*/y;
    value.lastIndex = start + 1;
    return [{ start: start + 1, end: start + 1 + (value.exec(text)?.[0].length ?? 0) }];
  }
  if (quote !== '') {
    const end = text.indexOf(quote, start + quote.length);
    return [{ start: start + quote.length, end: end < 0 ? text.length : end }];
  }
  const [bare] = /^-?\d[\w.+-]*/.exec(text.slice(start, start + 64)) ?? [''];
  if (bare.length < shortestBare) return [];
  return [{ start, end: start + bare.length, isBare: true }];
};

const inMembers = (text: string): readonly SecretSpan[] =>
  [...text.matchAll(/(\\*["'])([\w.$ -]{2,60})\1\s*:\s*/g)].flatMap((match) =>
    isSecretName(match[2] ?? '')
      ? valueAt(text, match.index + match[0].length).filter(isOf(match[2] ?? ''))
      : [],
  );

/** A number of tokens is a count. */
const isOf =
  (name: string) =>
  ({ isBare = false }: SecretSpan): boolean =>
    !isBare || !/tokens?$/i.test(name);

const spanOf = (match: RegExpExecArray, value: string): SecretSpan => {
  const end = match.index + match[0].length;
  return { start: end - value.length, end };
};

/** Fields of a form, of a query, and elements of XML. */
const inFields = (text: string): readonly SecretSpan[] =>
  [
    ...text.matchAll(/(?<![\w-])([\w-]{3,60})=([^&\s"'<>;,#\\]+)/g),
    ...text.matchAll(/<([\w:-]{3,60})(?:\s[^<>]*)?>([^<]+)/g),
  ].flatMap((match) => (isSecretName(match[1] ?? '') ? [spanOf(match, match[2] ?? '')] : []));

const jwt = /\beyJ[\w-]{6,}\.[\w-]*(?:\.[\w-]*){1,3}/g;

const inJwts = (text: string): readonly SecretSpan[] =>
  [...text.matchAll(jwt)].map((match) => spanOf(match, match[0]));

const schemes = /^(?:bearer|basic|digest|token)\s+/i;

/** The value of a header line, if its name says that it is secret: of a cookie that is set, only its value. */
const inHeaderLine = (text: string): readonly SecretSpan[] => {
  const match = /^([\w!#$%&'*+.^`|~-]{1,60}): (.*)$/s.exec(text);
  if (match === null) return [];
  const [, name = '', value = ''] = match;
  const start = name.length + 2;
  if (/^set-cookie2?$/i.test(name)) {
    const [, before = '', secret = ''] = /^([^=;]*=\s*"?)([^;"]*)/.exec(value) ?? [];
    return [{ start: start + before.length, end: start + before.length + secret.trimEnd().length }];
  }
  if (!isSecretName(name)) return [];
  return [{ start: start + (schemes.exec(value)?.[0].length ?? 0), end: text.length }];
};

/** A secret that was masked before ends like this. */
const isMasked = (value: string): boolean => /^.{0,4}…/.test(value);

/** A refusal may say what is wrong with a member at the place of its value. */
const isRefusal = (value: string): boolean =>
  /\s/.test(value) &&
  /\b(?:is|are|must|should|may|can|cannot|can't|required|invalid|missing|expired|not|does|has|have|too)\b/i.test(
    value,
  );

/** The secrets in a response's body or in one of its header lines, by their places: in order, and without overlaps. */
export const secretSpans = (text: string): readonly SecretSpan[] => {
  if (!mayHaveSecrets.test(text)) return [];
  const all = [...inHeaderLine(text), ...inMembers(text), ...inFields(text), ...inJwts(text)]
    .filter(({ start, end }) => start < end)
    .filter(({ start, end }) => {
      const value = text.slice(start, end);
      return !isMasked(value) && !isRefusal(value);
    })
    .sort((a, b) => a.start - b.start || b.end - a.end);
  let done = 0;
  return all.filter(({ start, end }) => {
    const isFirst = start >= done;
    done = Math.max(done, end);
    return isFirst;
  });
};

/** Shortens a secret, and says how long it is. No escape and no character is cut. */
export const maskedSecret = (secret: string): string =>
  `${maskedKey(secret).replace(/(?:\\.*|[\ud800-\udbff])…$/, '…')} (${secret.length} characters)`;

/** Masks the secrets of a response's body, or of one of its header lines. */
export const maskPlaces = (text: string): string => {
  let masked = '';
  let done = 0;
  for (const { start, end, isBare = false } of secretSpans(text)) {
    const mask = maskedSecret(text.slice(start, end));
    masked += text.slice(done, start) + (isBare ? `"${mask}"` : mask);
    done = end;
  }
  return done === 0 ? text : masked + text.slice(done);
};
