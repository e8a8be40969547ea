import type { Clock } from '../time/clock.ts';
import { maskedKey } from '../util/masked-key.ts';
import { isPetStatus } from './pet.ts';
import type { WebServer } from './reference.ts';

/** Escapes control characters and everything that is not ASCII, so that any request gives one line. */
const printable = (text: string): string =>
  text.replaceAll(/[^\x20-\x7e…]/gu, (character) => escaped(character));
const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`;

const interfaceWords = new Set(['', 'v1', 'pets', 'store', 'orders', 'limit', 'status']);

/** A word that is not of the interface may be a misplaced key: at most its beginning is shown. */
function maskWord(word: string, keys: readonly string[]): string {
  const harmless = interfaceWords.has(word) || isPetStatus(word) || /^-?\d{1,20}$/.test(word);
  if ((harmless && !keys.includes(word)) || word.length <= 4) return word;
  return maskedKey(word);
}

/** The path and query of a request, with possible keys masked. */
function maskTarget(url: URL, keys: readonly string[]): string {
  const shown = (text: string) =>
    text
      .split(/([/?&=])/)
      .map((part) => maskWord(part, keys))
      .join('');
  return shown(url.pathname + url.search);
}

function maskCredential(authorization: string | null): string {
  if (authorization === null) return 'no key';
  const words = authorization.split(' ').filter((word) => word !== '');
  return `key ${maskedKey(words.at(-1) ?? '')}`;
}

/**
 * A server that reports each request on one line: time, method, path, status, duration, and the beginning of a long key.
 *
 * @param write gets each line, without a line break
 */
export function withAccessLog(reference: WebServer, clock: Clock, write: (line: string) => void): WebServer {
  const keys = reference.keys.map(({ key }) => key);
  const timed = async (what: string, who: string, respond: () => Promise<Response>): Promise<Response> => {
    const startedAt = clock.now();
    const report = (outcome: string) => {
      const took = Math.max(0, Math.round(clock.now() - startedAt));
      write(printable(`${new Date(startedAt).toISOString()} ${what} ${outcome} ${took} ms ${who}`));
    };
    try {
      const response = await respond();
      report(String(response.status));
      return response;
    } catch (error) {
      report('no response');
      throw error;
    }
  };
  return {
    ...reference,
    fetch: (request, connection) =>
      timed(
        `${request.method} ${maskTarget(new URL(request.url), keys)}`,
        maskCredential(request.headers.get('authorization')),
        () => reference.fetch(request, connection),
      ),
    refuse: () => timed('(unreadable request)', 'no key', reference.refuse),
  };
}
