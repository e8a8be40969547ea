import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { wrap } from '../patch-kit/core.ts';
import { jsonReply, type Reply, textReply } from '../reply.ts';
import { choices } from './choices.ts';

/** The path and the query as they were sent. */
interface Target {
  readonly path: string;
  readonly query: string;
}

/** The response to a refused request, without the `Date` that every front end adds; null: not refused. */
type Front = (target: Target, call: Call) => Reply | null | Promise<Reply | null>;

const targetOf = ({ request: { url } }: Call): Target => {
  const [, path = '', query = ''] = /^https?:\/\/[^/?]*([^?]*)\??(.*)$/is.exec(url) ?? [];
  return { path, query };
};

/** Refuses requests before the API sees them, with none of its headers. */
const inFront = (refuse: Front): Patch =>
  wrap(async (call, next) => {
    const refusal = await refuse(targetOf(call), call);
    if (refusal === null) return next();
    const date = new Date(call.at).toUTCString();
    return { ...refusal, headers: { date, ...refusal.headers } };
  });

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  413: 'Request Entity Too Large',
  414: 'Request-URI Too Large',
};

/** An error page without `Connection: close`, which is more common. */
const page = (status: number, mediaType = 'text/html'): Reply =>
  textReply(status, mediaType, `<html><body><h1>${status} ${titles[status]}</h1></body></html>\n`);

const isMalformed = (text: string): boolean => /%(?![\da-f]{2})/i.test(text);
const hasNul = (text: string): boolean => /%00/.test(text);

const isUndecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return false;
  } catch {
    return true;
  }
};

const isLongerThan = (bytes: number, { path, query }: Target): boolean =>
  path.length + query.length + 1 > bytes;

/** A front end forwards a body that the server itself does not read to its end, unless its own limit is lower. */
const isBodyLargerThan = async (bytes: number, { body, parts }: Call): Promise<boolean> => {
  const reading = await body();
  return reading.ok ? reading.bytes.length > bytes : parts.maxBodyBytes >= bytes;
};

const nginx: Front = async (target, call) => {
  if (isLongerThan(8_100, target)) return page(414);
  if (isMalformed(target.path) || hasNul(target.path))
    return { ...page(400), headers: { 'content-type': 'text/html', connection: 'close' } };
  return (await isBodyLargerThan(1_000_000, call)) ? page(413) : null;
};

const apache: Front = (target) => {
  const html = 'text/html; charset=iso-8859-1';
  if (isLongerThan(8_100, target)) return page(414, html);
  if (isMalformed(target.path)) return page(400, html);
  return /%00|%2f/i.test(target.path) ? page(404, html) : null;
};

/** A parameter that is a value in one place of the query and an object or an array in another. */
const isAmbiguous = (query: string): boolean => {
  const names = [...new URLSearchParams(query).keys()];
  return names.some((name) => names.some((other) => other.startsWith(`${name}[`)));
};

const rack: Front = ({ path, query }) =>
  isUndecodable(path) || isUndecodable(query) || isAmbiguous(query)
    ? textReply(400, 'text/plain', 'Bad Request')
    : null;

const ownError = (status: number, code: string, message: string): Reply =>
  jsonReply(
    status,
    { statusCode: BigInt(status), code, error: 'Bad Request', message },
    { 'content-type': 'application/json; charset=utf-8' },
  );

const fastify: Front = async ({ path }, call) => {
  if (isUndecodable(path)) return ownError(400, 'FST_ERR_BAD_URL', `'${path}' is not a valid url component`);
  return (await isBodyLargerThan(1_000_000, call))
    ? ownError(413, 'FST_ERR_CTP_BODY_TOO_LARGE', 'Request body is too large')
    : null;
};

const express: Front = async ({ path }, call) => {
  if (isUndecodable(path)) return page(400);
  return (await isBodyLargerThan(102_400, call)) ? page(413) : null;
};

/** The requests that a strict front end refuses, with the status. */
const unwanted: readonly (readonly [status: number, isRefused: (target: Target) => boolean])[] = [
  [414, (target) => isLongerThan(8_000, target)],
  [400, ({ path, query }) => isMalformed(`${path}?${query}`)],
  [403, ({ path, query }) => /%[01][\da-f]|%7f/i.test(`${path}?${query}`)],
  [400, ({ path, query }) => isUndecodable(path) || isUndecodable(query)],
  [404, ({ path }) => /%2f|%5c|\/\/|\/\.\.?(?:\/|$)/i.test(path)],
  [403, ({ query }) => /(?:^|&)[^=&]*(?:[[\]]|%5[bd])/i.test(query)],
];

const firewall: Front = async (target, call) => {
  const [status] = unwanted.find(([, isRefused]) => isRefused(target)) ?? [];
  if (status !== undefined) return page(status);
  return (await isBodyLargerThan(100_000, call)) ? page(413) : null;
};

/** Refusals before any code of the API runs, by gateways and frameworks (requirements, GEN). */
export const frontDialects = choices('front', {
  'front-refuses-like-nginx': [
    'A gateway refuses malformed or NUL percent-encoding in paths, long URIs, and bodies above 1 MB with an HTML page.',
    inFront(nginx),
  ],
  'front-refuses-like-apache': [
    'A gateway refuses malformed percent-encoding (400), NUL or an encoded slash (404), and long URIs with an HTML page.',
    inFront(apache),
  ],
  'front-refuses-like-rack': [
    'The framework refuses percent-encoding that is malformed or not UTF-8, and limit[gte] beside limit, in plain text.',
    inFront(rack),
  ],
  'front-refuses-like-fastify': [
    'The framework refuses paths that it cannot decode, and bodies above 1 MB, with JSON that is not an Error.',
    inFront(fastify),
  ],
  'front-refuses-like-express': [
    'The framework refuses paths that it cannot decode, and bodies above 100 KiB, with an HTML page.',
    inFront(express),
  ],
  'front-refuses-like-a-firewall': [
    'A firewall refuses malformed or unusual encoding, control characters, dot segments, brackets, and large bodies.',
    inFront(firewall),
  ],
});
