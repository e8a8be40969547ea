import {
  anonymous,
  type Credential,
  changedEnd,
  changedKeys,
  emptyKey,
  invalidKeys,
  type KeyScheme,
  misplacedKey,
  prefixOfKey,
  randomKey,
  withChangedGiven,
  withoutGiven,
} from '../../src/check/credentials.ts';
import type { OperationUnderTest } from './operations.ts';
import { keySchemeFor, type MetScheme } from './schemes.ts';

type Exercised = Pick<OperationUnderTest, 'schemes' | 'credential' | 'document'>;

const headersIn = (schemes: readonly MetScheme[]): readonly string[] =>
  schemes.flatMap((each) => (each.by === 'header' ? [each.header] : []));

const keySchemeIn = (schemes: readonly MetScheme[]): KeyScheme | null =>
  schemes.flatMap((each) => (each.by === 'key' ? [each.scheme] : []))[0] ?? null;

/** The same request without any credential, and without each of several that are needed together. */
export const missingCredentials = ({ schemes, credential }: Exercised): readonly Credential[] => {
  const headers = headersIn(schemes);
  const nothing = headers.length === 0 ? anonymous : withoutGiven(anonymous, 'no key', headers);
  if (schemes.length < 2) return [nothing];
  return [
    nothing,
    ...(keySchemeIn(schemes) === null ? [] : [{ ...anonymous, label: 'the given headers without the key' }]),
    ...headers.map((header) => withoutGiven(credential, `no ${header} header`, [header])),
  ];
};

const unknownToken = 'xyzzy-0123456789-plugh';

/** The same request with an invalid key, or with an invalid value of a header that carries one. */
export const invalidCredentials = (
  { schemes, credential }: Exercised,
  isThorough: boolean,
): readonly Credential[] => {
  const scheme = keySchemeIn(schemes);
  const ofKey = scheme === null ? [] : invalidUnder(scheme, isThorough);
  const ofHeaders = headersIn(schemes).flatMap((header) => {
    const changed = (label: string, alter: (value: string) => string) =>
      withChangedGiven(credential, header, { label, alter });
    const shorter = changed(`${header} without its last character`, (value) => value.slice(0, -1));
    return [
      changed(`a random ${header}`, () => unknownToken),
      changed(`${header} with its last character changed`, changedEnd),
      ...(isThorough ? [shorter] : []),
    ];
  });
  return [...ofKey, ...ofHeaders];
};

const invalidUnder = (scheme: KeyScheme, isThorough: boolean): readonly Credential[] => {
  if (isThorough && scheme.kind === 'bearer') return [randomKey(unknownToken, scheme), ...invalidKeys];
  return [
    randomKey(unknownToken, scheme),
    ...changedKeys(scheme),
    ...(isThorough ? [emptyKey(scheme), prefixOfKey(scheme)] : []),
  ];
};

const placeText: Readonly<Record<KeyScheme['kind'], string>> = {
  bearer: 'as a bearer token',
  basic: 'as Basic credentials',
  header: 'in the header',
  query: 'in the query, as',
  cookie: 'in the cookie',
};

/** Places where servers look for a key, besides the documented one. */
const otherPlaces = (scheme: KeyScheme): readonly KeyScheme[] => {
  const name = 'name' in scheme ? scheme.name : 'api_key';
  const header = 'name' in scheme ? scheme.name : 'X-API-Key';
  return [
    { kind: 'bearer' },
    { kind: 'header', name: header },
    { kind: 'query', name },
    { kind: 'cookie', name },
  ];
};

/** The name of a query parameter need not be the name of a header or cookie. */
const canBeNamed = (place: KeyScheme): boolean =>
  (place.kind !== 'header' && place.kind !== 'cookie') || /^[!#$%&'*+.^_`|~\w-]+$/.test(place.name);

const sameForm = (a: KeyScheme) => (b: KeyScheme) => JSON.stringify(a) === JSON.stringify(b);

/** The valid key in a place that the document has for no operation. */
export const misplacedCredentials = ({ schemes, document }: Exercised): readonly Credential[] => {
  const scheme = keySchemeIn(schemes);
  if (scheme === null) return [];
  const documented = document.operations
    .flatMap(({ security }) => security.flat())
    .flatMap((each) => keySchemeFor(each) ?? []);
  return otherPlaces(scheme)
    .filter((place) => place.kind !== scheme.kind && canBeNamed(place) && !documented.some(sameForm(place)))
    .map((place) =>
      misplacedKey(`the valid key ${placeText[place.kind]}${'name' in place ? ` ${place.name}` : ''}`, place),
    );
};
