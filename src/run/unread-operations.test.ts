import { expect, test } from 'vitest';
import { limitedOperations, unreadOperations } from './unread-operations.ts';

test('unreadOperations: requested, but no response whole, or each success cut -> named', () => {
  const cell = (operation: string, status: string, seen: number, cut = 0) => ({
    ...{ operation, status, seen, headers: {}, documented: true },
    ...(cut === 0 ? {} : { cut }),
  });
  const coverage = [
    ...[cell('silent', '200', 0), cell('unsent', '200', 0)],
    ...[cell('cut', '200', 2, 2), cell('cut', '400', 3), cell('sometimes', '200', 2, 1)],
    ...[cell('refused', '404', 1), cell('error', '500', 1, 1)],
  ];
  const byOperation = { silent: 2, cut: 5, sometimes: 2, refused: 1, error: 1, bare: 1 };
  const operations = [...coverage.map(({ operation }) => operation), 'bare'];
  expect(unreadOperations(operations, { traffic: { byOperation }, coverage })).toEqual([
    ...['silent', 'cut', 'error', 'bare'],
  ]);
});

test('limitedOperations: every response 429, and not all of them expected -> named', () => {
  const cell = (operation: string, status: string, seen: number, expected = 0) => ({
    ...{ operation, status, seen, expected, headers: {}, documented: true },
  });
  const coverage = [
    ...[cell('limited', '200', 0), cell('limited', '429', 3), cell('unsent', '200', 0)],
    ...[cell('sometimes', '429', 2), cell('sometimes', '401', 1)],
    ...[cell('expected', '429', 2, 2), cell('tried', '429', 2, 1)],
  ];
  expect(limitedOperations(coverage)).toEqual(['limited', 'tried']);
});
