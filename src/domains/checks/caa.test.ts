import fc from 'fast-check';
import { expect, test } from 'vitest';
import { issuerOf } from './caa.ts';

const label = fc.stringMatching(/^[a-z0-9]+(-[a-z0-9]+)?$/);
const issuer = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
const space = fc.stringMatching(/^ {0,3}$/);
const parameter = fc
  .tuple(label, fc.stringMatching(/^[!-:<-~]{0,9}$/))
  .map(([tag, value]) => `${tag}=${value}`);

test('CAA issue: an issuer in any case, with spaces and parameters -> the issuer', () => {
  fc.assert(
    fc.property(issuer, space, space, fc.array(parameter), (name, before, after, parameters) => {
      const end = parameters.length === 0 ? '' : `;${after}${parameters.join(`${before};${after}`)}`;
      expect(issuerOf(`${before}${name.toUpperCase()}${after}${end}`)).toBe(name);
    }),
  );
});

test.each([
  '',
  ';',
  ' ',
  '; ',
  '%%%%%',
  'ca.example policy=ev',
  'ca..example',
  '.ca.example',
  'ca.example.',
  'ca_1.example',
  'ca.example; policy',
  'ca.example\u0000',
])('CAA issue: %j -> nobody', (value) => {
  expect(issuerOf(value)).toBe(null);
});

test('CAA issue: 60,000 characters -> decided at once', () => {
  const start = performance.now();
  expect(issuerOf(`${'a-'.repeat(30_000)}!`)).toBe(null);
  expect(issuerOf(`${' '.repeat(60_000)}!`)).toBe(null);
  expect(issuerOf(`ca.example;${' a=b;'.repeat(12_000)} !`)).toBe(null);
  expect(performance.now() - start).toBeLessThan(5_000);
});
