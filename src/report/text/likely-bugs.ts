/** A common bug of servers. */
export type LikelyBug =
  | { readonly bug: SimpleBug }
  | { readonly bug: 'default-error-response'; readonly status: number; readonly framework: FrameworkName }
  | { readonly bug: 'name-changed'; readonly change: NameChange }
  | { readonly bug: 'headers-never-sent' | 'errors-of-another-shape'; readonly names: readonly string[] }
  | { readonly bug: 'media-type-never-sent'; readonly actual: string }
  | { readonly bug: 'prints-errors'; readonly error: string }
  | { readonly bug: 'another-client-error'; readonly operation: string; readonly status: number }
  | { readonly bug: 'another-success'; readonly operation: string; readonly status: number };

/** A bug that is the same on every server. */
export type SimpleBug =
  | 'id-from-request'
  | 'body-before-key'
  | 'parameters-before-key'
  | 'integer-through-double'
  | 'integer-cut-to-32-bits'
  | 'filter-after-paging'
  | 'one-too-many'
  | 'exclusive-bound'
  | 'bound-too-wide'
  | 'limit-of-address'
  | 'not-stored'
  | 'stale-copy'
  | 'null-status'
  | 'indexed-list';

/** How a returned name differs from the one sent. */
export type NameChange = 'trimmed' | 'lower-case' | 'upper-case' | 'normalized' | 'cut' | 'html-escaped';

/** Frameworks and web servers; `other` has a page of HTML. */
export type FrameworkName =
  | 'express'
  | 'fastify-or-nestjs'
  | 'spring-boot'
  | 'fastapi-or-django-rest'
  | 'asp-net-core'
  | 'problem-details'
  | 'django'
  | 'flask'
  | 'rails'
  | 'laravel'
  | 'go'
  | 'nginx'
  | 'other';

const simpleBugs: Readonly<Record<SimpleBug, string>> = {
  'id-from-request':
    'The server used the id from the request body: write { ...body, id: newId }, not { id: newId, ...body }.',
  'body-before-key':
    'The body is parsed or checked before the key: check the key first, before the body parser runs.',
  'parameters-before-key': 'The path or query is checked before the key: check the key first.',
  'integer-through-double':
    'Integers above 2^53 lose digits, because they pass through a double: parse and write JSON with 64-bit integers.',
  'integer-cut-to-32-bits': 'categoryId is cut to 32 bits: use a 64-bit type in code and database.',
  'filter-after-paging':
    'Only lists with status lack animals: filter by status before the page is cut (WHERE before LIMIT).',
  'one-too-many':
    'The page has exactly one animal too many: off by one, or one is read ahead and not removed.',
  'exclusive-bound': 'The bounds of limit are inclusive: 1 and 100 are valid.',
  'bound-too-wide':
    'limit is not held to 1 to 100: refuse other values, or return at most 100 animals for them.',
  'limit-of-address':
    'Requests are counted by client address, or for all keys together: count them by API key.',
  'not-stored':
    'Neither the list nor getPet shows an animal of this run: createPet returns 201, but does not store the animal.',
  'stale-copy':
    'The list shows no animal of this run: animals are not stored, or lists come from a copy (replica, cache, other instance) that gets them more than 2 s late or never.',
  'null-status': 'status is null: leave it out if the request has none, or return a default.',
  'indexed-list':
    'The list is an object with indexes as names: write an array (PHP: array_values before json_encode).',
};

const nameChanges: Readonly<Record<NameChange, string>> = {
  trimmed: 'trimmed',
  'lower-case': 'changed to lower case',
  'upper-case': 'changed to upper case',
  normalized: 'normalized (Unicode)',
  cut: 'cut',
  'html-escaped': 'escaped for HTML',
};

interface Framework {
  readonly name: string;
  /** What to write so that errors have the shape of the interface. */
  readonly advice: string;
}

const frameworks: Readonly<Record<FrameworkName, Framework>> = {
  express: {
    name: 'Express',
    advice: 'add app.use((err, req, res, next) => …) after all routes, and a last app.use for 404',
  },
  'fastify-or-nestjs': {
    name: 'Fastify or NestJS',
    advice: 'Fastify: setErrorHandler and setNotFoundHandler; NestJS: a global exception filter',
  },
  'spring-boot': {
    name: 'Spring Boot',
    advice: 'write a @RestControllerAdvice with @ExceptionHandler methods, and replace /error',
  },
  'fastapi-or-django-rest': {
    name: 'FastAPI, Starlette, or Django REST framework',
    advice:
      'FastAPI: @app.exception_handler for StarletteHTTPException and RequestValidationError; Django REST framework: EXCEPTION_HANDLER',
  },
  'asp-net-core': {
    name: 'ASP.NET Core (ProblemDetails)',
    advice: 'replace the ProblemDetails service, and InvalidModelStateResponseFactory',
  },
  'problem-details': {
    name: 'a framework with Problem Details (ASP.NET Core, Spring, Symfony)',
    advice:
      'ASP.NET Core: AddExceptionHandler and UseStatusCodePages; Spring: a @RestControllerAdvice; Symfony: a listener for kernel.exception',
  },
  django: { name: 'Django', advice: 'set handler400, handler404, and handler500 in the root URLconf' },
  flask: { name: 'Flask (Werkzeug)', advice: 'register @app.errorhandler(HTTPException)' },
  rails: {
    name: 'Rails',
    advice: 'use rescue_from in ApplicationController, and config.exceptions_app for routing errors',
  },
  laravel: {
    name: 'Laravel',
    advice:
      'render exceptions in bootstrap/app.php (withExceptions), with shouldRenderJsonWhen for all requests',
  },
  go: {
    name: "Go's net/http",
    advice: 'register a handler for "/" that writes the Error, and do not use http.Error',
  },
  nginx: { name: 'nginx', advice: 'nginx refused the request itself: set error_page to a JSON Error' },
  other: {
    name: 'a framework or web server',
    advice: 'replace its default error handler by one that writes the Error as JSON',
  },
};

const errorMembers: Readonly<Record<string, string>> = {
  code: 'a string',
  message: 'a string',
  status: 'an integer',
};

/** A bug in a sentence. */
export const bugText = (bug: LikelyBug): string => {
  switch (bug.bug) {
    case 'default-error-response': {
      const { name, advice } = frameworks[bug.framework];
      return `The ${bug.status} is the default error response of ${name}: ${advice}.`;
    }
    case 'name-changed':
      return `The name is ${nameChanges[bug.change]}: store and return it exactly as sent.`;
    case 'headers-never-sent':
      return `Responses lack ${bug.names.join(', ')}: add them to every response in one place, errors included.`;
    case 'errors-of-another-shape':
      return `Error bodies need ${bug.names.map((name) => `${name} (${errorMembers[name] ?? 'see the schema'})`).join(', ')} in every 400, 401, and 404.`;
    case 'media-type-never-sent':
      return `Responses have ${bug.actual}: set Content-Type: application/json in one place, errors included.`;
    case 'prints-errors':
      return `PHP prints errors into responses (${bug.error}): fix them, and turn display_errors off.`;
    case 'another-client-error':
      return `${bug.operation} rejects invalid bodies with ${bug.status}: return 400.`;
    case 'another-success':
      return `${bug.operation} returns ${bug.status} for a created animal: return 201.`;
    default:
      return simpleBugs[bug.bug];
  }
};
