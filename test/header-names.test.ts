import { expect, test } from 'vitest';
import type { Transport } from '../src/client/exchange.ts';
import { createVirtualClock } from '../src/clock/virtual-clock.ts';
import { countingServer } from './support/counting-server.ts';
import { alarms, judge } from './support/paced-run.ts';

/** A server that looks a header up by its name as it was written: no HTTP library does, but maps of headers do. */
const asWritten = ({ send, close }: Transport, name: string): Transport => ({
  send: (wire, options) =>
    send(
      {
        ...wire,
        headers: wire.headers.filter(
          ([written]) => written === name || written.toLowerCase() !== name.toLowerCase(),
        ),
      },
      options,
    ),
  close,
});

test('who finds Authorization only as it is mostly written is told so', async () => {
  const clock = createVirtualClock(Date.parse('2026-06-01T12:00:17.300Z'));
  const grants = { main: { key: 'main-key-of-these-tests', plan: 'business' } } as const;
  const { target } = countingServer({ grants }, clock, 2);
  const strict = { ...target, transport: asWritten(target.transport, 'Authorization') };
  const { outcome } = await judge(strict, clock, {});
  expect(alarms(outcome).filter((each) => each.startsWith('AUTH'))).toEqual([]);
  const [failure] = outcome.requirements.find(({ id }) => id === 'LIST-1')?.failures ?? [];
  expect(failure?.message).toMatch(
    /is answered with 401; .* Only requests with accept: \*\/\* and the names of all headers in lower case met this\.$/,
  );
});
