import { expect, test } from 'vitest';
import { exchangeOf } from '../../../test/support/judging.ts';
import { createPetOf, listPets } from '../../check/requests.ts';
import { noCredential } from '../../http/credentials.ts';
import { causeOf } from '../../oracle/cause.ts';
import type { Breach } from '../../oracle/finding.ts';
import type { Problem } from '../../oracle/problem.ts';
import type { BrokenBody } from '../../oracle/problems/body.ts';
import { describe } from './problems.ts';

const probe = listPets({ limit: 5 });
const rex = { id: 7n, name: 'Rex', categoryId: 1n, status: 'sold' };
const max = { id: 7n, name: 'Max', categoryId: 1n };
const long = '\u{1f408}"'.repeat(200);
const broken: BrokenBody = {
  why: 'expected a value, got "]"',
  character: 4,
  start: '[1,]',
  near: '[1,]',
  at: 3,
};
const htmlPage: BrokenBody = {
  why: 'expected a value, got "<"',
  character: 1,
  start: '<h1>Oops</h1>',
  near: '<h1>Oops</h1>',
  at: 0,
};
/** A breach by a response with the wrong status, if the status is what is wrong. */
const breachOf = (problem: Problem): Breach => {
  const exchange = exchangeOf(probe, { status: causeOf(problem).wrongStatus ?? 200 });
  return { kind: 'breach', requirement: 'GEN-1', problem, exchange, probe };
};

/** Each kind of problem with its sentences. */
const sentences: readonly (readonly [problem: Problem, message: string, expected: string, actual: string])[] =
  [
    [
      { rule: 'status', allowed: [200, '4xx'], because: 'the limit is valid', wrongStatus: 302 },
      'GET /pets with limit=5: expected 200 or 4xx (the limit is valid), got 302',
      'status 200 or 4xx',
      'status 302',
    ],
    [
      { rule: 'server-error', wrongStatus: 500 },
      'GET /pets with limit=5: server error (500)',
      'status below 500, whatever the request is',
      'status 500',
    ],
    [
      { rule: 'undocumented-status', operation: 'listPets', documented: ['200', '400'], wrongStatus: 418 },
      'GET /pets with limit=5: expected a status that the document gives for listPets (200, 400), got 418',
      'status 200 or 400',
      'status 418',
    ],
    [
      { rule: 'no-response', failure: 'reset', detail: 'the server closed the connection' },
      'GET /pets with limit=5: expected a response, got none: the connection was dropped',
      'a response',
      'the server closed the connection',
    ],
    [
      { rule: 'limit-rejected', limit: 100, filter: 'sold', wrongStatus: 400 },
      'GET /pets with status=sold and limit=100: expected 200 (as without limit), got 400',
      'status 200, as without limit',
      'status 400',
    ],
    [
      { rule: 'scheme-case-sensitive', wrongStatus: 401 },
      'GET /pets with "Authorization: bearer <key>": expected 200, got 401. Scheme names are case-insensitive (RFC 9110 11.1)',
      'the same response as with "Bearer"',
      'status 401',
    ],
    [
      { rule: 'operation-missing', wrongStatus: 404 },
      'GET /store/orders with a valid key: expected the operation to exist, got 404',
      'any status except 404, 405, and server errors (5xx)',
      'status 404',
    ],
    [
      { rule: 'removed-too-early', wrongStatus: 410 },
      'GET /pets/{petId}: expected 200 until 5 December 2030, got 410',
      'status 200 for an existing id, until 5 December 2030',
      'status 410',
    ],
    [
      { rule: 'removed-too-early', statuses: [404, 404, 410], wrongStatus: 410 },
      'GET /pets/{petId} with 3 existing ids: expected 200 until 5 December 2030, got 404 or 410',
      'status 200 for an existing id, until 5 December 2030',
      'status 404, 410',
    ],
    [
      { rule: 'not-served', id: 7n, known: 'own', wrongStatus: 404 },
      'GET /pets/7: expected 200 with the created animal, got 404',
      'status 200 with the animal',
      'status 404',
    ],
    [
      { rule: 'not-served', id: 7n, known: 'created', input: 'an unknown field', wrongStatus: 404 },
      'GET /pets/7: expected the animal that was created with an unknown field, got 404',
      'status 200 with that animal',
      'status 404',
    ],
    [
      { rule: 'not-served', id: 7n, known: 'listed', wrongStatus: 404 },
      'GET /pets/7: expected the animal that was listed, got 404',
      'status 200 with that animal',
      'status 404',
    ],
    [
      { rule: 'not-served', id: 7n, known: 'requested', wrongStatus: 404 },
      'GET /pets/7: expected the animal that was created after a request for its id, got 404',
      'status 200 with that animal',
      'status 404',
    ],
    [
      { rule: 'body-left-unread', creation: 'in chunks', rejectedWith: 411, wrongStatus: 400 },
      'GET /pets after POST /pets in chunks (411) on the same connection: expected 200, got 400. The unread body of the POST is parsed as the next request',
      'status 200 as on a separate connection, or the connection closed after the rejection',
      'status 400',
    ],
    [
      { rule: 'empty-body', types: null },
      '200 GET /pets with limit=5: expected a JSON body, got an empty body',
      'a JSON body',
      'an empty body',
    ],
    [
      { rule: 'empty-body', types: ['application/json', 'text/json'] },
      '200 GET /pets with limit=5: expected a body of application/json or text/json, got an empty body',
      'a body of application/json or text/json',
      'an empty body',
    ],
    [
      { rule: 'media-type', types: null, mediaType: 'text/plain', contentType: 'text/plain; a=b' },
      '200 GET /pets with limit=5: expected Content-Type application/json, got text/plain',
      'Content-Type: application/json',
      'Content-Type: text/plain; a=b',
    ],
    [
      { rule: 'media-type', types: ['application/json'], mediaType: null, contentType: '' },
      '200 GET /pets with limit=5: expected application/json, got no Content-Type',
      'Content-Type: application/json',
      'no Content-Type',
    ],
    [
      { rule: 'unreadable-body', as: 'json', body: broken },
      '200 GET /pets with limit=5: body is not JSON: expected a value, got "]" at character 4: [1,]',
      'a JSON text (RFC 8259)',
      '[1,]',
    ],
    [
      {
        rule: 'unreadable-body',
        as: 'page',
        body: htmlPage,
        mediaType: 'text/html',
        contentType: 'text/html',
      },
      '200 GET /pets with limit=5: expected application/json, got HTML',
      'Content-Type: application/json, and a JSON text',
      'Content-Type: text/html\n<h1>Oops</h1>',
    ],
    [
      { rule: 'unreadable-body', as: 'page', body: htmlPage, mediaType: null, contentType: '' },
      '200 GET /pets with limit=5: expected application/json, got no Content-Type and a body that is not JSON',
      'Content-Type: application/json, and a JSON text',
      'no Content-Type\n<h1>Oops</h1>',
    ],
    [
      {
        rule: 'unreadable-body',
        as: 'page',
        body: htmlPage,
        mediaType: 'text/plain',
        contentType: 'text/plain',
      },
      '200 GET /pets with limit=5: expected application/json, got text/plain',
      'Content-Type: application/json, and a JSON text',
      'Content-Type: text/plain\n<h1>Oops</h1>',
    ],
    [
      { rule: 'unreadable-body', as: 'error', body: broken },
      '200 GET /pets with limit=5: expected an Error, got broken JSON: expected a value, got "]" at character 4: [1,]',
      'a JSON object with code, message and status',
      '[1,]',
    ],
    [
      { rule: 'unreadable-body', as: 'documented', body: htmlPage },
      '200 GET /pets with limit=5: expected a JSON body, got a body that is not JSON',
      'the documented JSON body',
      '<h1>Oops</h1>',
    ],
    [
      { rule: 'no-error-body', body: null },
      '200 GET /pets with limit=5: expected an Error, got an empty body',
      'a JSON object with code, message and status',
      'an empty body',
    ],
    [
      {
        rule: 'schema',
        mistakes: [{ pointer: '/1/id', keyword: 'type', member: 'id', expected: 'an int64', actual: '"x"' }],
        items: 3,
      },
      '200 GET /pets with limit=5: body does not match the schema: item 2 of 3, id is "x", expected an int64',
      'item 2 of 3, id: an int64',
      'item 2 of 3, id: "x"',
    ],
    [
      { rule: 'error-status-differs', inBody: 500n, status: 400 },
      '200 GET /pets with limit=5: the Error has status 500, expected 400',
      '"status": 400',
      '"status": 500',
    ],
    [
      { rule: 'error-with-200', body: '{"code":"a"}' },
      'GET /pets with limit=5: expected an array of animals or a 4xx, got 200 with an Error',
      'an array of animals, or a 4xx',
      '{"code":"a"}',
    ],
    [
      { rule: 'id-not-int64', id: '7' },
      '200 GET /pets with limit=5: expected an int64 as id, got "7"',
      '"id": an int64',
      '"id": "7"',
    ],
    [
      { rule: 'id-reused', by: 'listed', id: 7n },
      'GET /pets with limit=5: the new animal got id 7, which another animal in the list has',
      'an id that no other animal has',
      '"id":7',
    ],
    [
      { rule: 'id-reused', by: 'earlier creation', id: 7n },
      'GET /pets with limit=5: the new animal got id 7, which is already in use',
      'an id that no other animal has',
      '"id":7',
    ],
    [
      { rule: 'id-reused', by: 'concurrent creation', id: 7n },
      'GET /pets with limit=5: the new animal got id 7, which another creation got at the same time',
      'an id that no other animal has',
      '"id":7',
    ],
    [
      { rule: 'id-reused', by: 'batch', id: 7n, ids: [6n, 7n, 7n] },
      'POST /pets, 3 at the same time: expected unique ids, got id 7 twice',
      'a unique id for each animal',
      '6, 7, 7',
    ],
    [
      { rule: 'member-differs', in: 'creation', member: 'name', sent: 'Rex', got: 'Max', isOther: true },
      'GET /pets with limit=5: name came back different. The response is the animal of another request',
      '"name": "Rex"',
      '"name": "Max"',
    ],
    [
      {
        rule: 'member-differs',
        in: 'creation',
        member: 'name',
        sent: long,
        got: long.slice(0, 255 * 1.5),
        isOther: false,
      },
      'GET /pets with limit=5: name came back different: cut after 255 characters',
      '"name": …🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"… (400 characters, alike before)',
      '"name": …🐈\\"🐈\\"🐈\\"🐈\\"🐈\\"\\ud83d" (255 characters, alike before)',
    ],
    [
      { rule: 'member-differs', in: 'creation', member: 'name', sent: 'Rex 🐈', got: 'Rex ', isOther: false },
      'GET /pets with limit=5: name came back different: the end "🐈" is missing',
      '"name": "Rex 🐈"',
      '"name": "Rex "',
    ],
    [
      { rule: 'member-differs', in: 'creation', member: 'name', sent: 'Rex', got: undefined, isOther: false },
      'GET /pets with limit=5: name is missing in the response',
      '"name": "Rex"',
      '"name": absent',
    ],
    [
      { rule: 'member-differs', in: 'creation', member: 'status', sent: 'sold', got: 1n, isOther: false },
      'GET /pets with limit=5: status came back different',
      '"status": "sold"',
      '"status": 1',
    ],
    [
      {
        rule: 'member-differs',
        in: 'creation',
        member: 'categoryId',
        sent: 9007199254740993n,
        got: '9007199254740993',
        isOther: false,
      },
      'GET /pets with limit=5: categoryId came back as a string',
      '"categoryId": 9007199254740993',
      '"categoryId": "9007199254740993"',
    ],
    [
      {
        rule: 'member-differs',
        in: 'creation',
        member: 'categoryId',
        sent: 9007199254740993n,
        got: 9007199254740992n,
        isOther: false,
      },
      'GET /pets with limit=5: categoryId 9007199254740993 came back as 9007199254740992 (integer precision lost above 2^53)',
      '"categoryId": 9007199254740993',
      '"categoryId": 9007199254740992',
    ],
    [
      { rule: 'member-differs', in: 'categoryId', id: 7n, sent: 9007199254740993n, got: 9007199254740992n },
      'GET /pets/7: expected categoryId 9007199254740993, got 9007199254740992 (integer precision lost above 2^53)',
      '"categoryId":9007199254740993',
      '"categoryId":9007199254740992',
    ],
    [
      { rule: 'member-differs', in: 'categoryId', id: null, sent: 3n, got: 4n },
      'GET /pets after a creation: expected categoryId 3, got 4',
      '"categoryId":3',
      '"categoryId":4',
    ],
    [
      { rule: 'member-differs', in: 'list', member: 'name', id: 7n, was: rex, is: max },
      'GET /pets with limit=5 shows animal 7 differently than POST returned it: its name differs',
      '{"id":7,"name":"Rex","categoryId":1,"status":"sold"}',
      '{"id":7,"name":"Max","categoryId":1}',
    ],
    [
      { rule: 'member-differs', in: 'list after creation', member: 'status', id: 7n, was: rex, is: max },
      'GET /pets right after the creation of animal 7: expected the status that POST returned, got another (its status is missing)',
      '{"id":7,"name":"Rex","categoryId":1,"status":"sold"}',
      '{"id":7,"name":"Max","categoryId":1}',
    ],
    [
      { rule: 'member-differs', in: 'get', member: 'name', id: 7n, was: rex, is: max },
      'GET /pets/7 returns the animal differently than POST returned it: its name differs',
      '{"id":7,"name":"Rex","categoryId":1,"status":"sold"}',
      '{"id":7,"name":"Max","categoryId":1}',
    ],
    [
      { rule: 'member-differs', in: 'get as created', member: 'name', id: 7n, was: rex, is: max },
      'GET /pets/7: expected the animal as created, got another name (its name differs)',
      '{"id":7,"name":"Rex","categoryId":1,"status":"sold"}',
      '{"id":7,"name":"Max","categoryId":1}',
    ],
    [
      { rule: 'member-differs', in: 'get as listed', member: 'name', id: 7n, was: rex, is: max },
      'GET /pets/7: expected the animal as listed, got another name (its name differs)',
      '{"id":7,"name":"Rex","categoryId":1,"status":"sold"}',
      '{"id":7,"name":"Max","categoryId":1}',
    ],
    [
      { rule: 'member-differs', in: 'get after other requests', member: 'name', id: 7n, was: rex, is: max },
      'GET /pets/7 after other requests: expected the animal as created, got another name (its name differs)',
      '{"id":7,"name":"Rex","categoryId":1,"status":"sold"}',
      '{"id":7,"name":"Max","categoryId":1}',
    ],
    [
      { rule: 'status-when-omitted', allowed: ['available', 'sold'], got: null },
      'GET /pets with limit=5: expected no status or one of available, sold, got null',
      'no status, or one of available, sold',
      '"status": null',
    ],
    [
      { rule: 'id-from-request', input: 'a small id', id: 777n },
      'POST /pets with a small id: expected an id from the server, got the id from the request (777)',
      'an id assigned by the server, or 400',
      '"id":777',
    ],
    [
      { rule: 'animal-replaced', id: 7n, isGone: false, was: rex, is: max },
      'POST /pets with the id of animal 7: expected animal 7 unchanged, got it changed',
      '{"id":7,"name":"Rex","categoryId":1,"status":"sold"}',
      '{"id":7,"name":"Max","categoryId":1,"status":null}',
    ],
    [
      { rule: 'animal-replaced', id: 7n, isGone: true, was: rex, is: null },
      'POST /pets with the id of animal 7: expected animal 7 unchanged, got it removed',
      '{"id":7,"name":"Rex","categoryId":1,"status":"sold"}',
      'no animal with that id',
    ],
    [
      { rule: 'wrong-animal', asked: 8n, got: 7n, isConcurrent: false },
      'GET /pets/8: expected 404, got animal 7',
      'status 404, or animal 8',
      'animal 7',
    ],
    [
      { rule: 'wrong-animal', asked: 8n, got: 7n, isConcurrent: true },
      'GET /pets/8 with concurrent requests: expected animal 8, got animal 7',
      'animal 8',
      'animal 7',
    ],
    [
      { rule: 'too-many-items', most: 1, why: 'limit', count: 2, isCut: false },
      'GET /pets with limit=5: expected at most 1 animal (limit=1), got 2',
      'at most 1 animal',
      '2 animals',
    ],
    [
      { rule: 'too-many-items', most: 20, why: 'default', count: 21, isCut: false },
      'GET /pets with limit=5: expected at most 20 animals (the default limit), got 21',
      'at most 20 animals',
      '21 animals',
    ],
    [
      { rule: 'too-many-items', most: 100, why: 'maximum', count: 101, isCut: true },
      'GET /pets with limit=5: expected at most 100 animals (the maximum), got 101',
      'at most 100 animals',
      'at least 101 animals',
    ],
    [
      { rule: 'wrong-filter', status: 'sold', others: 2, count: 3, example: rex },
      'GET /pets with limit=5: expected only status sold, got another status in 2 of 3 animals',
      '"status":"sold" in every animal',
      '{"id":7,"name":"Rex","categoryId":1,"status":"sold"}',
    ],
    [
      { rule: 'duplicate-id', id: 4n, items: [2, 3], count: 7, others: [3n, 2n] },
      'GET /pets with limit=5: animal 4 appears twice (items 2 and 3 of 7, and 2 more: 3, 2)',
      'every id once',
      'id 4 in items 2 and 3 of 7',
    ],
    [
      { rule: 'stored-after-refusal', status: 401, knownBy: 'name', animal: rex },
      'GET /pets with limit=5 was refused with 401, but its animal was stored',
      'no animal in the list with the name "Rex" of a creation that was refused',
      '{"id":7,"name":"Rex","categoryId":1,"status":"sold"}',
    ],
    [
      { rule: 'stored-after-refusal', status: 400, knownBy: 'categoryId', animal: rex },
      'GET /pets with limit=5 was refused with 400, but its animal was stored',
      'no animal in the list with the categoryId 1 of a creation that was refused',
      '{"id":7,"name":"Rex","categoryId":1,"status":"sold"}',
    ],
    [
      {
        rule: 'missing-from-list',
        in: 'page',
        wanted: [{ id: 7n, at: 0 }],
        listed: [],
        most: 20,
        status: null,
      },
      'The list is not a full page, but the animal that this run created is missing',
      'the animal that this run created (id 7), or a full page of 20',
      '0 animals, missing id 7',
    ],
    [
      { rule: 'missing-from-list', in: 'list after creation', list: {}, id: 7n, count: 1 },
      'GET /pets: expected the created animal 7, got 1 animal without it (the page is not full)',
      'animal 7 in the list',
      '1 animal without it',
    ],
    [
      { rule: 'missing-from-list', in: 'list after creation', list: { page: 'default' }, id: 7n, count: 0 },
      'GET /pets without parameters: expected the created animal 7, got 0 animals without it (the page is not full)',
      'animal 7 in the list',
      '0 animals without it',
    ],
    [
      {
        rule: 'missing-from-list',
        in: 'list between',
        list: { status: 'sold' },
        shownBy: 'listPets',
        id: 7n,
        count: 2,
      },
      'GET /pets with status=sold: expected animal 7, got 2 animals without it. GET /pets shows it with status sold before and after',
      'animal 7 in the list',
      '2 animals without it',
    ],
    [
      {
        rule: 'missing-from-list',
        in: 'list of large integers',
        list: { status: 'sold' },
        id: 7n,
        categoryId: 9n,
        count: 2,
      },
      'GET /pets with status=sold: expected the created animal 7 (categoryId 9), got 2 animals without it (the page is not full)',
      'animal 7 in the list',
      '2 animals without it',
    ],
    [
      {
        rule: 'missing-from-list',
        in: 'list of exact limit',
        list: { status: 'sold' },
        id: 7n,
        wanted: 3,
        count: 2,
      },
      'GET /pets with status=sold and limit=3: expected all 3 animals, got 2 animals without animal 7',
      '3 animals',
      '2 animals without 7',
    ],
    [
      { rule: 'lists-disagree', status: 'sold', in: 'filtered', missing: [7n, 8n], count: 2 },
      'GET /pets with status=sold: expected animal 7 (status sold), got 2 animals without it. GET /pets lists it, and the page is not full',
      'animal 7 in GET /pets with status=sold',
      '2 animals without 7, 8',
    ],
    [
      { rule: 'lists-disagree', status: 'sold', in: 'plain', missing: [7n], count: 2 },
      'GET /pets: expected animal 7 (status sold), got 2 animals without it. GET /pets with status=sold lists it, and the page is not full',
      'animal 7 in GET /pets',
      '2 animals without 7',
    ],
    [
      { rule: 'header-missing', of: 'challenge' },
      '200 GET /pets with limit=5: no WWW-Authenticate header',
      'WWW-Authenticate: Bearer',
      'no WWW-Authenticate',
    ],
    [
      { rule: 'header-missing', of: 'Retry-After' },
      '200 GET /pets with limit=5: no Retry-After',
      'Retry-After: whole seconds, or an HTTP-date (RFC 9110, 10.2.3)',
      'no Retry-After',
    ],
    [
      { rule: 'header-missing', of: 'document', name: 'ETag' },
      'Missing on 200 GET /pets with limit=5: ETag',
      'ETag',
      'no ETag',
    ],
    [
      {
        rule: 'header-missing',
        of: 'rate limit',
        missing: ['A'],
        wanted: ['A', 'B'],
        misnamed: ['C', 'D'],
        status: 200,
      },
      'Missing on 200 GET /pets with limit=5: A',
      'A, B',
      'no A, but C, D',
    ],
    [
      { rule: 'header-malformed', of: 'challenge', value: '"x"', hasScheme: false },
      '200 GET /pets with limit=5: WWW-Authenticate: "x" without a scheme',
      'WWW-Authenticate: Bearer',
      'WWW-Authenticate: "x"',
    ],
    [
      { rule: 'header-malformed', of: 'challenge', value: 'Basic', hasScheme: true },
      '200 GET /pets with limit=5: WWW-Authenticate: Basic, although the key is a bearer token',
      'WWW-Authenticate: Bearer',
      'WWW-Authenticate: Basic',
    ],
    [
      { rule: 'header-malformed', of: 'Retry-After', value: 'soon' },
      '200 GET /pets with limit=5: Retry-After gives no time',
      'Retry-After: whole seconds, or an HTTP-date (RFC 9110, 10.2.3)',
      'Retry-After: soon',
    ],
    [
      { rule: 'header-malformed', of: 'X-RateLimit-Limit', value: '1.5' },
      '200 GET /pets with limit=5: X-RateLimit-Limit is not a whole number',
      'X-RateLimit-Limit: a whole number, at least 1',
      'X-RateLimit-Limit: 1.5',
    ],
    [
      { rule: 'header-malformed', of: 'X-RateLimit-Remaining', value: '-1' },
      '200 GET /pets with limit=5: X-RateLimit-Remaining is negative',
      'X-RateLimit-Remaining: a whole number, at least 0',
      'X-RateLimit-Remaining: -1',
    ],
    [
      { rule: 'header-malformed', of: 'X-RateLimit-Reset', value: '60.5' },
      '200 GET /pets with limit=5: X-RateLimit-Reset is not a whole number of seconds',
      'X-RateLimit-Reset: Unix time in seconds at which the limit resets',
      'X-RateLimit-Reset: 60.5',
    ],
    [
      { rule: 'header-malformed', of: 'X-RateLimit-Reset', value: 'soon' },
      '200 GET /pets with limit=5: X-RateLimit-Reset is not a Unix timestamp',
      'X-RateLimit-Reset: Unix time in seconds at which the limit resets',
      'X-RateLimit-Reset: soon',
    ],
    [
      { rule: 'header-malformed', of: 'X-RateLimit-Reset', value: 'soon', isOtherApi: true },
      '200 GET /pets with limit=5: X-RateLimit-Reset is not a whole number',
      'X-RateLimit-Reset: whole seconds',
      'X-RateLimit-Reset: soon',
    ],
    [
      { rule: 'header-invalid', name: 'ETag', value: 'x', wanted: 'a number' },
      '200 GET /pets with limit=5: ETag has a value that the document excludes',
      'ETag: a number',
      'ETag: x',
    ],
    [
      { rule: 'header-form', form: 'milliseconds', value: '1000 ms' },
      '200 GET /pets with limit=5: Retry-After has a form that RFC 9110 does not define (milliseconds)',
      'Retry-After: whole seconds, or an HTTP-date (RFC 9110, 10.2.3)',
      'Retry-After: 1000 ms',
    ],
    [
      { rule: 'limit-zero', limit: '0' },
      '200 GET /pets with limit=5: X-RateLimit-Limit is 0',
      'X-RateLimit-Limit above 0',
      'X-RateLimit-Limit: 0',
    ],
    [
      { rule: 'remaining-above-limit', limit: '60', remaining: '61' },
      '200 GET /pets with limit=5: X-RateLimit-Remaining is above X-RateLimit-Limit',
      'X-RateLimit-Remaining at most 60',
      'X-RateLimit-Remaining: 61',
    ],
    [
      { rule: 'reset-beyond-window', plan: 'free', limit: '60', reset: '2000', now: 1000 },
      '200 GET /pets with limit=5: X-RateLimit-Reset is more than a minute ahead, although X-RateLimit-Limit is the limit per minute of the free plan',
      'X-RateLimit-Reset: at most a minute ahead',
      'X-RateLimit-Reset: 2000, with X-RateLimit-Limit at 60 and Date at 1000',
    ],
    [
      { rule: 'reset-unit', reset: '60' },
      '200 GET /pets with limit=5: X-RateLimit-Reset is not Unix time in seconds',
      'X-RateLimit-Reset: Unix time in seconds at which the limit resets',
      'X-RateLimit-Reset: 60',
    ],
    [
      { rule: 'reset-past', reset: '900', now: 1000 },
      "200 GET /pets with limit=5: X-RateLimit-Reset is before the server's Date",
      'X-RateLimit-Reset: Unix time in seconds at which the limit resets',
      'X-RateLimit-Reset: 900, with Date at 1000',
    ],
    [
      { rule: 'reset-past', reset: '900', now: null },
      "200 GET /pets with limit=5: X-RateLimit-Reset is before the server's Date",
      'X-RateLimit-Reset: seconds, from now or since 1970-01-01',
      'X-RateLimit-Reset: 900',
    ],
    [
      { rule: 'reset-far', reset: '999999', now: 1000 },
      "200 GET /pets with limit=5: X-RateLimit-Reset is more than a day after the server's Date",
      'X-RateLimit-Reset: Unix time in seconds at which the limit resets',
      'X-RateLimit-Reset: 999999, with Date at 1000',
    ],
    [
      { rule: 'wrong-plan-limit', plan: 'free', allowed: [60, 1000], limit: '61' },
      'X-RateLimit-Limit 61 is not a limit of the free plan (60 or 1000)',
      'X-RateLimit-Limit: 60 or 1000',
      'X-RateLimit-Limit: 61',
    ],
    [
      { rule: 'remaining-on-429', remaining: '3' },
      '429 with X-RateLimit-Remaining: 3',
      'X-RateLimit-Remaining: 0',
      'X-RateLimit-Remaining: 3',
    ],
    [
      { rule: 'retry-after-beyond-reset', retryAfter: '300', reset: '1060', date: 'today' },
      'Retry-After of a 429 ends more than a minute after X-RateLimit-Reset',
      'Retry-After that ends no later than X-RateLimit-Reset',
      'Retry-After: 300, X-RateLimit-Reset: 1060, Date: today',
    ],
    [
      { rule: 'deprecation-malformed', deprecation: 'true' },
      'Deprecation is malformed',
      'Deprecation: @<Unix time>',
      'Deprecation: true',
    ],
    [
      { rule: 'sunset-before-deprecation', deprecation: '@2', sunset: 'yesterday' },
      'Sunset is before Deprecation',
      'Sunset not before Deprecation',
      '@2, yesterday',
    ],
    [
      { rule: 'not-deprecated', deprecation: '@2', sunset: 'tomorrow' },
      '200 GET /pets with limit=5: Deprecation: @2, Sunset: tomorrow, although the document does not deprecate the operation',
      'no Deprecation, no Sunset',
      'Deprecation: @2, Sunset: tomorrow',
    ],
    [
      { rule: 'sunset-malformed', sunset: '2030-12-05' },
      'Sunset is not an HTTP-date',
      'Sunset: an HTTP-date',
      'Sunset: 2030-12-05',
    ],
    [
      { rule: 'sunset-weekday', sunset: 'Fri, 05 Dec 2030', weekday: 'Thu' },
      'The weekday of Sunset does not match its date',
      'Sunset: Thu…',
      'Sunset: Fri, 05 Dec 2030',
    ],
    [
      { rule: 'sunset-date', sunset: 'Thu, 01 Jan 1970 00:00:00 GMT', day: 86_400_000 },
      'Sunset is not the day in the document',
      'Sunset: Fri, 02 Jan 1970 00:00:00 GMT',
      'Sunset: Thu, 01 Jan 1970 00:00:00 GMT',
    ],
    [
      {
        rule: '429-while-remaining',
        in: 'any response',
        slot: 'main',
        before: 49,
        sentSince: 8,
        remaining: '',
        first: { request: 7, afterMs: 60 },
      },
      'Got 429 while X-RateLimit-Remaining was 49: the first 429 with this key came to request 7 of the run, 0.1 s after it began. If others use the key too, set --shared-key',
      'the request served: X-RateLimit-Remaining was 49, and at most 8 requests were sent since',
      'status 429, X-RateLimit-Remaining: absent',
    ],
    [
      { rule: '429-while-remaining', in: 'window', shownAt: 'start', shown: 60, succeeded: 30 },
      'Requests with X-RateLimit-Remaining 60 at the start: expected that many to succeed, got 429 after 30',
      'as many successful requests as X-RateLimit-Remaining showed: 60 at the start',
      '429 after 30 of them',
    ],
    [
      { rule: 'counter-jumps', remaining: [40, 55, 39], reset: 1060 },
      'X-RateLimit-Remaining rises and falls in one window, by more than refills or was sent',
      'X-RateLimit-Remaining that falls from 40 on, while X-RateLimit-Reset stays 1060',
      'X-RateLimit-Remaining: 40, then 55, then 39',
    ],
    [
      { rule: 'reset-moves-back', resets: [3000, 2000, 1000] },
      'X-RateLimit-Reset falls from answer to answer: it is no time at which the limit resets.',
      'X-RateLimit-Reset: a Unix timestamp in seconds, which stays 3000 until the window has ended, or moves on',
      'X-RateLimit-Reset: 3000, then 2000, then 1000',
    ],
    [
      { rule: 'counter-stuck', in: 'rate-limit key', before: 60, after: 60 },
      'GET /pets with the rate-limit key: expected X-RateLimit-Remaining to decrease as with the other key, got 60 after 60',
      'X-RateLimit-Remaining below 60 after several requests in the same window',
      'X-RateLimit-Remaining: 60',
    ],
    [
      {
        rule: 'counter-stuck',
        in: 'every operation',
        latest: [{ operation: 'listPets', remaining: 60, limit: 60 }],
      },
      'Several requests in one window: expected X-RateLimit-Remaining to decrease, got 60 throughout',
      'a lower X-RateLimit-Remaining after several requests',
      'X-RateLimit-Remaining: 60 of 60 after requests of listPets, not lower than before',
    ],
    [
      { rule: 'limit-shows-remaining', limits: [60, 59, 58] },
      'GET /pets: expected a constant X-RateLimit-Limit, got one that always equals X-RateLimit-Remaining',
      'a constant X-RateLimit-Limit while X-RateLimit-Remaining decreases',
      'X-RateLimit-Limit and X-RateLimit-Remaining both: 60, 59, 58',
    ],
    [
      { rule: 'refused-after-wait', times: 3, retryAfter: '30' },
      'After Retry-After (+1 s) the next request got 429 again, 3 of 3 times',
      'the request served',
      'status 429, Retry-After: 30',
    ],
    [
      { rule: 'refused-after-wait', waited: '30', retryAfter: '60', wrongStatus: 429 },
      'After Retry-After (30, +1 s) the next request got 429 again',
      'a successful response',
      'status 429, Retry-After: 60',
    ],
    [
      { rule: 'refused-after-wait', waited: '30', retryAfter: null, wrongStatus: 403 },
      'After Retry-After (30, +1 s) the next request got 403 again',
      'a successful response',
      'status 403',
    ],
    [
      { rule: 'refused-after-reset', limit: 60, reset: 1060, shown: { reset: '', date: 'today' } },
      'After X-RateLimit-Reset (1060, +1 s) the next request got 429 again',
      'the request served: the limit of 60 has reset at 1060',
      'status 429, X-RateLimit-Reset: absent, Date: today',
    ],
    [
      {
        rule: 'limit-not-enforced',
        in: 'every operation',
        allowed: 62,
        served: [{ operation: 'listPets', count: 63 }],
      },
      'Requests over the limit: expected 429 after at most 62 requests of one operation, got none on any operation',
      '429 after at most 62 requests of one operation, refill included',
      'listPets: 63 successful requests',
    ],
    [
      { rule: 'limit-not-enforced', in: 'window', limit: 60, allowed: 62, served: 63 },
      'Requests in one window: expected 429 over the limit of 60, got 63 successful requests',
      '429 after at most 62 requests, refill included',
      '63 successful requests',
    ],
    [
      { rule: 'limit-not-enforced', in: 'Remaining 0', served: 9 },
      'Requests after X-RateLimit-Remaining: 0: expected 429, got 9 successful requests in the same window',
      '429 after X-RateLimit-Remaining: 0, except for refilled requests',
      '9 successful requests',
    ],
    [
      { rule: 'limit-not-enforced', in: 'minute', limit: 60, served: 121, seconds: 30 },
      'Requests within a minute: expected at most twice the limit of 60, got 121 successful requests',
      '429 until a minute has passed, or at most 120 requests across two windows',
      '121 successful requests in 30 s',
    ],
    [
      { rule: 'daily-limit-not-enforced', limit: 1000, served: 2001 },
      'Requests in one day: expected 429 after 1000, got 2001 successful requests',
      '429 after 1000 requests',
      '2001 successful requests',
    ],
    [
      { rule: 'wrong-status-over-limit', wrongStatus: 503 },
      'Request over the limit: expected 429, got 503',
      'status 429',
      'status 503',
    ],
    [
      { rule: 'wrong-status-over-limit', dailyLimit: 1000, wrongStatus: 403 },
      'Request over the daily limit of 1000: expected 429, got 403',
      '429 after 1000 requests',
      'status 403',
    ],
    [
      { rule: 'wrong-status-over-limit', wrongStatus: null },
      'Request over the limit: expected 429, got no response',
      'status 429',
      'no response (the previous request is shown)',
    ],
    [
      { rule: 'reset-too-early', seconds: 20, reset: 1060, remaining: 60, limit: 60 },
      'Request after Retry-After: expected the limit to reset at X-RateLimit-Reset, got a full limit 20 s before it',
      'the limit resets at X-RateLimit-Reset of the 429: 1060 (20 s later)',
      'X-RateLimit-Remaining: 60 of 60',
    ],
    [
      { rule: 'limit-shared', left: null, wrongStatus: 429 },
      'GET /pets with another key while one key is rate-limited: expected 200, got 429. Another explanation: both keys belong to one account (--rate-limit-key must belong to another account than --api-key).',
      'status 200: the key had enough requests left',
      'status 429',
    ],
    [
      { rule: 'limit-shared', requests: 2 },
      'Two keys share one rate limit: 2 requests with one key lowered X-RateLimit-Remaining of the other by 2. Another explanation: both keys belong to one account (--rate-limit-key must belong to another account than --api-key).',
      'X-RateLimit-Remaining decreases only by requests with its own key',
      'it decreased by 2 more when 2 requests were sent with the other key',
    ],
  ];

test.each(sentences)('%o', (problem, message, expected, actual) => {
  expect(describe(breachOf(problem))).toEqual({ message, expected, actual });
});

test('status: a redirect shows where it leads', () => {
  const headers = { Location: '/v1/pets' };
  const redirected = exchangeOf(probe, { status: 301, headers });
  const problem = { rule: 'status', allowed: [200], because: 'it is valid', wrongStatus: 301 } as const;
  expect(describe({ ...breachOf(problem), exchange: redirected }).actual).toBe(
    'status 301, Location: /v1/pets',
  );
});

test('status: 401 to a valid key says so, and 401 without a key does not', () => {
  const problem = { rule: 'status', allowed: [400], because: 'it is invalid', wrongStatus: 401 } as const;
  const messageOf = (sent = probe) => describe({ ...breachOf(problem), probe: sent }).message;
  expect(messageOf()).toContain('got 401, although the key is valid');
  expect(messageOf(listPets({ credential: noCredential }))).toMatch(/got 401$/);
});

test('stored-after-refusal: names the request that was rejected', () => {
  const rejected = createPetOf({ name: 'Rex' }, { label: 'no categoryId' });
  const problem = { rule: 'stored-after-refusal', status: 400, knownBy: 'name', animal: rex } as const;
  const about = { kind: 'probe', probe: rejected } as const;
  expect(describe({ ...breachOf(problem), about }).message).toBe(
    'POST /pets with no categoryId was refused with 400, but its animal was stored',
  );
});

test('a breach without its probe: the request as it was sent', () => {
  const { probe: _, ...breach } = breachOf({ rule: 'server-error', wrongStatus: 500 });
  expect(describe(breach).message).toBe('GET /pets: server error (500)');
});
