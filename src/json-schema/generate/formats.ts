import fc, { type Arbitrary } from 'fast-check';
import { intRanges } from '../exact-keywords.ts';

/** Values that have a format of strings, systematic ones first. */
export interface FormatValues {
  readonly arbitrary: Arbitrary<string>;
  readonly examples: readonly string[];
  /** Tells whether a text has the format. Absent: a schema's validator does. */
  readonly accepts?: (text: string) => boolean;
}

/** A format of strings, with near misses that do not have it. */
interface StringFormat extends FormatValues {
  readonly nearMisses: readonly string[];
}

const digits = (length: number) => (value: number) => String(value).padStart(length, '0');
const date = fc
  .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('2099-12-31T23:59:59Z'), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10));
const time = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59))
  .map((parts) => `${parts.map(digits(2)).join(':')}Z`);
const word = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
  minLength: 1,
  maxLength: 12,
});
const label = word.filter((text) => !/^\d/.test(text));
const hostname = fc
  .array(label, { minLength: 1, maxLength: 3 })
  .map((labels) => [...labels, 'example'].join('.'));
const path = fc.array(word, { maxLength: 3 }).map((words) => `/${words.join('/')}`);
const uri = fc.tuple(hostname, path).map(([host, at]) => `https://${host}${at}`);
const email = fc.tuple(label, hostname).map(([name, host]) => `${name}@${host}`);

const host: StringFormat = {
  arbitrary: hostname,
  examples: ['a.example', 'xn--bcher-kva.example'],
  nearMisses: ['-a.example', 'a..example', 'a b', ''],
};
const address: StringFormat = {
  arbitrary: email,
  examples: ['a@b.example', 'first.last+tag@sub.domain.example'],
  nearMisses: ['a', 'a@', '@b.example', 'a b@c.example', ''],
};
const link: StringFormat = {
  arbitrary: uri,
  examples: ['https://a.example/', 'https://a.example/b?c=d#e', 'urn:isbn:0451450523'],
  nearMisses: ['a', '/relative', 'http://a b', '://a', ''],
};

/** Text of bytes, with zeros as padding bits (RFC 4648 3.5): decoders may refuse others. */
function encoded(encoding: 'base64' | 'base64url' | 'hex'): Arbitrary<string> {
  return fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString(encoding));
}

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const toBase32 = (bytes: Uint8Array): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const text = (bits.match(/.{1,5}/g) ?? [])
    .map((five) => base32[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
  return text.padEnd(Math.ceil(text.length / 8) * 8, '=');
};

/** The formats with a grammar, by name. Others (`password`, `binary`, …) do not restrict a string. */
export const stringFormats: Readonly<Record<string, StringFormat>> = {
  date: {
    arbitrary: date,
    examples: ['2000-01-01', '2024-02-29', '1999-12-31'],
    nearMisses: ['2023-02-29', '2000-13-01', '2000-00-10', '2000-1-1', '01/02/2000', '20000101', ''],
  },
  time: {
    arbitrary: time,
    examples: ['00:00:00Z', '23:59:59Z', '12:30:00.123+05:30'],
    nearMisses: ['24:00:00Z', '12:60:00Z', '12:00Z', '12', ''],
  },
  'date-time': {
    arbitrary: fc.tuple(date, time).map(([day, hour]) => `${day}T${hour}`),
    examples: ['2000-01-01T00:00:00Z', '2024-02-29T23:59:59.999Z', '1999-12-31T12:00:00+14:00'],
    nearMisses: [
      '2000-01-01',
      '2000-01-01T25:00:00Z',
      '2023-02-29T00:00:00Z',
      '2000-01-01T00:00:00',
      '2000-01-01 00:00:00Z',
      '2000-01-01T00:00:00+0000',
      'yesterday',
      '',
    ],
  },
  duration: {
    arbitrary: fc.nat(1000).map((days) => `P${days}D`),
    examples: ['P1D', 'PT0S', 'P1Y2M3DT4H5M6S'],
    nearMisses: ['P', '1D', 'PT', 'P1S', ''],
  },
  email: address,
  'idn-email': address,
  uuid: {
    arbitrary: fc.uuid(),
    examples: ['00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
    nearMisses: ['00000000-0000-4000-8000-00000000000', '0000000000004000800000000000000g', 'not-a-uuid', ''],
  },
  uri: link,
  iri: link,
  'uri-reference': {
    ...link,
    examples: [...link.examples, '/relative', '?a=b', '#c'],
    nearMisses: ['http://a b', '\\\\server', '#a b'],
  },
  'iri-reference': { ...link, nearMisses: ['http://a b', '\\\\server', '#a b'] },
  'uri-template': {
    ...link,
    examples: [...link.examples, 'https://a.example/{id}'],
    nearMisses: ['https://a.example/{id', '{', '}'],
  },
  hostname: host,
  'idn-hostname': host,
  ipv4: {
    arbitrary: fc.ipV4(),
    examples: ['0.0.0.0', '255.255.255.255', '192.0.2.1'],
    nearMisses: ['256.0.0.1', '1.2.3', '1.2.3.4.5', '::1', ''],
  },
  ipv6: {
    arbitrary: fc.ipV6().filter((text) => !text.includes('.')),
    examples: ['::', '::1', '2001:db8::ff00:42:8329'],
    nearMisses: ['1::2::3', '12345::', '192.0.2.1', ':', ''],
  },
  byte: {
    arbitrary: encoded('base64'),
    examples: ['', 'AA==', 'AAA=', 'AAAA', '+/+/'],
    nearMisses: ['A', '*', 'AA=A', 'A==='],
  },
  // As protobuf names it in the documents of gRPC gateways.
  bytes: { arbitrary: encoded('base64'), examples: ['', 'AA==', 'AAAA'], nearMisses: [] },
  base64url: { arbitrary: encoded('base64url'), examples: ['', 'AA', 'AAAA', '-_-_'], nearMisses: [] },
  base32: {
    arbitrary: fc.uint8Array({ maxLength: 20 }).map(toBase32),
    examples: ['', 'MY======', 'MZXW6YTB'],
    nearMisses: [],
  },
  base16: {
    arbitrary: encoded('hex').map((text) => text.toUpperCase()),
    examples: ['', '00', 'FF0A'],
    nearMisses: [],
  },
  'application/json': {
    arbitrary: fc.json({ maxDepth: 1 }),
    examples: ['{}', '[]', '{"a":1}', 'null'],
    nearMisses: [],
  },
  'json-pointer': { arbitrary: path, examples: ['', '/', '/a~0b~1c/0'], nearMisses: ['a', '/~', '/~2'] },
  'relative-json-pointer': {
    arbitrary: fc.nat(9).map(String),
    examples: ['0', '1/a', '0#'],
    nearMisses: ['/a', '-1', '01'],
  },
  regex: { arbitrary: word, examples: ['', '^a$', '[a-z]+'], nearMisses: ['(', '[', '*', '\\'] },
};

const wholeNumbers = (min: bigint, max: bigint): FormatValues => ({
  arbitrary: fc.bigInt({ min, max }).map(String),
  examples: [...new Set([0n, 1n, max, min].filter((value) => value >= min).map(String))],
  accepts: (text) => /^-?(0|[1-9]\d*)$/.test(text) && BigInt(text) >= min && BigInt(text) <= max,
});

const decimals: FormatValues = {
  arbitrary: fc
    .tuple(fc.integer({ min: -9999, max: 9999 }), fc.option(fc.nat(99), { nil: null }))
    .map(([whole, part]) => (part === null ? String(whole) : `${whole}.${digits(2)(part)}`)),
  examples: ['0', '1', '-1', '0.5', '12.34'],
  accepts: (text) => /^-?\d+(\.\d+)?$/.test(text),
};

const anyWhole = wholeNumbers(-(2n ** 53n) + 1n, 2n ** 53n - 1n);

/** Formats of numbers, which gRPC gateways, Django and .NET also give to strings. Validators ignore them there. */
export const numberFormats: Readonly<Record<string, FormatValues>> = {
  ...Object.fromEntries(
    Object.entries(intRanges).map(([name, [min, max]]) => [name, wholeNumbers(min, max)]),
  ),
  int: anyWhole,
  integer: anyWhole,
  long: anyWhole,
  bigint: anyWhole,
  decimal: decimals,
  double: decimals,
  float: decimals,
  number: decimals,
};

/** Tells whether values of a format can be generated. Other formats do not restrict a string. */
export const hasGrammar = (format: string): boolean =>
  Object.hasOwn(stringFormats, format) || Object.hasOwn(numberFormats, format);
