import { expect, test } from 'vitest';
import { alsoOn, groupFailures, summaryLine } from './group-failures.ts';
import { failure } from './testing.ts';

const on = (operation: string, message: string) => failure({ operation, message });
const told = (...failures: readonly ReturnType<typeof failure>[]) =>
  groupFailures(failures).map(({ failure: { message }, alsoOn }) => [message, alsoOn]);

test('what is the same on several operations is told once', () => {
  const because = 'because it carries no API key';
  expect(
    told(
      on('listPets', `GET /pets with no key is answered with 200; 401 is due, ${because}.`),
      on('createPet', `POST /pets with no key is answered with 201; 401 is due, ${because}.`),
      on('getPet', `GET /pets/26 with no key is answered with 404; 401 is due, ${because}.`),
      on('listOrders', `GET /store/orders with no key is answered with 200; 401 is due, ${because}.`),
    ),
  ).toEqual([
    [expect.stringMatching(/^GET \/pets with/), ['createPet', 'listOrders']],
    [expect.stringMatching(/^GET \/pets\/26/), []],
  ]);
});

test('two failures of one operation stay two', () => {
  const twice = [on('getPet', 'GET /pets/1 is slow.'), on('getPet', 'GET /pets/2 is slow.')];
  expect(told(...twice, on('listPets', 'GET /pets is slow.'))).toEqual([
    ['GET /pets/1 is slow.', []],
    ['GET /pets/2 is slow.', []],
    ['GET /pets is slow.', []],
  ]);
});

test('operations are listed as people list them', () => {
  expect(alsoOn(['getPet'])).toBe('the same on getPet');
  expect(alsoOn(['createPet', 'getPet', 'listOrders'])).toBe('the same on createPet, getPet and listOrders');
});

test('in one sentence the first is told, and how many more there are', () => {
  const [get, post] = [on('listPets', 'GET /pets is slow.'), on('createPet', 'POST /pets is slow.')];
  const other = on('getPet', 'GET /pets/1 is gone.');
  expect(summaryLine([])).toBeNull();
  expect(summaryLine([get])).toBe('GET /pets is slow.');
  expect(summaryLine([get, other])).toBe('GET /pets is slow. (and 1 more)');
  expect(summaryLine([get, other, post])).toBe('GET /pets is slow. (the same on createPet, and 1 more)');
});
