import { isJsonObject } from '../json/json.ts';
import { jsonIn } from './json-text.ts';

interface Framework {
  readonly name: string;
  /** What to write so that errors have the shape of the interface. */
  readonly advice: string;
  /** Recognizes the default error response by its body. */
  readonly isDefault: (body: string) => boolean;
}

/** A JSON object with these members, and of others only the optional ones. */
const members =
  (required: readonly string[], optional: readonly string[] = []) =>
  (body: string): boolean => {
    const value = jsonIn(body);
    if (!isJsonObject(value)) return false;
    const names = Object.keys(value);
    return (
      required.every((name) => names.includes(name)) &&
      names.every((name) => required.includes(name) || optional.includes(name))
    );
  };

const text =
  (pattern: RegExp) =>
  (body: string): boolean =>
    pattern.test(body);

const either =
  (one: Framework['isDefault'], other: Framework['isDefault']) =>
  (body: string): boolean =>
    one(body) || other(body);

/** Default error responses of frameworks and web servers, those with the most telling bodies first. */
const frameworks: readonly Framework[] = [
  {
    name: 'Express',
    advice: 'add app.use((err, req, res, next) => …) after all routes, and a last app.use for 404',
    isDefault: text(/<title>Error<\/title>.*<pre>/s),
  },
  {
    name: 'Fastify or NestJS',
    advice: 'Fastify: setErrorHandler and setNotFoundHandler; NestJS: a global exception filter',
    isDefault: members(['statusCode', 'message'], ['error', 'code']),
  },
  {
    name: 'Spring Boot',
    advice: 'write a @RestControllerAdvice with @ExceptionHandler methods, and replace /error',
    isDefault: either(
      members(['timestamp', 'status', 'error'], ['path', 'message', 'trace', 'requestId', 'errors']),
      text(/Whitelabel Error Page/),
    ),
  },
  {
    name: 'FastAPI, Starlette, or Django REST framework',
    advice:
      'FastAPI: @app.exception_handler for StarletteHTTPException and RequestValidationError; Django REST framework: EXCEPTION_HANDLER',
    isDefault: members(['detail']),
  },
  {
    name: 'ASP.NET Core (ProblemDetails)',
    advice: 'replace the ProblemDetails service, and InvalidModelStateResponseFactory',
    isDefault: members(['type', 'title', 'status', 'traceId'], ['errors', 'detail', 'instance']),
  },
  {
    name: 'Django',
    advice: 'set handler400, handler404, and handler500 in the root URLconf',
    isDefault: text(/The requested resource was not found on this server\.|<h1>Bad Request \(400\)<\/h1>/),
  },
  {
    name: 'Flask (Werkzeug)',
    advice: 'register @app.errorhandler(HTTPException)',
    isDefault: text(/^<!doctype html>\s*<html lang="?en"?>\s*<title>\d{3} /i),
  },
  {
    name: 'Rails',
    advice: 'use rescue_from in ApplicationController, and config.exceptions_app for routing errors',
    isDefault: either(
      text(/The page you were looking for doesn't exist|Action Controller: Exception caught/),
      members(['status', 'error'], ['exception', 'traces']),
    ),
  },
  {
    name: "Go's net/http",
    advice: 'register a handler for "/" that writes the Error, and do not use http.Error',
    isDefault: text(/^404 page not found\s*$/),
  },
  {
    name: 'nginx',
    advice: 'nginx refused the request itself: set error_page to a JSON Error',
    isDefault: text(/<center>nginx/),
  },
  {
    name: 'a framework or web server',
    advice: 'replace its default error handler by one that writes the Error as JSON',
    isDefault: text(/^\s*<(?:!doctype html|html|h1|title)/i),
  },
];

/** The framework whose default error response this is; null: none is recognized. */
export const frameworkOf = (body: string | null | undefined): Framework | null =>
  frameworks.find(({ isDefault }) => isDefault(body ?? '')) ?? null;
