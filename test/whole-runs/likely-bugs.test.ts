import { expect, test } from 'vitest';
import { printedError } from '../../src/report/error-bodies.ts';
import { frameworkOf } from '../../src/report/frameworks.ts';
import { likelyBug } from '../../src/report/likely-bugs.ts';
import { faultNamed } from '../support/faults.ts';
import { outcomeWith } from '../support/run-in-words.ts';

/** The likely bug that a run reports for the requirement of a fault. */
const likelyBugs = async (name: string) => {
  const { requirement } = faultNamed(name);
  const only = [requirement, 'GET-1', 'CREATE-2', 'CREATE-3', 'CREATE-10', 'AUTH-1', 'AUTH-2'];
  const outcome = await outcomeWith([name], { only });
  return outcome.requirements.flatMap((result) =>
    result.failures.map((failure) => likelyBug(result, failure, outcome)?.text),
  );
};

test.each([
  ['status-filtered-after-paging', /filter by status before the page is cut/],
  ['limit-of-one-hundred-refused', /bounds of limit are inclusive/],
  ['created-with-200', /createPet returns 200 for a created animal: return 201/],
  ['limit-of-one-refused', /bounds of limit are inclusive/],
  ['creations-never-stored', /does not store the animal/],
  ['list-from-a-snapshot', /lists come from a copy/],
  ['lists-cached-for-a-minute', /lists come from a copy/],
  ['names-lower-cased', /changed to lower case/],
  ['names-html-escaped', /escaped for HTML/],
  ['category-through-a-double', /pass through a double/],
  ['category-wraps-at-32-bits', /cut to 32 bits/],
  ['id-in-the-body-replaces', /used the id from the request/],
  ['collection-redirected-to-a-slash', /ends in a slash here: \/v1\/pets leads to \/v1\/pets\//],
  ['collection-moved-to-a-slash', /ends in a slash here/],
  ['list-in-pages-of-results', /wrapped in an object, in its member "results"/],
  ['list-in-pages-of-content', /wrapped in an object, in its member "content"/],
  ['pages-of-results-and-pages-for-browsers', /in its member "results"/],
  ['pages-of-results-and-pages-for-browsers', /Accept prefers text\/html/],
  ['wrong-keys-forbidden', /without a valid key get 403/],
  ['missing-key-forbidden', /without a key get 403/],
  ['invalid-key-forbidden', /with an invalid key get 403/],
  ['reset-as-seconds-left', /has the seconds left/],
  ['reset-as-milliseconds-left', /has the milliseconds left/],
  ['reset-in-milliseconds', /Unix time in milliseconds/],
  ['remaining-after-one', /X-RateLimit-Remaining stays \d+: the counter does not count/],
  ['no-rate-headers', /Responses lack X-RateLimit-Limit.* every response/],
  ['no-rate-headers-on-401', /Missing on every 401 \(authentication\): X-RateLimit-Limit/],
  [
    'no-rate-headers-outside-of-handlers',
    /every 401 \(authentication\), some 400 of createPet \(body parser\)/,
  ],
  ['null-body-shows-its-exception', /server error \(500\): TypeError: 'NoneType'/],
  ['body-validated-before-the-key', /body is parsed or checked before the key/],
  ['accept-of-creations-judged-before-the-key', /content negotiation/],
  ['errors-as-detail', /^The 401 and 404 are default error responses of/],
])('%s -> the report names the likely bug', async (name, sentence) => {
  expect(await likelyBugs(name)).toContainEqual(expect.stringMatching(sentence));
});

test.each([
  ['ids-all-the-same', /id from the request/],
  ['ids-from-the-second', /id from the request/],
  ['ids-through-a-double', /id from the request/],
  ['long-names-not-listed', /before the page is cut/],
  ['last-lost-where-the-limit-is-just-reached', /before the page is cut/],
  ['dollar-patterns-filled', /The name is cut/],
  ['accept-of-creations-judged-before-the-key', /body is parsed/],
  ['no-rate-headers-on-401', /every response/],
])('%s -> the report names no bug that is not there', async (name, sentence) => {
  const bugs = await likelyBugs(name);
  expect(bugs).not.toEqual([]);
  expect(bugs).not.toContainEqual(expect.stringMatching(sentence));
});

test.each([
  [
    'Express',
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot GET /v1/x</pre>',
  ],
  [
    'Fastify',
    '{"statusCode":400,"code":"FST_ERR_CTP_INVALID_JSON_BODY","error":"Bad Request","message":"…"}',
  ],
  [
    'Spring Boot',
    '{"timestamp":"2026-06-01T12:00:00.000+00:00","status":404,"error":"Not Found","path":"/v1/x"}',
  ],
  ['Fastify', '{"message":"Route GET:/v1/x not found","error":"Not Found","statusCode":404}'],
  ['NestJS', '{"message":"Cannot GET /v1/x","error":"Not Found","statusCode":404}'],
  ['NestJS', '{"message":["name must be a string"],"error":"Bad Request","statusCode":400}'],
  ['NestJS', '{"statusCode":401,"message":"Unauthorized"}'],
  ['Fastify, NestJS, or hapi', '{"statusCode":404,"error":"Not Found","message":"Not Found"}'],
  ['FastAPI', '{"detail":"Not Found"}'],
  ['Django REST framework', '{"detail":"Authentication credentials were not provided."}'],
  ['Django REST framework', '{"name":["This field is required."]}'],
  ['FastAPI, Starlette, or Django REST framework', '{"detail":"No such animal"}'],
  ["Go's net/http", '404 page not found\n'],
  [
    'nginx',
    '<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n<hr><center>nginx</center>',
  ],
  ['Spring Boot', '<html><body><h1>Whitelabel Error Page</h1><p>This application has no explicit mapping'],
  ['FastAPI', '{"detail":[{"type":"missing","loc":["body","name"],"msg":"Field required"}]}'],
  [
    'ASP.NET Core (ProblemDetails)',
    '{"type":"https://tools.ietf.org/html/rfc9110#section-15.5.5","title":"Not Found","status":404,"traceId":"00-ab"}',
  ],
  [
    'ASP.NET Core (ProblemDetails)',
    '{"type":"https://tools.ietf.org/html/rfc9110#section-15.5.5","title":"Not Found","status":404}',
  ],
  [
    'Spring (Problem Details)',
    '{"detail":"Failed to read request","instance":"/v1/pets","status":400,"title":"Bad Request"}',
  ],
  [
    'Symfony (Problem Details)',
    '{"type":"https:\\/\\/tools.ietf.org\\/html\\/rfc2616#section-10","title":"An error occurred","status":404}',
  ],
  ['a framework with Problem Details', '{"type":"about:blank","title":"Not Found","status":404}'],
  [
    'Django',
    '<!doctype html>\n<html lang="en">\n<head>\n</head>\n<body>\n  <h1>Server Error (500)</h1><p></p>',
  ],
  [
    'Django with DEBUG = True',
    '<p>You’re seeing this error because you have <code>DEBUG = True</code> in your Django settings file.',
  ],
  ['Rails', '{"status":404,"error":"Not Found"}'],
  [
    'Rails in development',
    '{"status":404,"error":"Not Found","exception":"#<ActiveRecord::RecordNotFound: …>","traces":{}}',
  ],
  [
    'Rails in development',
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<title>Action Controller: Exception caught</title>',
  ],
  ['hapi', '{"statusCode":400,"error":"Bad Request","message":"Invalid request query input"}'],
  ['Rails', '<!doctype html>\n<title>The page you were looking for doesn’t exist (404 Not found)</title>'],
  ['Rails', "<!DOCTYPE html>\n<html>\n<head>\n  <title>We're sorry, but something went wrong (500)</title>"],
  ['Laravel', '{"message":"The name field is required.","errors":{"name":["The name field is required."]}}'],
  ['Laravel', '{"message":"The route v1\\/x could not be found."}'],
  ['Laravel', '<!DOCTYPE html>\n<title>Not Found</title>\n<body class="antialiased">'],
  ['a framework or web server', '404 Not Found'],
  ['Flask (Werkzeug)', '<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>'],
])('the default error response of %s -> recognized', (name, body) => {
  expect(frameworkOf(body)?.name).toBe(name);
});

test('an Error of the interface -> no framework', () => {
  expect(frameworkOf('{"code":"not_found","message":"No such animal.","status":404}')).toBe(null);
  expect(frameworkOf('{"message":"No such animal."}')).toBe(null);
  expect(frameworkOf('{"error":{"code":"not_found","message":"No such animal."},"status":404}')).toBe(null);
  expect(frameworkOf('{"status":404,"error":{"code":"not_found","message":"No such animal."}}')).toBe(null);
});

test('a megabyte that begins like errors again and again -> read in time', () => {
  const body = 'Warning: x in a/'.repeat(60_000);
  expect(printedError({ response: { status: 500, headers: {}, body } })).toBeNull();
  expect(frameworkOf('<title>Error</title>'.repeat(50_000))).toMatchObject({
    name: 'a framework or web server',
  });
});
