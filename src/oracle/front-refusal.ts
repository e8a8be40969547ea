import { isUtf8 } from 'node:buffer';
import { type Header, isMalformed, type WireRequest } from '../http/exchange.ts';
import { rateLimitHeaders } from '../rate-limit/headers.ts';
import type { Probe } from './probe.ts';
import type { Judged } from './rule.ts';

/** What makes gateways, HTTP parsers and frameworks refuse a request before any code of the API runs. */
export type FrontCause =
  | 'malformed message'
  | 'long URI'
  | 'large header fields'
  | 'large body'
  | 'unknown method'
  | 'control character'
  | 'malformed percent-encoding'
  | 'not UTF-8'
  | 'encoded slash'
  | 'dot segment'
  | 'empty segment'
  | 'brackets in a parameter name';

/** A request as the front sees it; `path` is below the base URL, which the user chose. */
interface Front {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** All of the path, and the query. */
  readonly target: string;
  readonly headers: readonly Header[];
  readonly bodyBytes: number;
  readonly isMalformed: boolean;
  /** A document may have parameters of any name. */
  readonly isDocumented: boolean;
}

type Sent = Pick<Probe, 'request' | 'inputSpace'>;

const targetOf = ({ url }: WireRequest): string => url.replace(/^https?:\/\/[^/?]*/i, '');

const frontOf = ({ request: { path, query }, inputSpace }: Sent, wire: WireRequest): Front => ({
  method: wire.method,
  path,
  query,
  target: targetOf(wire),
  headers: wire.headers,
  bodyBytes: wire.body === null ? 0 : Buffer.byteLength(wire.body),
  isMalformed: isMalformed(wire.framing),
  isDocumented: inputSpace === 'documented',
});

/** Most fronts read 8,190 or 8,192 bytes at least: nginx, Apache, Tomcat, Jetty. */
const mostTargetBytes = 8_000;
const mostHeaderBytes = 8_000;
/** Express reads 100 KiB by default, nginx 1 MiB. */
const mostBodyBytes = 100_000;

/** RFC 9110 9.3, and PATCH (RFC 5789). */
const methods: readonly string[] = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE'],
  'PATCH',
];

/** Parts of a target may have these characters (RFC 3986 3.3, 3.4). Brackets are common in queries. */
const targetCharacters = /^[\w\-.~%!$&'()*+,;=:@/?[\]]*$/;

/** Everything but control characters; a tab is allowed (RFC 9110 5.5). */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

const sizeOf = (headers: readonly Header[]): number =>
  headers.reduce((sum, [name, value]) => sum + name.length + ': '.length + value.length + '\r\n'.length, 0);

/** The bytes that a part of a target stands for; malformed percent-encoding stands for itself. */
const decoded = (text: string): Buffer =>
  Buffer.from(
    text.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

const parameterNames = (query: string): readonly string[] =>
  query.split('&').map((member) => member.split('=', 1).join());

/** In path or query. */
const inTarget = ({ path, query }: Front): string => `${path}?${query}`;

const causes: Readonly<Record<FrontCause, (front: Front) => boolean>> = {
  'malformed message': ({ target, headers, isMalformed }) =>
    isMalformed || !targetCharacters.test(target) || headers.some(([, value]) => !fieldValue.test(value)),
  'long URI': ({ target }) => target.length > mostTargetBytes,
  'large header fields': ({ headers }) => sizeOf(headers) > mostHeaderBytes,
  'large body': ({ bodyBytes }) => bodyBytes > mostBodyBytes,
  'unknown method': ({ method }) => !methods.includes(method),
  'control character': (front) => /\p{Cc}/u.test(decoded(inTarget(front)).toString()),
  'malformed percent-encoding': (front) => /%(?![\da-f]{2})/i.test(inTarget(front)),
  'not UTF-8': (front) => !isUtf8(decoded(inTarget(front))),
  'encoded slash': ({ path }) => /%2f|%5c/i.test(path),
  'dot segment': ({ path }) => /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path),
  'empty segment': ({ path }) => path.includes('//'),
  'brackets in a parameter name': ({ query, isDocumented }) =>
    !isDocumented && parameterNames(query).some((name) => /[[\]]|%5[bd]/i.test(name)),
};

/** Why a request may be refused in front of the application; empty: it may not. */
export const frontCauses = (sent: Sent, wire: WireRequest): readonly FrontCause[] => {
  const front = frontOf(sent, wire);
  return (Object.keys(causes) as FrontCause[]).filter((cause) => causes[cause](front));
};

/** A server that closes the connection while such a request is sent may lose a response that was on its way. */
const unreadable: readonly FrontCause[] = ['malformed message', 'large header fields'];

/** Tells whether the server may see no request at all, and no key. */
export const mayBeUnreadable = (sent: Sent, wire: WireRequest): boolean =>
  frontCauses(sent, wire).some((cause) => unreadable.includes(cause));

type Refusal = Pick<Judged, 'probe' | 'response'>;

/** gunicorn reads 4,094 bytes of a request line by default. Its refusal has no `Date` and closes the connection. */
const isRefusedByParser = ({ response: { status, header, exchange } }: Refusal): boolean =>
  targetOf(exchange.wire).length > 4_000 &&
  status === 400 &&
  header('connection').join().toLowerCase() === 'close' &&
  header('date').length === 0;

const hasRateLimitHeader = ({ response }: Pick<Refusal, 'response'>): boolean =>
  rateLimitHeaders.some((name) => response.header(name).length > 0);

/**
 * Caddy (502) and Varnish (503) pass a body on as it comes: to them it is the upstream that fails with a malformed one. A router without
 * a Host finds no upstream (503).
 */
export const isGatewayFailure = (refusal: Pick<Refusal, 'response'>): boolean =>
  [502, 503].includes(refusal.response.status) &&
  !hasRateLimitHeader(refusal) &&
  isMalformed(refusal.response.exchange.wire.framing);

/** Tells whether a 4xx may come from the front of the application. A rate limit header shows that it does not. */
export const isFrontRefusal = (refusal: Refusal): boolean => {
  const { status, exchange } = refusal.response;
  if (status < 400 || status >= 500 || hasRateLimitHeader(refusal)) return false;
  return frontCauses(refusal.probe, exchange.wire).length > 0 || isRefusedByParser(refusal);
};
