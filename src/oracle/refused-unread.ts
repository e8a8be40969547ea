import type { Subject } from './rule.ts';
import { rateLimitHeaders } from './rules/rate-limit-headers.ts';

/** A percent sign that encodes nothing makes no URI (RFC 3986 2.1), and a NUL is to be rejected where it is not expected (RFC 3986 7.3). */
const isMalformed = (target: string): boolean => /%(?![0-9a-f]{2})|%00/i.test(target);

/** What parsers read of a target at the least: gunicorn stops at 4,094 octets of the request line, most others at 8,000 or more. */
const longestReadByAll = 4_000;

const isBeyondParsers = (target: string): boolean => isMalformed(target) || target.length > longestReadByAll;

/**
 * The HTTP parser under the service refused the message before there was a request of the API: the connection is closed, and the answer
 * bears nothing that a service adds, not even the `Date` of RFC 9110 6.6.1. No program on such a parser can answer otherwise.
 */
export const isRefusedUnread = ({ probe, reading }: Pick<Subject, 'probe' | 'reading'>): boolean =>
  isBeyondParsers(`${probe.request.path}?${probe.request.query}`) &&
  reading.status === 400 &&
  reading.header('connection').join().toLowerCase() === 'close' &&
  ['date', ...rateLimitHeaders].every((name) => reading.header(name).length === 0);
