import { listPets } from '../../src/check/requests.ts';
import { createClient } from '../../src/http/client.ts';
import { anonymous } from '../../src/http/credentials.ts';
import { pacingOf } from '../../src/rate-limit/pacer-testing.ts';
import type { Target } from '../../src/run/run-deps.ts';
import type { Clock } from '../../src/time/clock.ts';

interface Sending {
  readonly concurrency: number;
  readonly sharedKey: boolean;
  /** Length of the server's shorter window, in milliseconds. */
  readonly minuteMs: number;
  /** The number of requests with the key, all at once. For every fifth, one without a key is sent too. */
  readonly requests: number;
}

interface Sent {
  /** The statuses, or the kind of result for a request without a response. */
  readonly withKey: ReadonlySet<number | string>;
  readonly withoutKey: ReadonlySet<number | string>;
  readonly rateLimitedUnasked: number;
  /** When sending paused, and until when. Milliseconds of the clock. */
  readonly waits: readonly { readonly at: number; readonly untilMs: number }[];
}

/** Sends lists as fast as the pacing of the client allows. */
export const sendPaced = async (target: Target, clock: Clock, sending: Sending): Promise<Sent> => {
  const waits: { readonly at: number; readonly untilMs: number }[] = [];
  const client = createClient({
    ...target,
    concurrency: sending.concurrency,
    clock,
    version: '0',
    timeoutMs: 60_000,
    budget: null,
    pacing: pacingOf({ ...sending, plans: target.plans, maxWaitMs: 60_000 }),
    onWait: (_slot, _reason, untilMs) => waits.push({ at: clock.now(), untilMs }),
  });
  const send = async (credential?: typeof anonymous) => {
    const result = await client.send(listPets(credential ? { credential } : {}).request);
    return result.kind === 'responded' ? result.exchange.response.status : result.kind;
  };
  const numbers = Array.from({ length: sending.requests }, (_, index) => index);
  const [withKey, withoutKey] = await Promise.all([
    Promise.all(numbers.map(() => send())),
    Promise.all(numbers.filter((index) => index % 5 === 0).map(() => send(anonymous))),
  ]);
  const { rateLimitedUnasked } = client.traffic();
  client.end();
  return { withKey: new Set(withKey), withoutKey: new Set(withoutKey), rateLimitedUnasked, waits };
};
