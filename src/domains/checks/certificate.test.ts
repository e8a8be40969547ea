import { expect, test } from 'vitest';
import { coversName } from './certificate.ts';

test.each([
  [['www.shop.example'], true],
  [['WWW.Shop.Example.'], true],
  [['*.shop.example'], true],
  [['other.example', 'www.shop.example'], true],
  [[], false],
  [['shop.example'], false],
  [['*.example'], false],
  [['*.*.example'], false],
  [['w*.shop.example'], false],
  [['*'], false],
  [['a.www.shop.example'], false],
  [['www.shop.example, DNS:www.shop.example'], false],
] as const)('subjectAltName %j: covers www.shop.example -> %s', (subjectAltName, covers) => {
  expect(coversName({ subjectAltName }, 'www.shop.example')).toBe(covers);
});

test('a wildcard: below a top-level domain -> covers nothing', () => {
  expect(coversName({ subjectAltName: ['*.example'] }, 'shop.example')).toBe(false);
});
