/** How a returned name differs from the one sent. */
const nameChanges = {
  trimmed: 'trimmed',
  'lower-case': 'changed to lower case',
  'upper-case': 'changed to upper case',
  normalized: 'normalized (Unicode)',
  cut: 'cut',
  'html-escaped': 'escaped for HTML',
};

export type NameChange = keyof typeof nameChanges;

interface Framework {
  readonly name: string;
  /** What to write so that errors have the shape of the interface. */
  readonly advice: string;
}

/** Frameworks and web servers; `other` has a page of HTML. */
const frameworks = {
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
} satisfies Readonly<Record<string, Framework>>;

export type FrameworkName = keyof typeof frameworks;

const errorMembers: Readonly<Record<string, string>> = {
  code: 'a string',
  message: 'a string',
  status: 'an integer',
};

/** Common bugs of servers, each in a sentence. */
export const bugs = {
  idFromRequest:
    'The server used the id from the request body: write { ...body, id: newId }, not { id: newId, ...body }.',
  bodyBeforeKey:
    'The body is parsed or checked before the key: check the key first, before the body parser runs.',
  parametersBeforeKey: 'The path or query is checked before the key: check the key first.',
  integerThroughDouble:
    'Integers above 2^53 lose digits, because they pass through a double: parse and write JSON with 64-bit integers.',
  integerCutTo32Bits: 'categoryId is cut to 32 bits: use a 64-bit type in code and database.',
  filterAfterPaging:
    'Only lists with status lack animals: filter by status before the page is cut (WHERE before LIMIT).',
  oneTooMany: 'The page has exactly one animal too many: off by one, or one is read ahead and not removed.',
  exclusiveBound: 'The bounds of limit are inclusive: 1 and 100 are valid.',
  boundTooWide: 'limit is not held to 1 to 100: refuse other values, or return at most 100 animals for them.',
  limitOfAddress: 'Requests are counted by client address, or for all keys together: count them by API key.',
  notStored:
    'Neither the list nor getPet shows an animal of this run: createPet returns 201, but does not store the animal.',
  staleCopy:
    'The list shows no animal of this run: animals are not stored, or lists come from a copy (replica, cache, other instance) that gets them more than 2 s late or never.',
  nullStatus: 'status is null: leave it out if the request has none, or return a default.',
  indexedList:
    'The list is an object with indexes as names: write an array (PHP: array_values before json_encode).',
  defaultErrorResponse: (status: number, framework: FrameworkName): string => {
    const { name, advice } = frameworks[framework];
    return `The ${status} is the default error response of ${name}: ${advice}.`;
  },
  nameChanged: (change: NameChange): string =>
    `The name is ${nameChanges[change]}: store and return it exactly as sent.`,
  headersNeverSent: (names: readonly string[]): string =>
    `Responses lack ${names.join(', ')}: add them to every response in one place, errors included.`,
  errorsOfAnotherShape: (names: readonly string[]): string =>
    `Error bodies need ${names.map((name) => `${name} (${errorMembers[name] ?? 'see the schema'})`).join(', ')} in every 400, 401, and 404.`,
  mediaTypeNeverSent: (actual: string): string =>
    `Responses have ${actual}: set Content-Type: application/json in one place, errors included.`,
  printsErrors: (error: string): string =>
    `PHP prints errors into responses (${error}): fix them, and turn display_errors off.`,
  anotherClientError: (operation: string, status: number): string =>
    `${operation} rejects invalid bodies with ${status}: return 400.`,
  anotherSuccess: (operation: string, status: number): string =>
    `${operation} returns ${status} for a created animal: return 201.`,
};
