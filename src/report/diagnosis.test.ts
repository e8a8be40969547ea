import { describe, expect, it, test } from 'vitest';
import { diagnosis } from './diagnosis.ts';
import { failure, outcomeOf } from './testing.ts';

/** Answers of one operation, by their status. */
const answers = (byStatus: Readonly<Record<string, number>>) =>
  Object.entries(byStatus).map(([status, seen]) => ({
    operation: 'listPets',
    status,
    seen,
    headers: {},
    documented: true,
  }));

describe('one answer to everything', () => {
  const story = outcomeOf({
    verdict: 'nonconformant',
    results: { 'LIST-1': { verdict: 'failed', failures: [failure()] } },
  });
  const answering = (byStatus: Record<string, number>) =>
    diagnosis({ ...story, coverage: answers(byStatus) });

  it('is told, with the address that was asked', () => {
    expect(answering({ 404: 900 })).toBe(
      'Every response is 404. Check that the API is at http://127.0.0.1:4010/v1, and that no other server listens there.',
    );
  });

  it('is told as well where keys are refused before anything else is looked at', () => {
    expect(answering({ 404: 700, 401: 200 })).toBe(
      'Every response with a valid key is 404. Check that the API is at http://127.0.0.1:4010/v1, and that no other server listens there.',
    );
  });

  it('is told with the place to which it redirects', () => {
    const location = 'https://127.0.0.1:4010/v1/pets';
    const redirected = failure({ response: { status: 301, headers: { Location: location }, body: null } });
    const elsewhere = outcomeOf({
      verdict: 'nonconformant',
      results: { 'LIST-1': { verdict: 'failed', failures: [redirected] } },
    });
    expect(diagnosis({ ...elsewhere, coverage: answers({ 301: 900 }) })).toBe(
      `Every response is 301, a redirect to ${location} (not followed). Check that the API is at http://127.0.0.1:4010/v1.`,
    );
  });

  it('is no matter among few answers, among several, or where nothing fails', () => {
    expect(answering({ 404: 3 })).toBeNull();
    expect(answering({ 404: 900, 400: 1 })).toBeNull();
    expect(answering({ 200: 900, 401: 90 })).toBeNull();
    expect(diagnosis({ ...outcomeOf(), coverage: answers({ 200: 900 }) })).toBeNull();
  });
});

describe('one answer of an operation', () => {
  const cell = (operation: string, status: string, seen: number) => ({
    operation,
    status,
    seen,
    headers: {},
    documented: true,
  });
  const unserved = failure({
    operation: 'getPet',
    response: { status: 404, headers: {}, body: null },
  });
  const story = outcomeOf({
    verdict: 'nonconformant',
    results: {
      'GET-1': { verdict: 'failed', failures: [unserved] },
      'GET-2': { verdict: 'inconclusive', blockedBy: 'GET-1' },
    },
  });

  it('is told where the operation fails for it, whoever is refused besides', () => {
    const coverage = [cell('listPets', '200', 90), cell('getPet', '404', 60), cell('getPet', '401', 9)];
    expect(diagnosis({ ...story, coverage })).toBe(
      'With a valid key, getPet always returns 404. Fix this first: other failures may follow from it.',
    );
  });

  it('is no matter among others, or where nothing of the operation fails', () => {
    expect(
      diagnosis({ ...story, coverage: [cell('getPet', '404', 60), cell('getPet', '200', 1)] }),
    ).toBeNull();
    const orders = [cell('listOrders', '404', 60), cell('listPets', '200', 90)];
    expect(diagnosis({ ...story, coverage: orders })).toBeNull();
  });

  it('is told of creations that were all refused, though nothing fails', () => {
    const reason = 'no category is known to exist';
    const conforming = outcomeOf({ results: { 'CREATE-1': { verdict: 'inconclusive', reason } } });
    expect(diagnosis({ ...conforming, coverage: [cell('createPet', '400', 90)] })).toBe(
      `No animal could be created: ${reason}.`,
    );
    expect(diagnosis({ ...outcomeOf(), coverage: [cell('createPet', '400', 90)] })).toBeNull();
  });
});

test('refusals that are no refusals are told, where each that the document has fails', () => {
  const failedIn = (exchange: number) => ({ verdict: 'failed', failures: [failure({ exchange })] }) as const;
  const results = { 'AUTH-1': failedIn(1), 'CREATE-5': failedIn(2), 'GET-2': failedIn(3) };
  const story = outcomeOf({ verdict: 'nonconformant', results });
  const among = (byStatus: Record<string, number>) => diagnosis({ ...story, coverage: answers(byStatus) });
  expect(among({ 200: 500, 201: 150, 500: 250 })).toBe(
    'Errors never use 400, 401, or 404 (only 200, 201, 500 seen): fix error handling first.',
  );
  expect(among({ 200: 500, 201: 150, 500: 250, 400: 1 })).toBeNull();
  const fewer = outcomeOf({ verdict: 'nonconformant', results: { 'AUTH-1': failedIn(1) } });
  expect(diagnosis({ ...fewer, coverage: answers({ 200: 500, 500: 2 }) })).toBeNull();
});

describe('several requirements that fail', () => {
  const failing = (failures: Readonly<Record<string, ReturnType<typeof failure>>>) => {
    const story = outcomeOf({ verdict: 'nonconformant' });
    const [any] = story.requirements;
    const requirements = Object.entries(failures).flatMap(([id, each]) =>
      any === undefined ? [] : [{ ...any, id, verdict: 'failed' as const, failures: [each] }],
    );
    return diagnosis({ ...story, requirements });
  };
  const silent = failure({ response: null, exchange: 1 });

  it('for one status that refuses are told to be one mistake', () => {
    const withRule = (rule: string, statuses: readonly number[]) =>
      failing(
        Object.fromEntries(
          statuses.map((status, index) => [
            `GEN-${index}`,
            failure({ rule, response: { status, headers: {}, body: null }, exchange: 301 + index }),
          ]),
        ),
      );
    const answered = (...statuses: readonly number[]) => withRule('status', statuses);
    expect(answered(415, 415, 415)).toBe(
      'All 3 requirements fail because of unexpected 415 responses, from about request 301 on. Probably one bug.',
    );
    expect(answered(401, 401, 401)).toContain(
      'from about request 301 on. Check whether the server loses or locks the key.',
    );
    expect(answered(415, 415, 401)).toBeNull();
    expect(answered(200, 200, 200)).toBeNull();
    expect(answered(415, 415)).toBeNull();
    expect(withRule('schema', [415, 415, 415])).toBeNull();
  });

  it('as those of a service that is started anew are told as such', () => {
    const lost = { 'LIST-8': failure({ exchange: 2 }), 'GET-1': failure({ exchange: 3 }) };
    expect(failing({ 'GEN-4': silent, ...lost })).toContain(
      'animals are lost (LIST-8, GET-1). If the server crashes, restarts, and keeps animals in memory',
    );
    expect(failing({ 'GEN-4': failure(), ...lost })).toBeNull();
    expect(failing({ 'GEN-4': silent, 'LIST-8': failure({ exchange: 2 }) })).toBeNull();
  });
});
