import { isUtf8 } from 'node:buffer';
import { type Header, isMalformed, type KeySlot, type WireRequest } from '../../http/exchange.ts';
import { chunksOf, splitBody } from '../../http/framing.ts';
import type { Redact } from '../../http/redact.ts';
import { expressToken, type NamedKey, namedKeys, substituteKey } from './key-placeholders.ts';
import { printfFormat, quoteIfNeeded, type ShellPart, shellWord } from './shell.ts';

/** Longer bodies do not fit into one argument on every system. */
const LONGEST_ARGUMENT = 100_000;
/** For bodies from this size on, curl sends `Expect: 100-continue` by default. */
const EXPECT_FROM = 1_000_000;

const credentialHeaders: readonly string[] = ['authorization', 'x-api-key', 'api-key', 'proxy-authorization'];

/**
 * A POSIX shell command that sends the same request, with keys as `$ANIMAL_STORE_API_KEY` and `$ANIMAL_STORE_RATE_LIMIT_KEY`. A value that
 * is derived from a key is derived from the variable if a shell can do that, and otherwise redacted.
 *
 * @param irrelevant names of header fields that need not be sent: curl may send its own
 * @param bodyFile a file that has the body; null: the command has it
 */
export const curlFor = (
  wire: WireRequest,
  keys: Readonly<Record<KeySlot, string | null>>,
  redact: Redact,
  irrelevant: readonly string[] = [],
  bodyFile: string | null = null,
): string => {
  const named = namedKeys(keys);
  const body = wire.body === null ? null : Buffer.from(wire.body);
  const { before, flags } =
    bodyFile === null
      ? writeFramed(wire, body, named, redact)
      : { before: '', flags: [`--data-binary ${quoteIfNeeded(`@${redact(bodyFile)}`)}`] };
  const headers = wire.headers.filter(([name]) => !irrelevant.includes(name));
  const words = [
    'curl -sS -i',
    ...urlFlags(wire.url),
    // It shows a compressed response as it came, otherwise.
    ...(headers.some(([name]) => name === 'Accept-Encoding') ? ['--compressed'] : []),
    ...methodFlags(wire.method, body),
    shellWord(expressUrl(wire.url, named, redact), 'latin1'),
    ...headers
      .filter(isWorthSending)
      .map((header) => `-H ${shellWord(expressHeader(header, named, redact), 'latin1')}`),
    ...unwantedHeaders(headers, body, flags.length > 0, irrelevant),
    ...(wire.framing === 'no host' ? ["-H 'Host:'"] : []),
    ...flags,
  ];
  return `${before}${words.join(' ')}${wire.framing === 'malformed chunk size' ? validChunks : ''}`;
};

/** The body that a file can have for a command; null: there is none, or curl sends it in parts. */
export const bodyForFile = ({ body, framing }: WireRequest, redact: Redact): Buffer | null => {
  if (body === null || (framing !== undefined && !isMalformed(framing))) return null;
  return withoutKeys(Buffer.from(body), redact);
};

/** The same bytes if there is no key, also if they are not UTF-8. */
const withoutKeys = (body: Buffer, redact: Redact): Buffer => {
  const text = body.toString('utf8');
  const clean = redact(text);
  return clean === text ? body : Buffer.from(clean);
};

/** A comment for the shell: curl cannot send such a message. */
const validChunks = ' # curl sends a valid chunk size, the replay a malformed one';

/** Flags that stop curl from changing the URL. Most URLs need none of them. */
const urlFlags = (url: string): readonly string[] => [
  ...(/[[\]{}]/.test(url) ? ['-g'] : []),
  ...(/\/(?:\.|%2e)/i.test(url) ? ['--path-as-is'] : []),
  ...(url.startsWith('https:') ? ['--http1.1'] : []),
];

/** Whether the command needs a header. Our own User-Agent makes no difference, so curl sends its own. */
const isWorthSending = ([name, value]: Header): boolean =>
  !(name === 'User-Agent' && value.startsWith('animal-store-conformance/'));

const methodFlags = (method: string, body: Buffer | null): readonly string[] => {
  if (method === 'HEAD') return ['--head'];
  if (method === 'GET' && body === null) return [];
  return [`-X ${method}`];
};

/** Removes headers that curl would add. */
const unwantedHeaders = (
  headers: readonly Header[],
  body: Buffer | null,
  sendsBody: boolean,
  irrelevant: readonly string[],
): readonly string[] => {
  const names = new Set([...headers.map(([name]) => name), ...irrelevant].map((name) => name.toLowerCase()));
  const added = ['User-Agent', 'Accept', ...(sendsBody ? ['Content-Type'] : [])];
  const expect = (body?.length ?? 0) >= EXPECT_FROM ? ['Expect'] : [];
  return [...added.filter((name) => !names.has(name.toLowerCase())), ...expect].map(
    (name) => `-H '${name}:'`,
  );
};

const expressHeader = ([name, value]: Header, named: readonly NamedKey[], redact: Redact) => {
  if (value.trim() === '') return [{ text: `${name};` }];
  if (!credentialHeaders.includes(name.toLowerCase()))
    return [{ text: `${name}: ` }, ...substituteKey(value, named, redact)];
  const [, scheme = '', token = ''] = /^(\S+ +)?(.*)$/s.exec(value) ?? [];
  return [{ text: `${name}: ${scheme}` }, ...expressToken(token, named, redact)];
};

const expressUrl = (url: string, named: readonly NamedKey[], redact: Redact): readonly ShellPart[] => {
  const [, path = url, query] = /^([^?]*)\?(.*)$/s.exec(url) ?? [];
  if (query === undefined) return [{ text: redact(path) }];
  const parts = query.split('&').flatMap((field, index): readonly ShellPart[] => {
    const [, name = '', value = ''] = /^([^=]*=)?(.*)$/s.exec(field) ?? [];
    const match = named.find(({ key }) => key === value && encodeURIComponent(key) === key);
    const before = { text: `${index === 0 ? '?' : '&'}${name}` };
    return [before, match === undefined ? { text: redact(value) } : { expression: `$${match.variable}` }];
  });
  return [{ text: redact(path) }, ...parts];
};

interface WrittenBody {
  /** A command that pipes the body into curl, if it cannot be an argument. */
  readonly before: string;
  readonly flags: readonly string[];
}

const writeFramed = (
  { method, body: sent, framing }: WireRequest,
  body: Buffer | null,
  named: readonly NamedKey[],
  redact: Redact,
): WrittenBody => {
  // With -X POST and no data, curl sends no length.
  if (framing === 'missing length') return { before: '', flags: [] };
  return framing === undefined || isMalformed(framing)
    ? writeBody(method, body, named, redact)
    : writeParts(sent ?? '', framing, redact);
};

const writeBody = (method: string, body: Buffer | null, named: readonly NamedKey[], redact: Redact) => {
  const empty = body === null || body.length === 0;
  if (empty && (method === 'GET' || method === 'HEAD')) return { before: '', flags: [] };
  if (empty) return { before: '', flags: ["--data-raw ''"] };
  const text = body.toString('utf8');
  const printable = isUtf8(body) && !hasEscaped(text) && body.length <= LONGEST_ARGUMENT;
  if (printable)
    return { before: '', flags: [`--data-raw ${shellWord(substituteKey(text, named, redact), 'utf8')}`] };
  return { before: `printf '${printfFormat(withoutKeys(body, redact))}' | `, flags: ['--data-binary @-'] };
};

/** A command that sends the body in parts. curl sends chunks, unless it has the length. */
const writeParts = (body: string | Uint8Array, framing: 'pieces' | 'chunks', redact: Redact): WrittenBody => {
  const clean = redact(Buffer.from(body).toString('utf8'));
  const parts = framing === 'pieces' ? splitBody(clean) : chunksOf(clean);
  const prints = parts.map((part) => `printf '${printfFormat(part)}'`);
  const length =
    framing === 'pieces'
      ? [`-H 'Content-Length: ${Buffer.byteLength(clean)}'`, "-H 'Transfer-Encoding:'"]
      : [];
  return { before: `{ ${prints.join('; sleep 0.3; ')}; } | `, flags: ['-T -', ...length, "-H 'Expect:'"] };
};

/** Whether a text has characters that reports escape, so that it cannot be pasted. Tab and line feed are no problem. */
const hasEscaped = (text: string): boolean =>
  /[^\P{Cc}\t\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/u.test(text);
