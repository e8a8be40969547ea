import { isUtf8 } from 'node:buffer';
import type { Probe } from '../finding/probe.ts';
import { type Header, isMalformed, type WireRequest } from '../http/exchange.ts';
import { rateLimitHeaders } from '../rate-limit/headers.ts';
import type { RuleSubject } from './rule.ts';

type RequestInSpace = Pick<Probe, 'request' | 'inputSpace'>;

const targetOf = ({ url }: WireRequest): string => url.replace(/^https?:\/\/[^/?]*/i, '');

/** A request as a gateway sees it. `path` is relative to the base URL, which the user chose. */
const frontOf = ({ request: { path, query }, inputSpace }: RequestInSpace, wire: WireRequest) => ({
  method: wire.method,
  path,
  query,
  /** The whole path and the query. */
  target: targetOf(wire),
  headers: wire.headers,
  bodyBytes: wire.body === null ? 0 : Buffer.byteLength(wire.body),
  isMalformed: isMalformed(wire.framing),
  /** A document may have parameters of any name. */
  isDocumented: inputSpace === 'documented',
});

type Front = ReturnType<typeof frontOf>;

/** nginx, Apache, Tomcat, and Jetty read at least 8,190 or 8,192 bytes. */
const maxTargetBytes = 8_000;
const maxHeaderBytes = 8_000;
/** Express reads 100 KiB by default, nginx 1 MiB. */
const maxBodyBytes = 100_000;

/** RFC 9110 9.3, and PATCH (RFC 5789). */
const methods: readonly string[] = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE'],
  'PATCH',
];

/** Characters allowed in a target (RFC 3986 3.3, 3.4), and brackets, which are common in queries. */
const targetCharacters = /^[\w\-.~%!$&'()*+,;=:@/?[\]]*$/;

/** No control characters except tab (RFC 9110 5.5). */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

const sizeOf = (headers: readonly Header[]): number =>
  headers.reduce((sum, [name, value]) => sum + name.length + ': '.length + value.length + '\r\n'.length, 0);

/** Decodes a part of a target. Malformed percent-encoding is kept. */
const decode = (text: string): Buffer =>
  Buffer.from(
    text.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

const parameterNames = (query: string): readonly string[] =>
  query.split('&').map((member) => member.split('=', 1).join());

const inTarget = ({ path, query }: Front): string => `${path}?${query}`;

/** Why gateways, HTTP parsers and frameworks may reject a request before any code of the API runs. */
const causes = {
  'malformed message': ({ target, headers, isMalformed }) =>
    isMalformed || !targetCharacters.test(target) || headers.some(([, value]) => !fieldValue.test(value)),
  'long URI': ({ target }) => target.length > maxTargetBytes,
  'large header fields': ({ headers }) => sizeOf(headers) > maxHeaderBytes,
  'large body': ({ bodyBytes }) => bodyBytes > maxBodyBytes,
  'unknown method': ({ method }) => !methods.includes(method),
  'control character': (front) => /\p{Cc}/u.test(decode(inTarget(front)).toString()),
  'malformed percent-encoding': (front) => /%(?![\da-f]{2})/i.test(inTarget(front)),
  'not UTF-8': (front) => !isUtf8(decode(inTarget(front))),
  'encoded slash': ({ path }) => /%2f|%5c/i.test(path),
  'dot segment': ({ path }) => /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path),
  'empty segment': ({ path }) => path.includes('//'),
  'brackets in a parameter name': ({ query, isDocumented }) =>
    !isDocumented && parameterNames(query).some((name) => /[[\]]|%5[bd]/i.test(name)),
} satisfies Readonly<Record<string, (front: Front) => boolean>>;

type FrontCause = keyof typeof causes;

/** Returns why a request may be rejected before it reaches the application. */
export const frontCauses = (sent: RequestInSpace, wire: WireRequest): readonly FrontCause[] => {
  const front = frontOf(sent, wire);
  return (Object.keys(causes) as FrontCause[]).filter((cause) => causes[cause](front));
};

/** A server that closes the connection while it receives such a request may lose its response. */
const unreadable: readonly FrontCause[] = ['malformed message', 'large header fields'];

/** Tells whether the server may be unable to read the request, and so the key. */
export const mayBeUnreadable = (sent: RequestInSpace, wire: WireRequest): boolean => {
  const front = frontOf(sent, wire);
  return unreadable.some((cause) => causes[cause](front));
};

type Refusal = Pick<RuleSubject, 'probe' | 'response'>;

/** gunicorn reads 4,094 bytes of a request line by default. Its 400 has no `Date` and closes the connection. */
const isRefusedByParser = ({ response: { status, header, exchange } }: Refusal): boolean =>
  targetOf(exchange.wire).length > 4_000 &&
  status === 400 &&
  header('connection').join().toLowerCase() === 'close' &&
  header('date').length === 0;

const hasRateLimitHeader = ({ response }: Pick<Refusal, 'response'>): boolean =>
  rateLimitHeaders.some((name) => response.header(name).length > 0);

/**
 * Tells whether a gateway reports its upstream as failed. Caddy (502) and Varnish (503) forward a malformed body unchanged, and blame the
 * upstream for the failure. A router without a Host finds no upstream (503).
 */
export const isGatewayFailure = (refusal: Pick<Refusal, 'response'>): boolean =>
  [502, 503].includes(refusal.response.status) &&
  !hasRateLimitHeader(refusal) &&
  isMalformed(refusal.response.exchange.wire.framing);

/** Tells whether a 4xx may come from in front of the application. A rate limit header shows that it comes from the application. */
export const isFrontRefusal = (refusal: Refusal): boolean => {
  const { status, exchange } = refusal.response;
  if (status < 400 || status >= 500 || hasRateLimitHeader(refusal)) return false;
  return frontCauses(refusal.probe, exchange.wire).length > 0 || isRefusedByParser(refusal);
};
