import { expect, test } from 'vitest';
import type { RecordedExchange } from '../../run/outcome.ts';
import { factsOf, failure, outcomeOf } from '../testing.ts';
import { withExceptions } from './other-exceptions.ts';

const errorOf = (exception: string) => ({ status: 500, headers: {}, body: JSON.stringify({ exception }) });

test('exceptions of other responses with the status of a failure -> each once, with its request', () => {
  const shown = failure({
    ...factsOf({ rule: 'server-error', wrongStatus: 500 }),
    response: errorOf("ArgumentError: 'A' is not a status"),
    others: ['POST /pets with status "b"'],
  });
  const exchange = (id: number, body: string, exception: string, breaches = ['GEN-4']): RecordedExchange => ({
    ...{ id, check: 'a check', operation: 'createPet', startedAt: 0, durationMs: 1, failure: null, breaches },
    request: { ...shown.request, body },
    response: errorOf(exception),
  });
  const [result] = outcomeOf({
    results: { 'GEN-4': { verdict: 'failed', failures: [shown] } },
  }).requirements.filter(({ id }) => id === 'GEN-4');
  if (result === undefined) throw new Error('GEN-4 is missing');
  const [first] = withExceptions({ ...result, failures: [shown] }, [
    exchange(1, '{"status":"C"}', "ArgumentError: 'C' is not a status"),
    exchange(2, '{"categoryId":99}', 'RangeError: 99 is out of range'),
    exchange(3, '{"categoryId":98}', 'RangeError: 98 is out of range'),
    exchange(4, '{}', 'TypeError: not of this requirement', ['CREATE-6']),
  ]).failures;
  expect(first?.others).toEqual([
    'POST /pets with status "b"',
    'POST /v1/pets {"categoryId":99} → RangeError: 99 is out of range',
  ]);
});
