import { isJsonObject } from '../json/json.ts';
import { jsonIn } from './json-text.ts';
import type { FrameworkName } from './text/likely-bugs.ts';

/** Whether a body is the default error response of a framework. */
type IsDefault = (body: string) => boolean;

/** A JSON object with these members, and of others only the optional ones. */
const members =
  (required: readonly string[], optional: readonly string[] = []): IsDefault =>
  (body) => {
    const value = jsonIn(body);
    if (!isJsonObject(value)) return false;
    const names = Object.keys(value);
    return (
      required.every((name) => names.includes(name)) &&
      names.every((name) => required.includes(name) || optional.includes(name))
    );
  };

const text =
  (pattern: RegExp): IsDefault =>
  (body) =>
    pattern.test(body);

const either =
  (one: IsDefault, other: IsDefault): IsDefault =>
  (body) =>
    one(body) || other(body);

/** Default error responses, those with the most telling bodies first. */
const defaultErrors: readonly (readonly [FrameworkName, IsDefault])[] = [
  ['express', text(/<title>Error<\/title>.*<pre>/s)],
  ['fastify-or-nestjs', members(['statusCode', 'message'], ['error', 'code'])],
  [
    'spring-boot',
    either(
      members(['timestamp', 'status', 'error'], ['path', 'message', 'trace', 'requestId', 'errors']),
      text(/Whitelabel Error Page/),
    ),
  ],
  ['fastapi-or-django-rest', members(['detail'])],
  ['asp-net-core', members(['type', 'title', 'status', 'traceId'], ['errors', 'detail', 'instance'])],
  ['django', text(/The requested resource was not found on this server\.|<h1>Bad Request \(400\)<\/h1>/)],
  ['flask', text(/^<!doctype html>\s*<html lang="?en"?>\s*<title>\d{3} /i)],
  [
    'rails',
    either(
      text(/The page you were looking for doesn't exist|Action Controller: Exception caught/),
      members(['status', 'error'], ['exception', 'traces']),
    ),
  ],
  ['go', text(/^404 page not found\s*$/)],
  ['nginx', text(/<center>nginx/)],
  ['other', text(/^\s*<(?:!doctype html|html|h1|title)/i)],
];

/** The framework whose default error response this is; null: none is recognized. */
export const frameworkOf = (body: string | null | undefined): FrameworkName | null =>
  defaultErrors.find(([, isDefault]) => isDefault(body ?? ''))?.[0] ?? null;
