import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { Call, ProblemText } from '../parts.ts';
import type { Dialect, Patch } from '../patch.ts';
import { around, editReply, replace, together } from '../patches.ts';
import { type Reply, textReply } from '../reply.ts';

const editError = (edit: (error: ProblemText, call: Call) => Partial<ProblemText>): Patch =>
  replace('renderError', (before) => (error, call) => before({ ...error, ...edit(error, call) }, call));

const extended = (more: (error: ProblemText, call: Call) => JsonObject): Patch =>
  replace('renderError', (before) => (error, call) => {
    const rendered = before(error, call);
    return isJsonObject(rendered) ? { ...rendered, ...more(error, call) } : rendered;
  });

const codes = (
  name: string,
  description: string,
  code: (error: ProblemText, call: Call) => string,
): Dialect => ({
  name,
  choice: 'codes',
  description,
  patch: editError((error, call) => ({ code: code(error, call) })),
});

const keyCode = ({ status, code }: ProblemText, call: Call): string => {
  if (status !== 401) return code;
  return call.request.headers.has('authorization') ? 'invalid_key' : 'missing_key';
};

const japanese: Readonly<Record<number, string>> = {
  400: '要求が正しくありません',
  401: 'APIキーがないか、無効です',
  404: '見つかりません',
};

const messages = (
  name: string,
  description: string,
  message: (error: ProblemText, call: Call) => string,
): Dialect => ({
  name,
  choice: 'messages',
  description,
  patch: editError((error, call) => ({ message: message(error, call) })),
});

const page = '<!DOCTYPE html>\n<html><body><h1>The request was refused</h1></body></html>\n';

/** Answers with the status in HTML or with no body, as a proxy in front of the service does; the headers of every response stay. */
const proxied = (status: number, body: 'html' | 'none'): Patch =>
  editReply({ status }, ({ headers: { 'content-type': _json, 'content-encoding': _coding, ...headers } }) =>
    body === 'none'
      ? { status, headers, body: null }
      : { ...textReply(status, 'text/html', page), headers: { ...headers, 'content-type': 'text/html' } },
  );

const wrongMethod = (name: string, description: string, patch: Patch): Dialect => ({
  name,
  choice: 'wrong-method',
  description,
  patch,
});

const longAddresses = replace(
  'respond',
  (before) => async (call) =>
    call.grant !== null && call.request.url.length > 2_000 ? textReply(414, 'text/html', page) : before(call),
);

const firewall = replace(
  'respond',
  (before) => async (call) =>
    call.grant !== null && call.request.url.includes('%27')
      ? textReply(403, 'text/html', page)
      : before(call),
);

/** Go's parser and Jetty's refuse these. */
const isNoTarget = (url: string): boolean => /%(?![0-9a-f]{2})|%00/i.test(url);

/** As gunicorn's default has it. */
const longestRequestLine = 4_094;

const isLongRequestLine = (method: string, { pathname, search }: URL): boolean =>
  `${method} ${pathname}${search} HTTP/1.1`.length > longestRequestLine;

const refusedUnread: Reply = {
  status: 400,
  headers: { 'content-type': 'text/plain; charset=utf-8', connection: 'close' },
  body: { text: '400 Bad Request' },
};

/** What refusals look like where the document says no more than code, message and status (ERR-3, GEN-4). */
export const errorDialects: readonly Dialect[] = [
  codes('codes-in-capitals', 'Codes are written in capitals.', ({ code }) => code.toUpperCase()),
  codes('codes-of-digits', 'Codes are strings of digits.', ({ status }) => `${status}01`),
  codes('codes-as-addresses', 'Codes are URLs.', ({ code }) => `https://errors.example/pets/${code}`),
  codes('codes-tell-missing-keys', 'A missing key and an invalid one have codes of their own.', keyCode),
  messages('messages-in-japanese', 'Messages are in Japanese.', ({ status }) => japanese[status] ?? 'エラー'),
  messages('messages-empty', 'Messages are empty.', () => ''),
  messages(
    'messages-of-several-lines',
    'Messages have several lines.',
    ({ message }) => `${message}\n\n\tat "x"\\y\r\n`,
  ),
  {
    name: 'errors-with-details',
    description: 'Errors carry details, a time and null members besides.',
    patch: extended(({ message }, { at }) => ({
      details: [{ field: null, reason: message }],
      timestamp: new Date(at).toISOString(),
      cause: null,
    })),
  },
  {
    name: 'errors-with-problem-members',
    description: 'Errors carry the members of RFC 9457 besides.',
    patch: extended(({ message, code }, { url }) => ({
      type: 'about:blank',
      title: code,
      detail: message,
      instance: url.pathname,
    })),
  },
  wrongMethod('wrong-method-in-html', '405 is answered in HTML.', proxied(405, 'html')),
  wrongMethod('wrong-method-without-a-body', '405 is answered without a body.', proxied(405, 'none')),
  wrongMethod(
    'wrong-method-404',
    'A method that a resource does not have is answered with 404.',
    replace('problems', (before) => ({
      ...before,
      'method-not-allowed': { ...before['method-not-allowed'], status: 404 },
    })),
  ),
  wrongMethod(
    'wrong-method-501',
    'Other methods than GET and POST are not implemented: 501 in HTML, as the server of Python has it.',
    around(async ({ request }, next) =>
      ['GET', 'POST'].includes(request.method)
        ? next()
        : {
            ...textReply(501, 'text/html', page),
            headers: { 'content-type': 'text/html', connection: 'close' },
          },
    ),
  ),
  {
    name: 'unknown-paths-refused-in-html',
    description:
      'A path of more segments than any operation has gets the 404 page of the router, with none of the headers that operations have.',
    patch: around(async (call, next) =>
      call.url.pathname.split('/').length > 4 ? textReply(404, 'text/html', page) : next(),
    ),
  },
  {
    name: 'large-bodies-refused-in-html',
    description: 'Bodies beyond 1 kB are refused with 413 in HTML.',
    patch: together(
      replace('maxBodyBytes', () => 1_000),
      proxied(413, 'html'),
    ),
  },
  {
    name: 'long-addresses-refused-in-html',
    description: 'Addresses beyond 2,000 characters are refused with 414 in HTML.',
    patch: longAddresses,
  },
  {
    name: 'apostrophes-refused-in-html',
    description: 'A firewall refuses addresses with an apostrophe with 403 in HTML.',
    patch: firewall,
  },
  {
    name: 'malformed-targets-refused-unread',
    description:
      'The HTTP parser refuses malformed percent-encoding and NUL by itself, as those of Go and Jetty do: no Date, and the end.',
    patch: around(async ({ url }, next) => (isNoTarget(url.href) ? refusedUnread : next())),
  },
  {
    name: 'long-targets-refused-unread',
    description:
      'The HTTP parser refuses request lines of more than 4,094 octets by itself, as gunicorn does: no Date, and the end.',
    patch: around(async ({ request, url }, next) =>
      isLongRequestLine(request.method, url) ? refusedUnread : next(),
    ),
  },
];
