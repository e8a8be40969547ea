import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bearer, invalidKeys, wrongSchemes } from '../http/credentials.ts';
import { toWire } from '../http/wire.ts';
import { irrelevantFields, withVariant } from './header-variants.ts';
import { createPet, getPet, listOrders, listPets } from './requests.ts';

const acceptHeaders = (probe: ReturnType<typeof listPets>) =>
  toWire(probe.request, 'http://localhost/v1', 'key', '1').headers.filter(([name]) => name === 'Accept');

test('60 requests of each operation -> every variant of the Accept header', () => {
  const kinds = [
    (index: number) => listPets({ limit: index }),
    (index: number) => getPet(String(index)),
    (index: number) => createPet({ name: `Rex ${index}` }),
  ];
  for (const kind of kinds) {
    const accepted = Array.from({ length: 60 }, (_, index) =>
      acceptHeaders(kind(index + 1))
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

test('the same request twice -> the same headers', () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      expect(acceptHeaders(createPet({ name }))).toEqual(acceptHeaders(createPet({ name })));
    }),
  );
});

test('another label of a credential -> the same headers', () => {
  for (const credential of [bearer('main'), ...invalidKeys, ...wrongSchemes]) {
    const renamed = { ...credential, label: 'another label' };
    expect(acceptHeaders(listPets({ credential: renamed }))).toEqual(acceptHeaders(listPets({ credential })));
  }
});

test('a request with an Accept header -> keeps it', () => {
  expect(acceptHeaders(listOrders({ accept: '*/*' }))).toEqual([['Accept', '*/*']]);
  const { request } = listOrders({ accept: 'text/plain' });
  expect(withVariant(request)).toBe(request);
});

test('the headers of a variant -> matter unless a request of another variant has the same result', () => {
  const variantsOf = (accept: string) => withVariant(listOrders({ accept }).request);
  const [json, anything] = [variantsOf('application/json;q=0.9, */*;q=0.1'), variantsOf('*/*')];
  expect(irrelevantFields(json, [])).toEqual([]);
  expect(irrelevantFields(json, [json])).toEqual([]);
  expect(irrelevantFields(json, [json, anything])).toEqual(
    expect.arrayContaining(['Accept', 'Accept-Encoding', 'Accept-Language']),
  );
  expect(irrelevantFields(variantsOf('text/plain'), [json])).toEqual([]);
});
