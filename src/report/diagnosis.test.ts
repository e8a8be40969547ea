import { describe, expect, it, test } from 'vitest';
import type { Problem } from '../finding/problem.ts';
import { diagnosis } from './diagnosis.ts';
import { factsOf, failure, outcomeOf } from './testing.ts';

/** Responses of one operation, by their status. */
const responses = (byStatus: Readonly<Record<string, number>>) =>
  Object.entries(byStatus).map(([status, seen]) => ({
    operation: 'listPets',
    status,
    seen,
    headers: {},
    documented: true,
  }));

describe('diagnosis: one status in every response', () => {
  const failedRun = outcomeOf({
    verdict: 'nonconformant',
    results: { 'LIST-1': { verdict: 'failed', failures: [failure()] } },
  });
  const diagnosisWith = (byStatus: Record<string, number>) =>
    diagnosis({ ...failedRun, coverage: responses(byStatus) });

  it('404 -> a sentence with the address', () => {
    expect(diagnosisWith({ 404: 900 })).toBe(
      'Every response is 404. Check that the API is at http://127.0.0.1:4010/v1, and that no other server listens there.',
    );
  });

  it('404, and 401 without a valid key -> a sentence with the address', () => {
    expect(diagnosisWith({ 404: 700, 401: 200 })).toBe(
      'Every response with a valid key is 404. Check that the API is at http://127.0.0.1:4010/v1, and that no other server listens there.',
    );
  });

  it('301 -> a sentence with the new location', () => {
    const location = 'https://127.0.0.1:4010/v1/pets';
    const redirected = failure({ response: { status: 301, headers: { Location: location }, body: null } });
    const elsewhere = outcomeOf({
      verdict: 'nonconformant',
      results: { 'LIST-1': { verdict: 'failed', failures: [redirected] } },
    });
    expect(diagnosis({ ...elsewhere, coverage: responses({ 301: 900 }) })).toBe(
      `Every response is 301, a redirect to ${location} (not followed). Check that the API is at http://127.0.0.1:4010/v1.`,
    );
  });

  it('only checks of the user, which may always send the same -> null', () => {
    const result = outcomeOf().requirements[0];
    if (result === undefined) throw new Error('an outcome has requirements');
    const requirements = [{ ...result, id: 'ACME-1', verdict: 'failed' as const, failures: [failure()] }];
    expect(diagnosis({ ...failedRun, requirements, coverage: responses({ 200: 900 }) })).toBeNull();
  });

  it('few responses, several statuses, or no failure -> null', () => {
    expect(diagnosisWith({ 404: 3 })).toBeNull();
    expect(diagnosisWith({ 404: 900, 400: 1 })).toBeNull();
    expect(diagnosisWith({ 200: 900, 401: 90 })).toBeNull();
    expect(diagnosis({ ...outcomeOf(), coverage: responses({ 200: 900 }) })).toBeNull();
  });
});

describe('diagnosis: one status of an operation', () => {
  const cell = (operation: string, status: string, seen: number) => ({
    operation,
    status,
    seen,
    headers: {},
    documented: true,
  });
  const notFound = failure({
    operation: 'getPet',
    response: { status: 404, headers: {}, body: null },
  });
  const failedRun = outcomeOf({
    verdict: 'nonconformant',
    results: {
      'GET-1': { verdict: 'failed', failures: [notFound] },
      'GET-2': { verdict: 'inconclusive', blockedBy: 'GET-1' },
    },
  });

  it('404, and 401 without a valid key -> fix this first', () => {
    const coverage = [cell('listPets', '200', 90), cell('getPet', '404', 60), cell('getPet', '401', 9)];
    expect(diagnosis({ ...failedRun, coverage })).toBe(
      'With a valid key, getPet always returns 404. Fix this first: other failures may follow from it.',
    );
  });

  it('several statuses, or no failure of the operation -> null', () => {
    expect(
      diagnosis({ ...failedRun, coverage: [cell('getPet', '404', 60), cell('getPet', '200', 1)] }),
    ).toBeNull();
    const orders = [cell('listOrders', '404', 60), cell('listPets', '200', 90)];
    expect(diagnosis({ ...failedRun, coverage: orders })).toBeNull();
  });

  it('400 for every creation, no failure -> no animal could be created', () => {
    const reason = 'no category is known to exist';
    const conforming = outcomeOf({ results: { 'CREATE-1': { verdict: 'inconclusive', reason } } });
    expect(diagnosis({ ...conforming, coverage: [cell('createPet', '400', 90)] })).toBe(
      `No animal could be created: ${reason}.`,
    );
    expect(diagnosis({ ...outcomeOf(), coverage: [cell('createPet', '400', 90)] })).toBeNull();
    const some = [cell('createPet', '400', 90), cell('createPet', '201', 45)];
    expect(diagnosis({ ...conforming, coverage: some })).toBeNull();
  });
});

test('diagnosis: no 4xx, and each requirement on rejections fails -> fix error handling first', () => {
  const failedIn = (exchange: number) => ({ verdict: 'failed', failures: [failure({ exchange })] }) as const;
  const results = { 'AUTH-1': failedIn(1), 'CREATE-5': failedIn(2), 'GET-2': failedIn(3) };
  const failedRun = outcomeOf({ verdict: 'nonconformant', results });
  const diagnosisOf = (byStatus: Record<string, number>) =>
    diagnosis({ ...failedRun, coverage: responses(byStatus) });
  expect(diagnosisOf({ 200: 500, 201: 150, 500: 250 })).toBe(
    'Errors never use 400, 401, or 404 (only 200, 201, 500 seen): fix error handling first.',
  );
  expect(diagnosisOf({ 200: 500, 201: 150, 500: 250, 400: 1 })).toBeNull();
  const fewer = outcomeOf({ verdict: 'nonconformant', results: { 'AUTH-1': failedIn(1) } });
  expect(diagnosis({ ...fewer, coverage: responses({ 200: 500, 500: 2 }) })).toBeNull();
});

describe('diagnosis: several failed requirements', () => {
  const failing = (failures: Readonly<Record<string, ReturnType<typeof failure>>>) => {
    const failedRun = outcomeOf({ verdict: 'nonconformant' });
    const [template] = failedRun.requirements;
    const requirements = Object.entries(failures).flatMap(([id, each]) =>
      template === undefined ? [] : [{ ...template, id, verdict: 'failed' as const, failures: [each] }],
    );
    return diagnosis({ ...failedRun, requirements });
  };
  const withoutResponse = (reason: 'reset' | 'timeout') => {
    const detail = { code: 'closed', bodyBytes: null } as const;
    const facts = factsOf({ rule: 'no-response', failure: reason, detail });
    return failure({ ...facts, response: null, exchange: 1 });
  };

  it('the same unexpected 4xx in all failures -> probably one bug', () => {
    const withProblems = (...problems: readonly Problem[]) =>
      failing(
        Object.fromEntries(
          problems.map((problem, index) => [
            `GEN-${index}`,
            failure({ ...factsOf(problem), exchange: 301 + index }),
          ]),
        ),
      );
    const withStatuses = (...statuses: readonly number[]) =>
      withProblems(
        ...statuses.map((wrongStatus) => ({
          rule: 'status' as const,
          allowed: [200],
          because: '',
          wrongStatus,
        })),
      );
    expect(withStatuses(415, 415, 415)).toBe(
      'All 3 requirements fail because of unexpected 415 responses, from about request 301 on. Probably one bug.',
    );
    expect(withStatuses(401, 401, 401)).toContain(
      'from about request 301 on. Check whether the server loses or locks the key.',
    );
    expect(withStatuses(415, 415, 401)).toBeNull();
    expect(withStatuses(200, 200, 200)).toBeNull();
    expect(withStatuses(415, 415)).toBeNull();
    const other = { rule: 'limit-zero', limit: '0' } as const;
    expect(withProblems(other, other, other)).toBeNull();
  });

  it('a crash explains lost animals -> fix it first; otherwise null', () => {
    const { request, response } = failure();
    const lost = { rule: 'not-served', before: [{ request, response }], operation: 'getPet', response: null };
    const diagnosisWith = (crashed: ReturnType<typeof failure>, exchange: number) => {
      const results = {
        'GEN-4': { verdict: 'failed', failures: [crashed] },
        'LIST-6': { verdict: 'failed', failures: [failure({ message: 'Other.', exchange: 1, request })] },
        'GET-1': { verdict: 'failed', failures: [failure({ ...lost, exchange })] },
      } as const;
      return diagnosis(outcomeOf({ verdict: 'nonconformant', results }));
    };
    const crash = { ...withoutResponse('reset'), exchange: 5, request: { ...request, body: 'null' } };
    expect(diagnosisWith(crash, 9)).toBe(
      'The server crashes (GEN-4), and animals from before are lost (GET-1), as if it keeps them in memory: fix GEN-4 first.',
    );
    expect(diagnosisWith(crash, 3)).toBeNull();
    expect(diagnosisWith({ ...crash, tries: 3 }, 9)).toBeNull();
    expect(diagnosisWith({ ...withoutResponse('timeout'), exchange: 5 }, 9)).toBeNull();
  });
});
