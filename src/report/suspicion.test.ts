import { describe, expect, it, test } from 'vitest';
import { suspicion } from './suspicion.ts';
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
    suspicion({ ...story, coverage: answers(byStatus) });

  it('is told, with the address that was asked', () => {
    expect(answering({ 404: 900 })).toBe(
      'Every answer is 404, whatever is asked: is the API served under http://127.0.0.1:4010/v1, or does another server listen there?',
    );
  });

  it('is told as well where keys are refused before anything else is looked at', () => {
    expect(answering({ 404: 700, 401: 200 })).toBe(
      'Every answer to a valid key is 404, whatever is asked: is the API served under http://127.0.0.1:4010/v1, or does another server listen there?',
    );
  });

  it('is told with the place to which it redirects', () => {
    const location = 'https://127.0.0.1:4010/v1/pets';
    const redirected = failure({ response: { status: 301, headers: { Location: location }, body: null } });
    const elsewhere = outcomeOf({
      verdict: 'nonconformant',
      results: { 'LIST-1': { verdict: 'failed', failures: [redirected] } },
    });
    expect(suspicion({ ...elsewhere, coverage: answers({ 301: 900 }) })).toBe(
      `Every answer is 301, a redirect to ${location}, which is not followed: is the API served elsewhere than under http://127.0.0.1:4010/v1?`,
    );
  });

  it('is no matter among few answers, among several, or where nothing fails', () => {
    expect(answering({ 404: 3 })).toBeNull();
    expect(answering({ 404: 900, 400: 1 })).toBeNull();
    expect(answering({ 200: 900, 401: 90 })).toBeNull();
    expect(suspicion({ ...outcomeOf(), coverage: answers({ 200: 900 }) })).toBeNull();
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
    results: { 'GET-1': { verdict: 'failed', failures: [unserved] } },
  });

  it('is told where the operation fails for it, whoever is refused besides', () => {
    const coverage = [cell('listPets', '200', 90), cell('getPet', '404', 60), cell('getPet', '401', 9)];
    expect(suspicion({ ...story, coverage })).toBe(
      'With a valid key the only answer of getPet is 404: begin there, as other failures may follow from it.',
    );
  });

  it('is no matter among others, or where nothing of the operation fails', () => {
    expect(
      suspicion({ ...story, coverage: [cell('getPet', '404', 60), cell('getPet', '200', 1)] }),
    ).toBeNull();
    const orders = [cell('listOrders', '404', 60), cell('listPets', '200', 90)];
    expect(suspicion({ ...story, coverage: orders })).toBeNull();
  });

  it('is told of creations that were all refused, though nothing fails', () => {
    const reason = 'no category is known to exist';
    const conforming = outcomeOf({ results: { 'CREATE-1': { verdict: 'inconclusive', reason } } });
    expect(suspicion({ ...conforming, coverage: [cell('createPet', '400', 90)] })).toBe(
      `Nothing shows that animals can be created: ${reason}.`,
    );
    expect(suspicion({ ...outcomeOf(), coverage: [cell('createPet', '400', 90)] })).toBeNull();
  });
});

test('refusals that are no refusals are told, where each that the document has fails', () => {
  const failedIn = (exchange: number) => ({ verdict: 'failed', failures: [failure({ exchange })] }) as const;
  const results = { 'AUTH-1': failedIn(1), 'CREATE-5': failedIn(2), 'GET-2': failedIn(3) };
  const story = outcomeOf({ verdict: 'nonconformant', results });
  const among = (byStatus: Record<string, number>) => suspicion({ ...story, coverage: answers(byStatus) });
  expect(among({ 200: 500, 201: 150, 500: 250 })).toBe(
    'Whatever is wrong with a request, no answer is 400, 401 or 404 (only 200, 201, 500 came): begin there.',
  );
  expect(among({ 200: 500, 201: 150, 500: 250, 400: 1 })).toBeNull();
  const fewer = outcomeOf({ verdict: 'nonconformant', results: { 'AUTH-1': failedIn(1) } });
  expect(suspicion({ ...fewer, coverage: answers({ 200: 500, 500: 2 }) })).toBeNull();
});

describe('several requirements that fail', () => {
  const failing = (failures: Readonly<Record<string, ReturnType<typeof failure>>>) => {
    const story = outcomeOf({ verdict: 'nonconformant' });
    const [any] = story.requirements;
    const requirements = Object.entries(failures).flatMap(([id, each]) =>
      any === undefined ? [] : [{ ...any, id, verdict: 'failed' as const, failures: [each] }],
    );
    return suspicion({ ...story, requirements });
  };
  const silent = failure({ response: null, exchange: 1 });

  it('for one request are told to be one mistake', () => {
    expect(failing({ 'GEN-1': failure(), 'LIST-1': failure() })).toBe(
      'Both requirements fail for one request: it is probably one mistake.',
    );
    expect(failing({ 'GEN-1': failure(), 'LIST-1': failure({ exchange: 2 }) })).toBeNull();
    expect(failing({ 'GEN-1': failure() })).toBeNull();
  });

  it('for one status that refuses are told to be one mistake', () => {
    const answered = (...statuses: readonly string[]) =>
      failing(
        Object.fromEntries(
          statuses.map((status, index) => [
            `GEN-${index}`,
            failure({ actual: `status ${status}`, exchange: 301 + index }),
          ]),
        ),
      );
    expect(answered('415', '415', '415')).toBe(
      'All 3 requirements fail for an answer of 415 where another status is due, from about request 301 of the run on: it is probably one mistake.',
    );
    expect(answered('401', '401', '401')).toContain(
      'from about request 301 of the run on: does the server lose a valid key, or lock it?',
    );
    expect(answered('415', '415', '401')).toBeNull();
    expect(answered('200', '200', '200')).toBeNull();
    expect(answered('415', '415')).toBeNull();
  });

  it('for one member of what is answered are told to be one mistake', () => {
    const about = (...expected: readonly string[]) =>
      failing(
        Object.fromEntries(
          expected.map((text, index) => [`GEN-${index}`, failure({ expected: text, exchange: index })]),
        ),
      );
    expect(about('item 1 of 20, id: an int64', 'id: an int64', '"id": an int64')).toBe(
      'All 3 requirements fail for the member "id" of what is answered: it is probably one mistake.',
    );
    expect(about('a member "code"', 'a member "code"')).toContain(
      'for the member "code" of what is answered',
    );
    expect(about('id: an int64', 'name: a string')).toBeNull();
    expect(about('id: an int64', 'status 201')).toBeNull();
    expect(about('X-RateLimit-Limit: 60', 'X-RateLimit-Limit: 60')).toBeNull();
    expect(about('id: an int64')).toBeNull();
  });

  it('as those of a service that is started anew are told as such', () => {
    const lost = { 'LIST-8': failure({ exchange: 2 }), 'GET-1': failure({ exchange: 3 }) };
    expect(failing({ 'GEN-4': silent, ...lost })).toContain(
      'started anew each time and keeps its animals in memory, LIST-8, GET-1 fail for that. Begin with GEN-4.',
    );
    expect(failing({ 'GEN-4': failure(), ...lost })).toBeNull();
    expect(failing({ 'GEN-4': silent, 'LIST-8': failure({ exchange: 2 }) })).toBeNull();
  });
});
