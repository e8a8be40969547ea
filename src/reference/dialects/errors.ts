import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { Call, RejectionText } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { compose, replace, respondInFront, respondToKey } from '../patch-kit/core.ts';
import { refusalStatus } from '../patch-kit/refusals.ts';
import { editReply } from '../patch-kit/responses.ts';
import { type Reply, textReply, withHeaders } from '../reply.ts';
import { choices, independent } from './choices.ts';

const editError = (edit: (error: RejectionText, call: Call) => Partial<RejectionText>): Patch =>
  replace('renderError', (before) => (error, call) => before({ ...error, ...edit(error, call) }, call));

const extended = (more: (error: RejectionText, call: Call) => JsonObject): Patch =>
  replace('renderError', (before) => (error, call) => {
    const rendered = before(error, call);
    return isJsonObject(rendered) ? { ...rendered, ...more(error, call) } : rendered;
  });

const codes = (code: (error: RejectionText, call: Call) => string): Patch =>
  editError((error, call) => ({ code: code(error, call) }));

const keyCode = ({ status, code }: RejectionText, call: Call): string => {
  if (status !== 401) return code;
  return call.request.headers.has('authorization') ? 'invalid_key' : 'missing_key';
};

const japanese: Readonly<Record<number, string>> = {
  400: '要求が正しくありません',
  401: 'APIキーがないか、無効です',
  404: '見つかりません',
};

const messages = (message: (error: RejectionText, call: Call) => string): Patch =>
  editError((error, call) => ({ message: message(error, call) }));

const page = '<!DOCTYPE html>\n<html><body><h1>The request was refused</h1></body></html>\n';

/** Responds with an HTML page or without a body, as a proxy does; the headers of every response stay. */
const proxied = (status: number, body: 'html' | 'none'): Patch =>
  editReply({ status }, ({ headers: { 'content-type': _json, 'content-encoding': _coding, ...headers } }) =>
    body === 'none'
      ? { status, headers, body: null }
      : { ...textReply(status, 'text/html', page), headers: { ...headers, 'content-type': 'text/html' } },
  );

const longAddresses = respondToKey(({ request }) =>
  request.url.length > 2_000 ? textReply(414, 'text/html', page) : null,
);

const firewall = respondToKey(({ request }) =>
  request.url.includes('%27') ? textReply(403, 'text/html', page) : null,
);

/** Go's parser and Jetty's refuse these. */
const isNoTarget = (url: string): boolean => /%(?![0-9a-f]{2})|%00/i.test(url);

/** The default of gunicorn. */
const longestRequestLine = 4_094;

const isLongRequestLine = (method: string, { pathname, search }: URL): boolean =>
  `${method} ${pathname}${search} HTTP/1.1`.length > longestRequestLine;

const refusedUnread: Reply = {
  status: 400,
  headers: { 'content-type': 'text/plain; charset=utf-8', connection: 'close' },
  body: { text: '400 Bad Request' },
};

/** The shape of errors: the document only specifies code, message, and status (ERR-3, GEN-4). */
export const errorDialects = [
  ...choices('codes', {
    'codes-in-capitals': ['Codes are written in capitals.', codes(({ code }) => code.toUpperCase())],
    'codes-of-digits': ['Codes are strings of digits.', codes(({ status }) => `${status}01`)],
    'codes-as-addresses': ['Codes are URLs.', codes(({ code }) => `https://errors.example/pets/${code}`)],
    'codes-tell-missing-keys': ['A missing key and an invalid key have different codes.', codes(keyCode)],
  }),
  ...choices('messages', {
    'messages-in-japanese': [
      'Messages are in Japanese.',
      messages(({ status }) => japanese[status] ?? 'エラー'),
    ],
    'messages-empty': ['Messages are empty.', messages(() => '')],
    'messages-of-several-lines': [
      'Messages have several lines.',
      messages(({ message }) => `${message}\n\n\tat "x"\\y\r\n`),
    ],
  }),
  ...independent({
    'errors-with-details': [
      'Errors also have details, a time, and null members.',
      extended(({ message }, { at }) => ({
        details: [{ field: null, reason: message }],
        timestamp: new Date(at).toISOString(),
        cause: null,
      })),
    ],
    'errors-with-problem-members': [
      'Errors also have the members of RFC 9457.',
      extended(({ message, code }, { url }) => ({
        type: 'about:blank',
        title: code,
        detail: message,
        instance: url.pathname,
      })),
    ],
  }),
  ...choices('wrong-method', {
    'wrong-method-in-html': ['The body of a 405 is HTML.', proxied(405, 'html')],
    'wrong-method-without-a-body': ['A 405 has no body.', proxied(405, 'none')],
    'wrong-method-404': [
      'A method that a resource does not have gets 404.',
      refusalStatus('method-not-allowed', 404),
    ],
    'wrong-method-501': [
      'Methods other than GET and POST get 501 in HTML, like the server of Python.',
      respondInFront(({ request }) =>
        ['GET', 'POST'].includes(request.method)
          ? null
          : withHeaders(textReply(501, 'text/html', page), { connection: 'close' }),
      ),
    ],
  }),
  ...independent({
    'unknown-paths-refused-in-html': [
      'A path with too many segments gets the 404 page of the router, without the headers of operations.',
      respondInFront(({ url }) =>
        url.pathname.split('/').length > 4 ? textReply(404, 'text/html', page) : null,
      ),
    ],
    'large-bodies-refused-in-html': [
      'Bodies beyond 1 kB get 413 in HTML.',
      compose(
        replace('maxBodyBytes', () => 1_000),
        proxied(413, 'html'),
      ),
    ],
    'long-addresses-refused-in-html': ['URLs beyond 2,000 characters get 414 in HTML.', longAddresses],
    'apostrophes-refused-in-html': ['A firewall refuses URLs with an apostrophe with 403 in HTML.', firewall],
    'malformed-targets-refused-unread': [
      'The HTTP parser refuses malformed percent-encoding and NUL, as in Go and Jetty: no Date, connection closed.',
      respondInFront(({ url }) => (isNoTarget(url.href) ? refusedUnread : null)),
    ],
    'long-targets-refused-unread': [
      'The HTTP parser refuses request lines beyond 4,094 octets, as in gunicorn: no Date, connection closed.',
      respondInFront(({ request, url }) => (isLongRequestLine(request.method, url) ? refusedUnread : null)),
    ],
  }),
];
