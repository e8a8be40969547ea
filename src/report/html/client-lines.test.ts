import { expect, test } from 'vitest';
import { clientSection } from './client-lines.ts';

const line = {
  name: 'ban',
  durationMs: 4000,
  requests: [
    { at: 0, status: 429, isWrong: false },
    { at: 500, status: 429, isWrong: true },
    { at: 4000, status: 200, isWrong: false },
  ],
  waits: [{ from: 0, until: 3000 }],
};

test('clientSection: a request during a wait -> a wrong tick inside the bar', () => {
  const markup = clientSection([line])?.markup ?? '';
  const xOf = (name: string) =>
    [...markup.matchAll(new RegExp(`class="${name}" x="([\\d.]+)"`, 'g'))].map(([, x]) => Number(x));
  expect(xOf('wait')).toEqual([0]);
  expect(xOf('refused')).toEqual([0]);
  expect(xOf('wrong')).toEqual([124.6]);
  expect(xOf('requests')).toEqual([997]);
  expect(markup).toContain('ban: 3 requests in 4.0 s, 2 got 429, 1 wrong');
});

test('clientSection: no client -> nothing', () => {
  expect(clientSection(undefined)).toBeNull();
});
