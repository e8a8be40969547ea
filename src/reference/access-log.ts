import type { Clock } from '../time/clock.ts';
import { isPetStatus } from './pet.ts';
import type { WebServer } from './reference.ts';

/** A key as people may see it. */
const maskedKey = (key: string): string => `${key.slice(0, 4)}…`;

/** Control characters and what is no ASCII, as escapes: a log line stays one line, whatever was sent. */
const printable = (text: string): string =>
  text.replaceAll(/[^\x20-\x7e…]/gu, (character) => escaped(character));
const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`;

const interfaceWords = new Set(['', 'v1', 'pets', 'store', 'orders', 'limit', 'status']);

/** What is no word of the interface may be a key that went astray: only its beginning is shown. */
function shownWord(word: string, keys: readonly string[]): string {
  const harmless = interfaceWords.has(word) || isPetStatus(word) || /^-?\d{1,20}$/.test(word);
  if ((harmless && !keys.includes(word)) || word.length <= 4) return word;
  return maskedKey(word);
}

/** A request's path and query with nothing in it that could be a key. */
function shownTarget(url: URL, keys: readonly string[]): string {
  const shown = (text: string) =>
    text
      .split(/([/?&=])/)
      .map((part) => shownWord(part, keys))
      .join('');
  return shown(url.pathname + url.search);
}

function shownCredential(authorization: string | null): string {
  if (authorization === null) return 'no key';
  const words = authorization.split(' ').filter((word) => word !== '');
  return `key ${maskedKey(words.at(-1) ?? '')}`;
}

/**
 * A server that reports each request on one line: time, method, path, status, duration, and the first four characters of the key.
 *
 * @param write gets each line, without its end
 */
export function withAccessLog(reference: WebServer, clock: Clock, write: (line: string) => void): WebServer {
  const keys = reference.keys.map(({ key }) => key);
  const timed = async (what: string, who: string, answer: () => Promise<Response>): Promise<Response> => {
    const startedAt = clock.now();
    const report = (outcome: string) => {
      const took = Math.max(0, Math.round(clock.now() - startedAt));
      write(printable(`${new Date(startedAt).toISOString()} ${what} ${outcome} ${took} ms ${who}`));
    };
    try {
      const response = await answer();
      report(String(response.status));
      return response;
    } catch (error) {
      report('no answer');
      throw error;
    }
  };
  return {
    ...reference,
    fetch: (request, connection) =>
      timed(
        `${request.method} ${shownTarget(new URL(request.url), keys)}`,
        shownCredential(request.headers.get('authorization')),
        () => reference.fetch(request, connection),
      ),
    refuse: () => timed('(unreadable request)', 'no key', reference.refuse),
  };
}
