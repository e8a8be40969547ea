import type { Exchange } from '../../http/exchange.ts';
import { excerpt } from '../../json/excerpt.ts';
import { stringifyJson } from '../../json/stringify.ts';
import { type About, isOrdinary, type Probe } from '../probe.ts';

type LabeledRequest = Pick<Probe, 'request' | 'label' | 'labelsPath' | 'sent'>;

/** Adds the sent value to a label that names a member of the body, such as `status: not a listed value`. */
const labelWithValue = ({ label, sent }: LabeledRequest): string => {
  const [, member, what] = /^(\w+): (.*)$/s.exec(label) ?? [];
  const value = member === undefined ? undefined : sent?.[member];
  if (value === undefined) return label;
  const text = stringifyJson(value);
  return `${member} ${excerpt(text, 60)}${what === text ? '' : ` (${what})`}`;
};

/** A longer path is cut. The shown request has all of it. */
const longestPath = 60;

const shownPath = (path: string): string =>
  path.length > longestPath ? `${excerpt(path, longestPath)} (${path.length} characters)` : path;

/** The request in words: `GET /pets with limit=0`, `POST /pets with status "gone" (not a listed value)`. */
export const inWords = (sent: LabeledRequest): string => {
  const { method, path } = sent.request;
  const request = `${method} ${shownPath(path)}`;
  if (isOrdinary(sent)) return request;
  return sent.labelsPath ? `${request} (${sent.label})` : `${request} with ${labelWithValue(sent)}`;
};

/** A body up to this length is shown, because it says more than words about it. */
export const shortBody = 160;

/** A request as it was written: `POST /pets {"name":"Rex"}`. */
export const asWritten = ({ request: { method, path, body } }: Pick<Exchange, 'request'>): string =>
  `${method} ${path}${typeof body === 'string' ? ` ${excerpt(body, shortBody)}` : ''}`;

/**
 * What a failure is about: `POST /pets with null instead of an object: null`, without the body if it is long or the key is special. A
 * request by id also shows how the animal was created, because the id alone says nothing.
 */
export const aboutInWords = (about: About): string => {
  if (about.kind === 'creation') return asWritten(about.exchange);
  const { probe } = about;
  const { body, credential } = probe.request;
  if (about.kind === 'probe' || credential.chargedTo === null) return inWords(probe);
  if (typeof body === 'string' && body.length <= shortBody)
    return `${inWords(probe)}${isOrdinary(probe) ? '' : ':'} ${body}`;
  const { createdBy } = about;
  return `${inWords(probe)}${createdBy === undefined ? '' : `, created by ${asWritten(createdBy)}`}`;
};

/** The status of a response, and the location of a redirect. */
export const shownStatus = ({ response }: Pick<Exchange, 'response'>): string => {
  if (response === null) return 'no response';
  const { status, headers } = response;
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1].trim();
  return location === undefined || status < 300 || status >= 400
    ? `status ${status}`
    : `status ${status}, Location: ${excerpt(location)}`;
};
