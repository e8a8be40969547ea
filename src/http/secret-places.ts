import { maskedKey } from '../util/masked-key.ts';

/** A secret in a text: from `start` up to `end`. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  /** The value has no quotes, so its mask gets them: otherwise JSON becomes invalid. */
  readonly isBare?: boolean;
}

/** Words that only texts with secrets have; most texts have none of them. */
const mayHaveSecrets =
  /token|pass|pwd|secret|key|session|cookie|credential|authori|connection.?string|jwt|eyJ|@/i;

/** Names whose values are secrets, in lower case and without separators. */
const secretNames =
  /^(?:jwt|pwd|pass|(?:set)?cookies?|(?:proxy)?authorization|credentials?|session(?:id|key)|connectionstring)$|(?:passwords?|passwd|passphrase|passcode|passwordhash|secret|secrets|secretkey|apikey|apikeys|accesskey|privatekey|signingkey|encryptionkey|tokens?)$/;
/** Tokens that only name a place in a list. */
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

/** Whether a value is a date or a time, for example when a secret expires. */
export const isTime = (value: string): boolean =>
  /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-][\d:]+)?)?$/.test(value);

const stringsIn = (text: string, start: number, end: number): readonly SecretSpan[] =>
  [...text.slice(start, end).matchAll(/"((?:[^"\\]|\\.)*)"?(\s*:)?/g)]
    .filter(({ 1: value = '', 2: colon }) => colon === undefined && !isTime(value))
    .map(({ 1: value = '', index }) => ({
      start: start + index + 1,
      end: start + index + 1 + value.length,
    }));

/** A quotation mark: in JSON inside a text of JSON it has backslashes, and in HTML it may be an entity. */
const quoteMark = /(?<!\\)\\*["']|&quot;|&#(?:34|39|x27);/.source;
const quoteAtStart = new RegExp(`^(?:${quoteMark})`);

const isGroup = (text: string, start: number): boolean => /^[[{]/.test(text.slice(start, start + 1));

/** The value of a member at `start`, unless it is a list or an object. */
const valueAt = (text: string, start: number): readonly SecretSpan[] => {
  const [quote] = quoteAtStart.exec(text.slice(start, start + 8)) ?? [''];
  if (quote.length === 1) {
    // A text in single quotes may be inside a text of JSON.
    const value = quote === '"' ? /(?:[^"\\\n]|\\.)*/y : /(?:[^"'\\\n]|\\.)*/y;
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

/** A name in quotes before its value, in JSON, Python, PHP, or Ruby. */
const memberName = new RegExp(`(${quoteMark})([\\w.$ -]{2,60})\\1\\s*(?::|=>|=&gt;)\\s*`, 'g');

const inMembers = (text: string): readonly SecretSpan[] => {
  let groupEnd = 0;
  return [...text.matchAll(memberName)].flatMap((match) => {
    const [all, , name = ''] = match;
    if (!isSecretName(name)) return [];
    const start = match.index + all.length;
    if (!isGroup(text, start)) {
      // A number of tokens is a count.
      return valueAt(text, start).filter(({ isBare = false }) => !isBare || !/tokens?$/i.test(name));
    }
    // A group inside of another one was read with it.
    if (start < groupEnd) return [];
    groupEnd = endOfGroup(text, start);
    return stringsIn(text, start, groupEnd);
  });
};

const spanOf = (match: RegExpExecArray, value: string): SecretSpan => {
  const end = match.index + match[0].length;
  return { start: end - value.length, end };
};

/** Fields of a form or a query, elements of XML, and inputs of a page. */
const inFields = (text: string): readonly SecretSpan[] =>
  [
    ...text.matchAll(/(?<![\w-])([\w-]{3,60})=([^&\s"'<>;,#\\]+)/g),
    ...text.matchAll(/<([\w:-]{3,60})(?:\s[^<>]*)?>([^<]+)/g),
    ...text.matchAll(/<input\s[^<>]{0,200}?\bname="([\w-]{3,60})"[^<>]{0,200}?\bvalue="([^"<>]+)/g),
  ].flatMap((match) => (isSecretName(match[1] ?? '') ? [spanOf(match, match[2] ?? '')] : []));

/** Looks for a dot first: otherwise, each of many beginnings would be read to the end. */
const jwt = /(?<![\w-])(?=[\w-]*\.)[\w-]*?\b(eyJ[\w-]{6,}\.[\w-]*(?:\.[\w-]*){1,3})/g;

const inJwts = (text: string): readonly SecretSpan[] =>
  [...text.matchAll(jwt)].map((match) => spanOf(match, match[1] ?? ''));

/** The password in a URL, also of a database. */
const inUrls = (text: string): readonly SecretSpan[] =>
  [...text.matchAll(/:\/\/[^\s/:@"'<>\\]{0,60}:([^\s/:@"'<>\\]{1,200})(?=@)/g)].map((match) =>
    spanOf(match, match[1] ?? ''),
  );

const schemes = /^(?:bearer|basic|digest|token)\s+/i;

/** The values of header lines whose names say that they are secret: of a cookie that is set, only its value. */
const inHeaderLines = (text: string): readonly SecretSpan[] =>
  [...text.matchAll(/^([\w!#$%&'*+.^`|~-]{1,60}): (.*)$/gm)].flatMap((match) => {
    const [all, name = '', value = ''] = match;
    const start = match.index + name.length + 2;
    if (/^set-cookie2?$/i.test(name)) {
      const [, before = '', secret = ''] = /^([^=;]*=\s*"?)([^;"]*)/.exec(value) ?? [];
      return [{ start: start + before.length, end: start + before.length + secret.trimEnd().length }];
    }
    if (!isSecretName(name)) return [];
    return [{ start: start + (schemes.exec(value)?.[0].length ?? 0), end: match.index + all.length }];
  });

/** A secret that was masked before ends like this. */
const isMasked = (value: string): boolean => /^.{0,4}…/.test(value);

/** A refusal may say what is wrong with a member at the place of its value. */
const isRefusal = (value: string): boolean =>
  /^(?:required|invalid|missing|expired|blank)\.?$/i.test(value) ||
  (/\s/.test(value) &&
    /\b(?:is|are|must|should|may|can|cannot|can't|required|expected|invalid|missing|expired|not|does|has|have|too)\b/i.test(
      value,
    ));

/** The secrets in a response's body or in one of its header lines, by their places: in order, and without overlaps. */
export const secretSpans = (text: string): readonly SecretSpan[] => {
  if (!mayHaveSecrets.test(text)) return [];
  const all = [inHeaderLines, inMembers, inFields, inUrls, inJwts]
    .flatMap((find) => find(text))
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

/** Shortens a secret, and says how long it is. It cuts neither an escape nor a surrogate pair. */
export const maskedSecret = (secret: string): string =>
  `${maskedKey(secret).replace(/(?:\\.*|%[\da-f]?|[\ud800-\udbff])…$/i, '…')} (${secret.length} character${secret.length === 1 ? '' : 's'})`;

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
