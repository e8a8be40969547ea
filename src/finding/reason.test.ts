import { expect, test } from 'vitest';
import { reasonText } from './reason.ts';

test('reasonText: reasons with facts -> one sentence each', () => {
  expect(reasonText({ code: 'blocked', requirement: 'CREATE-1' })).toBe('Blocked: CREATE-1 failed');
  expect(reasonText({ code: 'budget', budget: 1 })).toBe('the budget of 1 request is spent (--budget)');
  expect(reasonText({ code: 'interrupted' })).toBe('interrupted');
  expect(reasonText({ code: 'rate-limit', detail: 'banned', key: 'main', waits: null })).toBe(
    'the API key cannot be used further: it is refused with 401 or 403 ever since a 429: it seems to be banned',
  );
});

test('reasonText: lost cases -> their number and the limits', () => {
  const lost = {
    code: 'max-creates',
    detail: 'lost',
    lost: 3,
    of: 5,
    to: ['max-creates', 'budget'],
  } as const;
  expect(reasonText(lost)).toBe('3 of 5 cases not run (--max-creates, --budget)');
});

test('reasonText: the client stopped a run -> why; untestable operations -> the first ones', () => {
  const because = { code: 'target-gone', detail: 'gone' } as const;
  expect(reasonText({ code: 'run-ended', detail: 'stopped', because })).toBe(
    'the target no longer accepts connections',
  );
  const reasons = [{ code: 'not-documented', detail: 'method', operation: 'TRACE /traced' }] as const;
  expect(reasonText({ code: 'run-ended', detail: 'untestable-operations', reasons, more: 2 })).toBe(
    'no operation of the document can be tested: TRACE /traced: the suite does not send this method; and 2 more',
  );
});
