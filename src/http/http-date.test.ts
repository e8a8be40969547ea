import fc from 'fast-check';
import { expect, test } from 'vitest';
import { httpDate } from './http-date.ts';

const two = (value: number) => String(value).padStart(2, '0');
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

test('any second from 2000 to 2049, in each of the three forms -> its time', () => {
  const second = fc.integer({ min: Date.UTC(2000, 0) / 1000, max: Date.UTC(2049, 11, 31) / 1000 });
  fc.assert(
    fc.property(second, (seconds) => {
      const date = new Date(seconds * 1000);
      const imf = date.toUTCString();
      const [day = '', month = '', time = ''] = imf
        .split(' ')
        .slice(1)
        .filter((_, index) => index !== 2);
      const year = date.getUTCFullYear();
      const rfc850 = `${days[date.getUTCDay()]}, ${day}-${month}-${two(year % 100)} ${time} GMT`;
      const asctime = `${imf.slice(0, 3)} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`;
      for (const text of [imf, rfc850, asctime]) expect(httpDate(text)).toBe(seconds * 1000);
    }),
  );
});

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT'],
  ['Sunday, 06-Nov-94 08:49:37 GMT'],
  ['Sun Nov  6 08:49:37 1994'],
])('example of RFC 9110: %s -> its time', (text) => {
  expect(httpDate(text)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
});

test.each([
  [''],
  ['1994'],
  ['784111777'],
  ['1994-11-06T08:49:37Z'],
  ['Xyz Nov  6 08:49:37 1994'],
  ['Sunday, 06-Xyz-94 08:49:37 GMT'],
  ['Sun, 06 Nov 1994 08:49:37'],
  ['Sun, 06 Nov 1994 08:49:37 UTC'],
  ['Sun, 06 Nov 1994 08:49:37 +0000'],
  ['Sun, 6 Nov 1994 08:49:37 GMT'],
  ['06 Nov 1994 08:49:37 GMT'],
  ['Sun, 06 Nov 1994 25:49:37 GMT'],
  ['sun, 06 nov 1994 08:49:37 gmt'],
])('%j -> not an HTTP-date', (text) => {
  expect(httpDate(text)).toBeNull();
});
