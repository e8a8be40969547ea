import type { Exchange } from './exchange.ts';
import type { Redact } from './redact.ts';
import { isTime, maskedSecret, maskPlaces, secretSpans } from './secret-places.ts';

/** Masks the secrets that a server returned, such as cookies, tokens, and passwords: they may be of other users. */
export interface ResponseSecrets {
  /** Remembers the secrets of a response, so that they are found in other texts. */
  learn(exchange: Exchange): void;
  /** Masks secrets that were seen, in any text. */
  readonly redact: Redact;
  /** Also masks what is secret by its place in a response. */
  readonly redactResponse: Redact;
}

const unchanged: Redact = (text) => text;

/** Masks nothing. */
export const noResponseSecrets: ResponseSecrets = {
  learn: () => {},
  redact: unchanged,
  redactResponse: unchanged,
};

/** Shorter values, words, numbers, and times may have another meaning in other texts: they are masked only in their places. */
const shortest = 8;
const isUnlikelyElsewhere = (value: string): boolean =>
  value.length >= shortest && !/^(?:[a-z]*|\d*)$/i.test(value) && !isTime(value);
/** More secrets would take too much memory. */
const mostSecrets = 5_000;
/** Reports show less of a body than this. */
const readBytes = 1024 * 1024;

const unescaped = (raw: string): string => {
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    return raw;
  }
};

/** A secret as it may be written: in JSON, as it is, and in a URL. */
const formsOf = (raw: string): readonly string[] => {
  const plain = unescaped(raw);
  return [raw, plain, ...(plain.isWellFormed() ? [encodeURIComponent(plain)] : [])];
};

const sentText = ({ wire: { url, headers, body } }: Exchange): string =>
  [url, ...headers.map(([, value]) => value), body === null ? '' : Buffer.from(body).toString('utf8')].join(
    '\n',
  );

const receivedTexts = ({ response }: Exchange): readonly string[] =>
  response === null
    ? []
    : [
        ...response.headers.map(([name, value]) => `${name}: ${value}`),
        Buffer.from(response.body).toString('utf8', 0, readBytes),
      ];

const secretsIn = (exchange: Exchange): readonly string[] =>
  receivedTexts(exchange).flatMap((text) =>
    secretSpans(text).map(({ start, end }) => text.slice(start, end)),
  );

/** The length that `text` at `at` shares with the beginning of a secret. */
const sharedLength = (text: string, at: number, secret: string): number => {
  let length = shortest;
  while (length < secret.length && text[at + length] === secret[length]) length += 1;
  return length;
};

/**
 * Remembers the secrets of responses. What the request itself contains is not a secret of the server.
 *
 * @param namePrefix how the names of the run's animals begin: they are never masked
 */
export const createResponseSecrets = (namePrefix: string): ResponseSecrets => {
  const byBeginning = new Map<string, Set<string>>();
  // The first character rules out most places.
  const beginnings = new Set<number>();
  const seen = new Set<string>();

  const add = (secret: string): void => {
    seen.add(secret);
    beginnings.add(secret.charCodeAt(0));
    const beginning = secret.slice(0, shortest);
    byBeginning.set(beginning, (byBeginning.get(beginning) ?? new Set()).add(secret));
  };

  const learn = (exchange: Exchange): void => {
    const found = secretsIn(exchange).filter((secret) => isUnlikelyElsewhere(secret) && !seen.has(secret));
    if (found.length === 0 || seen.size > mostSecrets) return;
    const sent = sentText(exchange);
    for (const secret of found) {
      const forms = formsOf(secret);
      if (forms.some((form) => form.startsWith(namePrefix) || sent.includes(form))) continue;
      for (const form of forms) add(form);
    }
  };

  /** The longest secret at a place. An excerpt may end in the middle of it. */
  const secretAt = (
    text: string,
    at: number,
  ): { readonly secret: string; readonly length: number } | null => {
    let best: { secret: string; length: number } | null = null;
    for (const secret of byBeginning.get(text.slice(at, at + shortest)) ?? []) {
      const length = sharedLength(text, at, secret);
      const isWhole = length === secret.length || text[at + length] === '…' || at + length === text.length;
      if (isWhole && length > (best?.length ?? 0)) best = { secret, length };
    }
    return best;
  };

  const redact: Redact = (text) => {
    if (byBeginning.size === 0) return text;
    let masked = '';
    let done = 0;
    for (let at = 0; at + shortest <= text.length; at += 1) {
      const found = beginnings.has(text.charCodeAt(at)) ? secretAt(text, at) : null;
      if (found === null) continue;
      masked += text.slice(done, at) + maskedSecret(found.secret);
      done = at + found.length;
      at = done - 1;
    }
    return done === 0 ? text : masked + text.slice(done);
  };

  return { learn, redact, redactResponse: (text) => redact(maskPlaces(text)) };
};
