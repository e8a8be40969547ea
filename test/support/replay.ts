import type { Transport, TransportOptions, TransportResult, WireRequest } from '../../src/http/exchange.ts';
import { type ServerSetup, serve } from '../../src/selftest/server.ts';
import { runOn, seed } from '../golden/golden.ts';

interface Step {
  readonly at: number;
  readonly request: WireRequest;
  readonly sending: TransportOptions;
}

/** Requests, and the responses of a server without patches when they are sent one after the other. */
export interface Script {
  readonly steps: readonly Step[];
  readonly responses: readonly string[];
}

/** A response, or why there is none, with its time. */
const textOf = (result: TransportResult, now: number): string => {
  if (!result.ok) return `${now} ${result.failure.kind}`;
  const { status, headers, body } = result.response;
  return JSON.stringify([now, status, headers, Buffer.from(body).toString('latin1')]);
};

/** The responses of a server to the requests of a script, which are sent one after the other. */
async function* responsesOf(steps: readonly Step[], setup: ServerSetup): AsyncGenerator<string> {
  const { target, clock } = serve(setup, seed);
  for (const { at, request, sending } of steps) {
    if (at > clock.now()) await clock.sleep(at - clock.now());
    yield textOf(await target.transport.send(request, sending), clock.now());
  }
}

/** The requests of a run against a server. */
const requestsOf = async (setup: ServerSetup): Promise<readonly Step[]> => {
  const { target, clock } = serve(setup, seed);
  const { transport } = target;
  const steps: Step[] = [];
  const send: Transport['send'] = (request, { signal: _, ...sending }) => {
    steps.push({ at: clock.now(), request, sending });
    return transport.send(request, sending);
  };
  await runOn(setup, { ...target, transport: { ...transport, send } }, clock);
  return steps;
};

/** The script of a run against a server. */
export const recordScript = async (setup: ServerSetup): Promise<Script> => {
  const steps = await requestsOf(setup);
  const responses: string[] = [];
  for await (const response of responsesOf(steps, setup)) responses.push(response);
  return { steps, responses };
};

/** The requests of a script to which a server responds differently, with what it responds. */
export async function* differences(
  { steps, responses }: Script,
  setup: ServerSetup,
): AsyncGenerator<{ readonly request: WireRequest; readonly response: string }> {
  let index = 0;
  for await (const response of responsesOf(steps, setup)) {
    const step = steps[index];
    if (step !== undefined && response !== responses[index]) yield { request: step.request, response };
    index += 1;
  }
}
