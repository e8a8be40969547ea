import { isJsonObject } from '../json/json.ts';
import type { ServerFailure } from '../run/outcome.ts';
import { jsonIn } from './json-text.ts';
import type { FrameworkName } from './text/likely-bugs.ts';

/** Requirements on the bodies of 4xx responses, with the statuses for which a failure is about the body. */
const onlyByBody: Readonly<Record<string, (status: number) => boolean>> = {
  'ERR-1': () => true,
  'GEN-2': () => true,
  'GEN-3': () => true,
  'GET-2': (status) => status === 404,
  'GET-3': () => true,
};

/** Whether a failure is about the body of an error response, not about its status. */
export const hasErrorShapeProblem = ({
  requirement,
  failure: { response },
}: {
  readonly requirement: string;
  readonly failure: ServerFailure;
}): boolean =>
  response !== null &&
  response.status >= 400 &&
  response.status < 500 &&
  onlyByBody[requirement]?.(response.status) === true;

/** The kind of a body: its members, or that it is empty or not JSON. The same code probably makes bodies of one kind. */
const bodyKind = (body: string | null): string => {
  if (body === null || body === '') return 'empty';
  const value = jsonIn(body);
  if (value === undefined) return 'not-json';
  return isJsonObject(value) ? JSON.stringify(Object.keys(value).toSorted()) : 'other-json';
};

export const sameBodyKind = (a: ServerFailure, b: ServerFailure): boolean =>
  bodyKind(a.response?.body ?? null) === bodyKind(b.response?.body ?? null);

/** A sign of a default error response: in its text, or in the members of its JSON object. */
type Sign = RegExp | { readonly required: readonly string[]; readonly optional: readonly string[] };

/** A JSON object with the required members, and no others except the optional ones. */
const members = (required: readonly string[], optional: readonly string[] = []): Sign => ({
  required,
  optional,
});

/** Default error responses, the most specific first. */
const defaultErrors: readonly (readonly [FrameworkName, ...Sign[]])[] = [
  ['express', /<title>Error<\/title>.*<pre>/s],
  ['fastify-or-nestjs', members(['statusCode', 'message'], ['error', 'code'])],
  [
    'spring-boot',
    members(['timestamp', 'status', 'error'], ['path', 'message', 'trace', 'requestId', 'errors']),
    /Whitelabel Error Page/,
  ],
  ['fastapi-or-django-rest', members(['detail'])],
  ['asp-net-core', members(['type', 'title', 'status', 'traceId'], ['errors', 'detail', 'instance'])],
  ['problem-details', members(['title', 'status'], ['type', 'detail', 'instance', 'errors', 'violations'])],
  [
    'django',
    /The requested resource was not found on this server\.|<h1>(Bad Request|Server Error) \(\d+\)<\/h1>|your Django settings/,
  ],
  ['flask', /^<!doctype html>\s*<html lang="?en"?>\s*<title>\d{3} /i],
  [
    'rails',
    /The page you were looking for doesn.t exist|but something went wrong|client error \(400 |Action Controller: Exception/,
    members(['status', 'error'], ['exception', 'traces']),
  ],
  [
    'laravel',
    members(['message', 'errors']),
    members(['message', 'exception', 'file', 'line', 'trace']),
    /^\{"message":"(The route .* could not be found|Server Error|Unauthenticated)\."?|="antialiased"/,
  ],
  ['go', /^404 page not found\s*$/],
  ['nginx', /<center>nginx/],
  [
    'other',
    /^\s*<(?:!doctype html|html|h1|title)|^(\d{3} )?(Bad Request|Unauthorized|Not Found|Internal Server Error)\s*$/i,
  ],
];

/** The beginning of a body, where errors are. A server may send megabytes of what makes patterns slow. */
const beginningOf = (body: string | null | undefined, length: number): string =>
  (body ?? '').slice(0, length);

/** The framework whose default error response this is; null: none is recognized. */
export const frameworkOf = (body: string | null | undefined): FrameworkName | null => {
  const value = jsonIn(body);
  const names = isJsonObject(value) ? Object.keys(value) : null;
  const shows = (sign: Sign): boolean => {
    if (sign instanceof RegExp) return sign.test(beginningOf(body, 20_000));
    const { required, optional } = sign;
    return (
      names !== null &&
      required.every((name) => names.includes(name)) &&
      names.every((name) => required.includes(name) || optional.includes(name))
    );
  };
  return defaultErrors.find(([, ...signs]) => signs.some(shows))?.[0] ?? null;
};

/** `Warning: Undefined variable $a in /srv/index.php on line 3`, as text or HTML. */
const phpError =
  /(?:Warning|Notice|Deprecated|(?:Fatal|Parse) error)(?:<\/b>)?:\s{1,9}(?<error>.{0,500}?) in (?:<b>)?\S{1,300}?(?<place>[^/\\\s]{1,100})(?:<\/b>)?(?: on line (?:<b>)?|:)(?<line>\d+)/s;

/** The error that PHP printed into a body, before anything else; null: none. */
export const printedError = ({ response }: Pick<ServerFailure, 'response'>): string | null => {
  const { error = '', place, line } = phpError.exec(beginningOf(response?.body, 2_000))?.groups ?? {};
  return line === undefined ? null : `${error.slice(0, 80)}, ${place} line ${line}`;
};
