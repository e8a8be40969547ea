import { expect, test } from 'vitest';
import { loadDocument } from '../../src/openapi/load.ts';
import { todo } from '../../test/support/other-apis.ts';
import { divideCreations } from './creations.ts';
import { supportOf } from './operations.ts';

const permissions = {
  otherApi: true,
  strictRequests: false,
  strictStatuses: false,
  hasKey: true,
  given: [],
  readOnly: false,
  creations: 8,
  risky: true,
  choice: { only: [], skip: [] },
  loopback: true,
};

const document = await loadDocument(todo.spec);
const all = document.operations.flatMap(
  (operation) => supportOf(document, operation, permissions).exercised ?? [],
);
const exercisedAs = (method: string) => all.filter(({ operation }) => operation.method === method);

const sharesAfter = (method: string, statuses: readonly number[]) => {
  const shares = divideCreations(all, permissions);
  const [exercised] = exercisedAs(method);
  if (exercised === undefined) throw new Error(`nothing is sent with ${method}`);
  for (const status of statuses) shares.record(exercised, { status, json: null, header: () => [] });
  return shares.usedUp(exercised);
};

test('operations that create -> a share remains for other operations, and for resources', () => {
  expect(exercisedAs('POST').length).toBe(1);
  expect(sharesAfter('POST', [201])).toBeNull();
  expect(sharesAfter('POST', [201, 201])).toEqual({ code: 'max-creates', detail: 'share' });
});

test('rejected creations do not use up the share', () => {
  expect(sharesAfter('POST', Array(20).fill(422))).toBeNull();
});

test('the last operations have no limit', () => {
  expect(sharesAfter('PUT', Array(20).fill(201))).toBeNull();
});
