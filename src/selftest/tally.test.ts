import { expect, test } from 'vitest';
import { createCounter } from './tally.ts';

const tallied = (live: boolean, total: number, complaints: readonly (string | null)[]): string => {
  let written = '';
  const tally = createCounter({
    live,
    write: (text) => {
      written += text;
    },
  });
  tally.start(total, 'Self-test');
  for (const complaint of complaints) tally.done(complaint);
  tally.stop();
  return written;
};

test('a file gets a line for each tenth, and each complaint at once', () => {
  const complaints = Array.from({ length: 30 }, (_, index) => (index === 4 ? '✕ one survives' : null));
  const lines = tallied(false, 30, complaints).split('\n');
  expect(lines).toEqual([
    'Self-test: 30 servers',
    '3 of 30',
    '✕ one survives',
    ...[6, 9, 12, 15, 18, 21, 24, 27, 30].map((count) => `${count} of 30, 1 not as they have to be`),
    '',
  ]);
});

test('a terminal gets one line that is taken back at the end', () => {
  expect(tallied(true, 2, [null, '✕ two'])).toBe(
    'Self-test: 2 servers\n\r\u001b[K1 of 2\r\u001b[K✕ two\n\r\u001b[K2 of 2, 1 not as they have to be\r\u001b[K',
  );
});
