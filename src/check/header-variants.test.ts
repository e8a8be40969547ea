import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bearer, invalidKeys, wrongSchemes } from '../http/credentials.ts';
import { toWire } from '../http/wire.ts';
import { withVariant } from './header-variants.ts';
import { createPet, getPet, listOrders, listPets } from './requests.ts';

const sent = (probe: ReturnType<typeof listPets>) =>
  toWire(probe.request, 'http://localhost/v1', 'key', '1').headers.filter(([name]) => name === 'Accept');

test('requests of each operation accept JSON alone, JSON among others, or anything', () => {
  const kinds = [
    (turn: number) => listPets({ limit: turn }),
    (turn: number) => getPet(String(turn)),
    (turn: number) => createPet({ name: `Rex ${turn}` }),
  ];
  for (const kind of kinds) {
    const accepted = Array.from({ length: 60 }, (_, turn) =>
      sent(kind(turn + 1))
        .map(([, value]) => value)
        .join(),
    );
    expect(new Set(accepted)).toEqual(
      new Set([
        'application/json',
        '*/*',
        'application/json;q=0.9, */*;q=0.1',
        'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
        '',
      ]),
    );
  }
});

test('the same request has the same headers each time', () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      expect(sent(createPet({ name }))).toEqual(sent(createPet({ name })));
    }),
  );
});

test('another label of a credential -> the same headers', () => {
  for (const credential of [bearer('main'), ...invalidKeys, ...wrongSchemes]) {
    const renamed = { ...credential, label: 'another label' };
    expect(sent(listPets({ credential: renamed }))).toEqual(sent(listPets({ credential })));
  }
});

test('a request with an Accept header of its own keeps it', () => {
  expect(sent(listOrders({ accept: '*/*' }))).toEqual([['Accept', '*/*']]);
  const { request } = listOrders({ accept: 'text/plain' });
  expect(withVariant(request)).toBe(request);
});
