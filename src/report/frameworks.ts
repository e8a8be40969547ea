import { isJsonObject } from '../json/json.ts';
import { jsonIn } from './json-text.ts';

/** A sign of a default error response: in its text, or in the members of its JSON object. */
type Sign = RegExp | { readonly required: readonly string[]; readonly optional: readonly string[] };

/** A JSON object with the required members, and no others except the optional ones. */
const members = (required: readonly string[], optional: readonly string[] = []): Sign => ({
  required,
  optional,
});

/** A framework or web server, with its default error responses. */
interface Framework {
  readonly name: string;
  /** Any page of HTML: two such pages may have two authors. */
  readonly isAny?: true;
  /** What to write so that errors have the shape of the interface. Null if several frameworks have such errors. */
  readonly advice: string | null;
  readonly signs: readonly Sign[];
}

/** The most specific first; the last one has any page of HTML. */
const frameworks: readonly Framework[] = [
  {
    name: 'Express',
    advice: 'add app.use((err, req, res, next) => …) after all routes, and a last app.use for 404',
    signs: [/<title>Error<\/title>.*<pre>/s],
  },
  {
    name: 'Fastify',
    advice: 'use setErrorHandler and setNotFoundHandler',
    signs: [/^\{"statusCode":\d+,"code":"FST_/, /^\{"message":"Route [A-Z]+:[^"]* not found"/],
  },
  {
    name: 'NestJS',
    advice: 'register a global exception filter',
    signs: [
      /^\{"statusCode":\d+,"message":"[^"]*"\}$/,
      /^\{"message":(?:"(?:[^"\\]|\\.)*"|\[.*\]),"error":"[^"]*","statusCode":\d+\}$/s,
    ],
  },
  {
    name: 'hapi',
    advice: 'replace response.output.payload in onPreResponse if response.isBoom',
    signs: [
      /^\{"statusCode":\d+,"error":"[^"]*","message":"Invalid request (?:payload|query|params|headers)/,
    ],
  },
  {
    name: 'Fastify, NestJS, or hapi',
    advice: null,
    signs: [members(['statusCode', 'message'], ['error', 'code'])],
  },
  {
    name: 'Spring Boot',
    advice: 'write a @RestControllerAdvice with @ExceptionHandler methods, and replace /error',
    signs: [
      members(['timestamp', 'status', 'error'], ['path', 'message', 'trace', 'requestId', 'errors']),
      /Whitelabel Error Page/,
    ],
  },
  {
    name: 'FastAPI',
    advice: 'use @app.exception_handler for StarletteHTTPException and RequestValidationError',
    signs: [
      /^\{"detail":\[\{"(?:type|loc)":/,
      /^\{"detail":"(?:Not Found|Method Not Allowed|Not authenticated|There was an error parsing the body)"\}$/,
    ],
  },
  {
    name: 'Django REST framework',
    advice: 'set EXCEPTION_HANDLER in REST_FRAMEWORK',
    signs: [
      /^\{"detail":"(?:JSON parse error|Authentication credentials were not|Invalid token|Not found\.|No \w+ matches the given|Unsupported media type|Could not satisfy the request Accept|Method \\"[A-Z]+\\" not allowed)/,
      /^\{.*\["(?:This field (?:is required|may not be (?:null|blank))|Not a valid string|A valid integer is required|\\".*\\" is not a valid choice)/s,
    ],
  },
  {
    name: 'FastAPI, Starlette, or Django REST framework',
    advice: null,
    signs: [members(['detail'])],
  },
  {
    name: 'ASP.NET Core (ProblemDetails)',
    advice: 'use AddExceptionHandler and UseStatusCodePages, and replace InvalidModelStateResponseFactory',
    signs: [
      members(['type', 'title', 'status', 'traceId'], ['errors', 'detail', 'instance']),
      /^\{"type":"https:\/\/tools\.ietf\.org\/html\/rfc(?:9110|7231)#/,
    ],
  },
  {
    name: 'Symfony (Problem Details)',
    advice: 'write a listener for kernel.exception',
    signs: [/^\{"type":"https:\\?\/\\?\/(?:symfony\.com\\?\/errors|tools\.ietf\.org\\?\/html\\?\/rfc2616)/],
  },
  {
    name: 'Spring (Problem Details)',
    advice: 'write a @RestControllerAdvice with @ExceptionHandler methods',
    signs: [members(['title', 'status', 'instance'], ['type', 'detail'])],
  },
  {
    name: 'a framework with Problem Details',
    advice: null,
    signs: [members(['title', 'status'], ['type', 'detail', 'instance', 'errors', 'violations'])],
  },
  {
    name: 'Django with DEBUG = True',
    advice:
      'DEBUG shows its own pages whatever handlers there are: set DEBUG = False, and handler400, handler404, and handler500 in the root URLconf',
    signs: [/your Django settings/],
  },
  {
    name: 'Django',
    advice: 'set handler400, handler404, and handler500 in the root URLconf',
    signs: [
      /The requested resource was not found on this server\.|<h1>(Bad Request|Server Error) \(\d+\)<\/h1>/,
    ],
  },
  {
    name: 'Flask (Werkzeug)',
    advice: 'register @app.errorhandler(HTTPException)',
    signs: [/^<!doctype html>\s*<html lang="?en"?>\s*<title>\d{3} /i],
  },
  {
    name: 'Rails in development',
    advice:
      'it shows its own pages whatever handlers there are: set config.consider_all_requests_local = false, and use rescue_from in ApplicationController, and for other errors config.exceptions_app',
    signs: [/Action Controller: Exception|^\{"status":\d+,"error":"[^"]*","exception":"/],
  },
  {
    name: 'Rails',
    advice: 'use rescue_from in ApplicationController, and config.exceptions_app for routing errors',
    signs: [
      /The page you were looking for doesn.t exist|but something went wrong|client error \(400 /,
      /^\{"status":\d+,"error":"[^"]*"\}$/,
    ],
  },
  {
    name: 'Laravel',
    advice:
      'render exceptions in bootstrap/app.php (withExceptions), with shouldRenderJsonWhen for all requests',
    signs: [
      members(['message', 'errors']),
      members(['message', 'exception', 'file', 'line', 'trace']),
      /^\{"message":"(The route .* could not be found|Server Error|Unauthenticated)\."?|="antialiased"/,
    ],
  },
  {
    name: "Go's net/http",
    advice: 'register a handler for "/" that writes the Error, and do not use http.Error',
    signs: [/^404 page not found\s*$/],
  },
  {
    name: 'nginx',
    advice: 'nginx refused the request itself: set error_page to a JSON Error',
    signs: [/<center>nginx/],
  },
  {
    name: 'a framework or web server',
    isAny: true,
    advice: 'replace its default error handler by one that writes the Error as JSON',
    signs: [
      /^\s*<(?:!doctype html|html|h1|title)|^(\d{3} )?(Bad Request|Unauthorized|Not Found|Internal Server Error)\s*$/i,
    ],
  },
];

/** The beginning of a body, where errors are. A server may send megabytes of what makes patterns slow. */
export const beginningOf = (body: string | null | undefined, length: number): string =>
  (body ?? '').slice(0, length);

/** Returns the framework whose default error response this is, or null. */
export const frameworkOf = (body: string | null | undefined): Framework | null => {
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
  return frameworks.find(({ signs }) => signs.some(shows)) ?? null;
};
