import { expect, test } from 'vitest';
import { printedError } from '../../src/report/error-bodies.ts';
import { frameworkOf } from '../../src/report/frameworks.ts';
import { likelyBug } from '../../src/report/likely-bugs.ts';
import { faultNamed } from '../support/faults.ts';
import { outcomeWith, resultOf } from '../support/run-in-words.ts';

/** The likely bug that a run reports for the requirement of a fault. */
const likelyBugs = async (name: string) => {
  const { requirement } = faultNamed(name);
  const outcome = await outcomeWith([name], { only: [requirement, 'GET-1'] });
  const result = resultOf(outcome, requirement);
  return (result?.failures ?? []).map(
    (failure) => result && likelyBug(result, failure, outcome.requirements)?.text,
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
])('%s -> the report names the likely bug', async (name, sentence) => {
  expect(await likelyBugs(name)).toContainEqual(expect.stringMatching(sentence));
});

test.each([
  [
    'Express',
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot GET /v1/x</pre>',
  ],
  [
    'Fastify or NestJS',
    '{"statusCode":400,"code":"FST_ERR_CTP_INVALID_JSON_BODY","error":"Bad Request","message":"…"}',
  ],
  [
    'Spring Boot',
    '{"timestamp":"2026-06-01T12:00:00.000+00:00","status":404,"error":"Not Found","path":"/v1/x"}',
  ],
  ['FastAPI, Starlette, or Django REST framework', '{"detail":"Not Found"}'],
  ["Go's net/http", '404 page not found\n'],
  [
    'nginx',
    '<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n<hr><center>nginx</center>',
  ],
  ['Spring Boot', '<html><body><h1>Whitelabel Error Page</h1><p>This application has no explicit mapping'],
  [
    'FastAPI, Starlette, or Django REST framework',
    '{"detail":[{"type":"missing","loc":["body","name"],"msg":"Field required"}]}',
  ],
  [
    'ASP.NET Core (ProblemDetails)',
    '{"type":"https://tools.ietf.org/html/rfc9110#section-15.5.5","title":"Not Found","status":404,"traceId":"00-ab"}',
  ],
  [
    'a framework with Problem Details (ASP.NET Core, Spring, Symfony)',
    '{"type":"https://tools.ietf.org/html/rfc9110#section-15.5.5","title":"Not Found","status":404}',
  ],
  [
    'a framework with Problem Details (ASP.NET Core, Spring, Symfony)',
    '{"detail":"Failed to read request","instance":"/v1/pets","status":400,"title":"Bad Request"}',
  ],
  [
    'Django',
    '<!doctype html>\n<html lang="en">\n<head>\n</head>\n<body>\n  <h1>Server Error (500)</h1><p></p>',
  ],
  [
    'Django',
    '<p>You’re seeing this error because you have <code>DEBUG = True</code> in your Django settings file.',
  ],
  ['Rails', '{"status":404,"error":"Not Found"}'],
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
});

test('a megabyte that begins like errors again and again -> read in time', () => {
  const body = 'Warning: x in a/'.repeat(60_000);
  expect(printedError({ response: { status: 500, headers: {}, body } })).toBeNull();
  expect(frameworkOf('<title>Error</title>'.repeat(50_000))).toMatchObject({
    name: 'a framework or web server',
  });
});
