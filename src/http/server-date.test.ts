import { expect, test } from 'vitest';
import { parsedResponse } from '../../test/support/build.ts';
import { listPets } from '../check/requests.ts';
import { createServerDate } from './server-date.ts';

const second = 1_000;
const day = 24 * 3_600;

/** A response with a `Date` in seconds after the Unix epoch. */
const dated = (seconds: number, headers = {}) =>
  parsedResponse(listPets({}), { headers: { Date: new Date(seconds * second).toUTCString(), ...headers } });

const nowAfter = (...responses: readonly ReturnType<typeof dated>[]): number => {
  const today = createServerDate(null, () => 0);
  for (const response of responses) today.update(response);
  return today.now() / second;
};

test('today: setting -> Date headers are ignored', () => {
  const today = createServerDate(5, () => 70_000);
  today.update(dated(900));
  expect(today.now()).toBe(5);
});

test("today: no Date -> the run's clock", () => {
  expect(createServerDate(null, () => 70_000).now()).toBe(70_000);
  expect(nowAfter(parsedResponse(listPets({}), { headers: { Date: null } }))).toBe(0);
});

test('today: a Date, then time passes -> the time moves on', () => {
  let now = 0;
  const today = createServerDate(null, () => now);
  today.update(dated(500));
  now = 10 * second;
  expect(today.now()).toBe(510 * second);
});

test('today: responses took some seconds -> the latest time', () => {
  expect(nowAfter(...[500, 503, 501].map((seconds) => dated(seconds)))).toBe(503);
});

test('today: one Date far ahead of the others -> ignored', () => {
  expect(nowAfter(...[500, 90_000, 500].map((seconds) => dated(seconds)))).toBe(500);
});

test('today: first Date days before the others -> ignored', () => {
  const now = 30 * day;
  expect(nowAfter(dated(now - 2 * day), dated(now))).toBe(now);
  expect(nowAfter(dated(now - 2 * day), dated(now + 1), dated(now - 2 * day), dated(now))).toBe(now + 1);
});

test('today: responses with Age -> ignored', () => {
  const cached = dated(500, { Age: '172800' });
  expect(nowAfter(cached, cached, dated(3 * day), cached, cached)).toBe(3 * day);
});
