import { expect, test } from 'vitest';
import type { Transport, TransportResult } from '../../src/http/exchange.ts';
import { rootCauses } from '../../src/report/root-causes.ts';
import { isOfServer } from '../../src/run/outcome.ts';
import { serve, setupFor } from '../../src/selftest/server.ts';
import { outcomeOn } from '../support/run-in-words.ts';

const timeout: TransportResult = {
  ok: false,
  failure: { kind: 'timeout', detail: { code: 'no-response', withinMs: 10_000 }, reused: false },
};

/** A server on which creations get no response while `hangs`, after the first twenty requests. */
const outcomeOfServer = async (hangs: (creationsInFlight: number) => boolean) => {
  const setup = setupFor({ kind: 'fault', names: [] });
  const { target, clock } = serve(setup, 1);
  let [sent, creations] = [0, 0];
  const send: Transport['send'] = async (request, sending) => {
    sent += 1;
    if (request.method !== 'POST' || sent < 20) return target.transport.send(request, sending);
    creations += 1;
    try {
      if (!hangs(creations)) return await target.transport.send(request, sending);
      await clock.sleep(sending.timeoutMs);
      return timeout;
    } finally {
      creations -= 1;
    }
  };
  const transport = { ...target.transport, send };
  return outcomeOn(setup, {}, { target: { ...target, transport }, clock });
};

const noResponses = ({ requirements }: Awaited<ReturnType<typeof outcomeOfServer>>) =>
  requirements
    .flatMap(({ failures }) => failures)
    .filter(isOfServer)
    .filter(({ rule }) => rule === 'no-response');

test('a server that hangs only while several creations are in flight -> said, and the run goes on with one request at a time', async () => {
  const outcome = await outcomeOfServer((inFlight) => inFlight > 1);
  expect(outcome.ended).toBeNull();
  expect(noResponses(outcome).map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/The same request alone got a response.*--concurrency 1/),
  );
  const failed = outcome.requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
  expect(failed).toEqual(['GEN-4']);
});

test('a server that hangs always -> the run ends after 30 s of waiting, and that is the first root cause', async () => {
  const outcome = await outcomeOfServer(() => true);
  expect(outcome.ended).toContain('too many timeouts');
  expect(outcome.durationMs).toBeLessThan(60_000);
  expect(
    noResponses(outcome)
      .map(({ message }) => message)
      .join(),
  ).not.toContain('--concurrency 1');
  const [first] = rootCauses(outcome);
  expect(first?.kind === 'failure' && first.failure.rule).toBe('no-response');
});
