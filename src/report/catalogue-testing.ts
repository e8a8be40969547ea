import type { Level } from '../openapi/requirement.ts';

/** Ids and statements as `spec/requirements.yaml` has them: a few of each group. */
export const catalogue: readonly (readonly [id: string, level: Level, statement: string, section: string])[] =
  [
    ['GEN-1', 'MUST', 'The status is one that the document gives for the operation, or 429.', 'Endpoints'],
    ['GEN-2', 'MUST', 'Bodies are JSON, `Content-Type: application/json`.', 'Conventions'],
    ['GEN-3', 'MUST', 'The body matches the schema of its status.', 'Resources and their fields'],
    [
      'GEN-4',
      'MUST',
      'No input makes the server fail: no 5xx, no dropped connection, no late response.',
      'Endpoints',
    ],
    [
      'ERR-1',
      'MUST',
      '400, 401 and 404 carry an Error: `code` string, `message` string, `status` integer.',
      'Errors',
    ],
    ['ERR-2', 'MUST', '`status` in the body is the HTTP status of the response.', 'Errors'],
    ['ERR-3', 'OPEN', 'Which `code` values are used.', 'Errors'],
    ['AUTH-1', 'MUST', 'Without an `Authorization` header every operation returns 401.', 'Authentication'],
    ['AUTH-2', 'MUST', 'With an invalid key every operation returns 401.', 'Authentication'],
    [
      'AUTH-6',
      'SHOULD',
      '401 carries `WWW-Authenticate` and the scheme name is case-insensitive.',
      'RFC 9110 11.6.1',
    ],
    ['LIST-1', 'MUST', '200 with an array of Pet.', 'GET /pets'],
    ['LIST-2', 'MUST', 'Without `limit`, at most 20 animals.', 'GET /pets'],
    ['LIST-3', 'MUST', 'With `limit` n from 1 to 100, at most n animals.', 'GET /pets'],
    ['LIST-6', 'MUST', 'With `status`, every animal returned has that status.', 'GET /pets'],
    ['LIST-10', 'OPEN', 'Order, and paging beyond `limit`.', 'GET /pets'],
    ['CREATE-1', 'MUST', 'A valid NewPet gets 201 with the Pet.', 'POST /pets'],
    ['CREATE-5', 'MUST', '`name` or `categoryId` missing: 400.', 'POST /pets'],
    ['CREATE-9', 'MUST', 'int64 is kept to the digit: a categoryId above 2^53 comes back as sent.', 'NewPet'],
    ['CREATE-11', 'OPEN', 'Extra fields, other media types, unknown categories, limits on `name`.', 'NewPet'],
    [
      'GET-1',
      'MUST',
      'An existing id gets 200 with that Pet, the same as created and as listed.',
      'GET /pets/{petId}',
    ],
    ['GET-2', 'MUST', 'An unknown id gets 404 with an Error.', 'GET /pets/{petId}'],
    [
      'GET-6',
      'SHOULD',
      'If `Deprecation` or `Sunset` is sent, it is well formed and agrees.',
      'RFC 9745, RFC 8594',
    ],
    ['ORDERS-1', 'MUST', 'The operation exists.', 'Other operations'],
    [
      'RATE-1',
      'MUST',
      'Every response, errors too, carries the three `X-RateLimit` headers.',
      'Rate limit headers',
    ],
    ['RATE-5', 'MUST', 'A request over the limit gets 429.', 'Rules'],
    ['RATE-6', 'MUST', 'No 429 while requests remain.', 'Rules'],
    ['VER-1', 'MUST', 'The base address ends in `/v1`.', 'Versioning'],
  ];
