import { describe, expect, test } from 'vitest';
import { isStandardForm, readRetryAfter } from './retry-after.ts';

const noon = Date.parse('2030-12-05T10:00:00Z');

describe('time after the response', () => {
  test.each([
    ['0', 'seconds', 0],
    ['007', 'seconds', 7_000],
    ['1764085298', 'seconds', 1_764_085_298_000],
    ['3.2', 'decimal seconds', 3_200],
    ['+30', 'decimal seconds', 30_000],
    ['4.2e1', 'decimal seconds', 42_000],
    ['4s', 'duration with a unit', 4_000],
    ['4 seconds', 'duration with a unit', 4_000],
    ['4.5 sec', 'duration with a unit', 4_500],
    ['500ms', 'duration with a unit', 500],
    ['2m', 'duration with a unit', 120_000],
    ['1m0.5s', 'duration with a unit', 60_500],
    ['1 minute, 30 seconds', 'duration with a unit', 90_000],
    ['1h', 'duration with a unit', 3_600_000],
    ['PT30S', 'ISO 8601 duration', 30_000],
    ['PT1M59.5S', 'ISO 8601 duration', 119_500],
    ['P1DT2H', 'ISO 8601 duration', 93_600_000],
  ])('%j -> %s', (value, form, ms) => {
    expect(readRetryAfter(value)).toEqual({ form, time: { kind: 'after', ms } });
  });
});

describe('date', () => {
  test.each([
    ['Thu, 05 Dec 2030 10:00:00 GMT', 'HTTP-date'],
    ['Thursday, 05-Dec-30 10:00:00 GMT', 'HTTP-date'],
    ['Thu Dec  5 10:00:00 2030', 'HTTP-date'],
    ['2030-12-05T10:00:00Z', 'ISO 8601 date'],
    ['2030-12-05T10:00:00.000Z', 'ISO 8601 date'],
    ['2030-12-05T12:00:00+02:00', 'ISO 8601 date'],
    ['2030-12-05T12:00:00+0200', 'ISO 8601 date'],
    ['2030-12-05 10:00:00', 'ISO 8601 date'],
    ['2030-12-05 10:00:00.000000+00:00', 'ISO 8601 date'],
    ['2030-12-05 10:00:00 UTC', 'ISO 8601 date'],
    ['2030-12-05 10:00:00 +0000 UTC', 'ISO 8601 date'],
    ['Thu, 5 Dec 2030 10:00:00 +0000', 'other date'],
    ['Thu, 05 Dec 2030 10:00:00 -0000', 'other date'],
    ['5 Dec 2030 12:00:00 +0200', 'other date'],
    ['Thu, 05 Dec 2030 10:00:00', 'other date'],
    ['Thu Dec 05 2030 10:00:00 GMT+0000 (Coordinated Universal Time)', 'other date'],
    ['Thu Dec 05 10:00:00 UTC 2030', 'other date'],
  ])('%j -> %s', (value, form) => {
    expect(readRetryAfter(value)).toEqual({ form, time: { kind: 'at', at: noon } });
  });
});

test.each([
  ...['', ' ', '.', 'PT', '-1', '-3.5', 'NaN', 'Infinity', '30, 60', '4 apples'],
  ...['soon', 'in a minute', 'soon 2030', '2030-13-45T10:00:00Z', 'Thu, 05 Dec 2030'],
])('%j -> not a time', (value) => {
  expect(readRetryAfter(value)).toBeNull();
});

test('isStandardForm: whole seconds and HTTP-date -> true', () => {
  expect(isStandardForm('seconds')).toBe(true);
  expect(isStandardForm('HTTP-date')).toBe(true);
  expect(isStandardForm('other date')).toBe(false);
});
