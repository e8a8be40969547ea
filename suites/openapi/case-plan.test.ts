import { expect, test } from 'vitest';
import { anonymous } from '../../src/check/credentials.ts';
import { document } from '../../test/support/build.ts';
import { planCases } from './case-plan.ts';
import { invalidExamples } from './invalid.ts';
import type { OperationUnderTest } from './operations.ts';
import { validExamples } from './valid.ts';

/** Operations of the document, each several times. */
const exercised = (times: number): readonly OperationUnderTest[] =>
  Array.from({ length: times }).flatMap(() =>
    document.operations.map((operation) => ({
      ...{ document, operation, credential: anonymous, authentic: true, schemes: [] },
      ...{ mayGuess: true, stateStatuses: [] },
    })),
  );

test('few operations -> every case', () => {
  const all = exercised(1);
  const plan = planCases(all, 100);
  expect(plan.share).toBe(1);
  for (const each of all) expect(plan.valid(each)).toEqual(validExamples(each));
});

test('many operations -> at most 1,500 requests, each value that the document names, and each kind of violation', () => {
  const all = exercised(6);
  const plan = planCases(all, 400);
  const cases = all.reduce(
    (sum, each) => sum + plan.valid(each).length + plan.invalid(each).length + 35 * plan.share,
    400,
  );
  expect(cases).toBeLessThanOrEqual(1_500);
  for (const each of all) {
    const sent = plan.valid(each).flatMap((request) => request.parts ?? [request]);
    const named = validExamples(each).filter(({ steps }) => steps !== undefined);
    expect(sent.map(({ label }) => label)).toEqual(expect.arrayContaining(named.map(({ label }) => label)));
    const levels = (requests: ReturnType<typeof invalidExamples>) =>
      new Set(requests.map(({ violation }) => violation?.level));
    expect(levels(plan.invalid(each))).toEqual(levels(invalidExamples(each)));
  }
});

test('many operations with bodies that permit no other members -> a further member for each', () => {
  const text = { type: 'string', minLength: 2, maxLength: 60, pattern: '^[A-Z]{2,9}-[0-9]{3}$' };
  const number = { type: 'integer', minimum: 1, maximum: 100 };
  const schema = {
    type: 'object',
    additionalProperties: false,
    required: ['code', 'country', 'size', 'weight'],
    properties: { code: text, country: text, size: number, weight: number, note: text, rank: number },
  };
  const all = exercised(6).map((each) => {
    const { requestBody } = each.operation;
    const strict = requestBody === null ? null : { ...requestBody, schema };
    return { ...each, operation: { ...each.operation, requestBody: strict } };
  });
  const plan = planCases(all, 400);

  for (const each of all.filter(({ operation }) => operation.requestBody !== null))
    expect(plan.invalid(each).map(({ label }) => label)).toContain('a property that is not allowed');
});
