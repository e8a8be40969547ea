import { expect, test } from 'vitest';
import { systemClock } from '../../clock/clock.ts';
import { createReference } from '../reference.ts';
import { connectionFaults } from './gen-connections.ts';

const creations = {
  'without a key': [['content-type', 'application/json']],
  'with an invalid key': [
    ['content-type', 'application/json'],
    ['authorization', 'Bearer other'],
  ],
  'in XML': [
    ['authorization', 'Bearer key'],
    ['content-type', 'application/xml'],
  ],
} as const;

/** After which creations the next request of the same connection is not served; `over`: whether it is the same. */
const spoilt = async (fault: (typeof connectionFaults)[number], over: 'the same' | 'another') => {
  const found: string[] = [];
  for (const [label, headers] of Object.entries(creations)) {
    const reference = createReference({
      clock: systemClock,
      keys: [{ key: 'key', plan: 'business' }],
      random: () => 0,
      patches: [fault.patch],
    });
    const [first, next] = [{}, {}];
    const given = headers.map(([name, value]): [string, string] => [name, value]);
    const creation = new Request('http://localhost/v1/pets', {
      method: 'POST',
      headers: given,
      body: '<pet/>',
    });
    await reference.fetch(creation, first);
    const list = () => new Request('http://localhost/v1/pets', { headers: { authorization: 'Bearer key' } });
    const connection = over === 'the same' ? first : next;
    const { status } = await reference.fetch(list(), connection);
    if (status !== 200) found.push(label);
    expect((await reference.fetch(list(), connection)).status, 'the connection after that one').toBe(200);
  }
  return found;
};

test.each([
  ['body-of-an-unauthenticated-creation-left-unread', ['without a key', 'with an invalid key']],
  ['body-of-a-creation-without-a-key-left-unread', ['without a key']],
  ['body-of-another-media-type-left-unread', ['in XML']],
])('%s', async (name, labels) => {
  const [fault] = connectionFaults.filter((each) => each.name === name);
  expect(fault && (await spoilt(fault, 'the same'))).toEqual(labels);
  expect(fault && (await spoilt(fault, 'another'))).toEqual([]);
});

test('each fault is looked at', () => {
  expect(connectionFaults).toHaveLength(3);
});
