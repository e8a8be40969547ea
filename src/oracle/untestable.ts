import type { RunEnd } from '../finding/reason.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import { excerpt } from '../json/excerpt.ts';
import { isJsonObject, type Json } from '../json/json.ts';
import { retryWait } from '../rate-limit/headers.ts';

/** A response that comes from something in front of the API, or in its place. */
type Page = 'redirect' | 'html' | 'unavailable' | 'plain-http';

const refusals: readonly number[] = [401, 403];
const redirects: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Returns why no operation can be tested, from the responses of the preflight. Either the key is unusable, or all responses are redirects,
 * HTML pages, or the same maintenance page. Null: the server can be tested.
 */
export const whyUntestable = (responses: readonly ParsedResponse[], longestWaitMs: number): RunEnd | null =>
  whyKeyUnusable(responses, longestWaitMs) ?? whyNotTheApi(responses);

/**
 * Returns why the key is unusable: each response rejects it, requires too long a wait, or is a 429 after the waits that 429s required.
 * Null: at least one is none of these.
 */
export const whyKeyUnusable = (
  responses: readonly ParsedResponse[],
  longestWaitMs: number,
): RunEnd | null => {
  if (responses.length === 0) return null;
  if (responses.every(({ status }) => refusals.includes(status))) return keyRefused(responses);
  const isTooLong = (response: ParsedResponse) =>
    response.status === 429 && waitMsOf(response) > longestWaitMs;
  if (responses.every(isTooLong)) return limited(responses, longestWaitMs);
  // The client returns a 429 only if it gave up. Without a wait, the 429 itself is wrong, and is reported.
  const isAfterWaits = (response: ParsedResponse) => response.status === 429 && retryWait(response) !== null;
  return responses.every(isAfterWaits) ? { detail: 'always-limited' } : null;
};

const whyNotTheApi = (responses: readonly ParsedResponse[]): RunEnd | null => {
  const [first] = responses;
  if (first === undefined) return null;
  const pages = new Set(responses.map(pageOf));
  if (pages.has(null)) return null;
  if (pages.size > 1) {
    return pages.has('unavailable')
      ? null
      : { detail: 'redirects-and-html', statuses: statusesOf(responses) };
  }
  return describe[pageOf(first) ?? 'html'](responses, first);
};

const describe: Readonly<
  Record<Page, (responses: readonly ParsedResponse[], first: ParsedResponse) => RunEnd | null>
> = {
  redirect: (responses, first) => redirected(responses, first),
  html: (responses) => ({ detail: 'html', statuses: statusesOf(responses) }),
  unavailable: (responses, first) =>
    isOnePage(responses) ? { detail: 'maintenance', retryAfter: retryAfterOf(first) } : null,
  'plain-http': (responses) => ({ detail: 'plain-http', statuses: statusesOf(responses) }),
};

const statusesOf = (responses: readonly ParsedResponse[]): readonly number[] => [
  ...new Set(responses.map(({ status }) => status)),
];

const pageOf = (response: ParsedResponse): Page | null => {
  const { status, body } = response;
  if (hasTrace(response)) return null;
  if (redirects.includes(status) && locationOf(response) !== null) return 'redirect';
  if (body.kind !== 'unreadable') return null;
  if (status === 400 && httpOnTlsPort.test(body.text)) return 'plain-http';
  if (status === 503) return 'unavailable';
  return status < 500 && isHtml(response, body.text) ? 'html' : null;
};

/** Texts of nginx, Apache, Go and Tomcat for http on a TLS port. */
const httpOnTlsPort =
  /plain HTTP request was sent to HTTPS port|speaking plain HTTP to an SSL-enabled|sent an HTTP request to an HTTPS server|host and port requires TLS/i;

const isHtml = ({ mediaType }: ParsedResponse, text: string): boolean =>
  mediaType === 'text/html' ||
  mediaType === 'application/xhtml+xml' ||
  /^\s*<(!doctype html|html)\b/i.test(text);

const hasTrace = (response: ParsedResponse): boolean =>
  ['limit', 'remaining', 'reset'].some((name) => response.header(`x-ratelimit-${name}`).length > 0) ||
  isOfTheApi(response.json);

const shapes = [
  ['code', 'message', 'status'],
  ['id', 'name', 'categoryId'],
];

/** Tells whether a value is a list, an Error, or a Pet. */
const isOfTheApi = (value: Json | undefined): boolean =>
  Array.isArray(value) ||
  (isJsonObject(value) && shapes.some((members) => members.every((member) => member in value)));

/** Compares pages without digits, because a page may show the time or the number of the request. */
const isOnePage = (responses: readonly ParsedResponse[]): boolean =>
  new Set(responses.map(({ body }) => (body.kind === 'unreadable' ? body.text.replaceAll(/\d+/g, '') : '')))
    .size === 1;

const keyRefused = (responses: readonly ParsedResponse[]): RunEnd => ({
  detail: responses.every(asksForBasic) ? 'basic-authentication' : 'key-refused',
  statuses: statusesOf(responses),
});

/** Returns the wait that the server requires in milliseconds, or 0. */
const waitMsOf = (response: ParsedResponse): number => (retryWait(response)?.seconds ?? 0) * 1000;

const limited = ([first]: readonly ParsedResponse[], longestWaitMs: number): RunEnd => ({
  detail: 'retry-after',
  retryAfter: (first === undefined ? null : retryAfterOf(first)) ?? '',
  longestWaitMs,
});

const asksForBasic = (response: ParsedResponse): boolean => {
  const challenge = response.header('www-authenticate').join(', ');
  return /(^|,)\s*basic\b/i.test(challenge) && !/\bbearer\b/i.test(challenge);
};

const retryAfterOf = (response: ParsedResponse): string | null => {
  const wait = response.header('retry-after')[0];
  return wait === undefined ? null : excerpt(wait, 40);
};

const locationOf = (response: ParsedResponse): URL | null => {
  const [location = ''] = response.header('location');
  const from = response.exchange.wire.url;
  return location !== '' && URL.canParse(location, from) ? new URL(location, from) : null;
};

/** Returns the new base URL if all redirects lead to the same operations below it. Otherwise says whether every redirect only adds a slash. */
const redirected = (responses: readonly ParsedResponse[], first: ParsedResponse): RunEnd => {
  const statuses = statusesOf(responses);
  const bases = new Set(responses.map(newBaseOf));
  const [base] = bases;
  if (bases.size === 1 && typeof base === 'string') return { detail: 'moved', statuses, to: base };
  const { origin = '', pathname = '' } = locationOf(first) ?? {};
  if (responses.every(addsSlash)) return { detail: 'slash', statuses, to: excerpt(pathname) };
  return { detail: 'redirect', statuses, to: `${origin}${excerpt(pathname)}` };
};

const addsSlash = (response: ParsedResponse): boolean =>
  locationOf(response)?.pathname === `${new URL(response.exchange.wire.url).pathname}/`;

const newBaseOf = (response: ParsedResponse): string | null => {
  const { request, wire } = response.exchange;
  const suffix = `${request.path}${request.query === '' ? '' : `?${request.query}`}`;
  const target = locationOf(response)?.href ?? '';
  const base = target.endsWith(suffix) ? target.slice(0, -suffix.length) : null;
  return base === null || wire.url === target ? null : base;
};
