import { noCredential } from '../src/client/credentials.ts';
import type { Reading } from '../src/oracle/reading.ts';
import { readRetryAfter } from '../src/oracle/rules/rate-limit-headers.ts';
import { anyCase, type CaseContext, type Check, type Probe } from '../src/run/check.ts';
import { createPetOf, getPet, listOrders, listPets } from '../src/run/probes.ts';
import { dayLimitHolds } from './day-limit.ts';
import { limitHolds } from './exhaustion.ts';
import { ordinaryPet } from './support/animals.ts';
import { askList, limitState, spend } from './support/limit.ts';
import { clearMovement, type Movement } from './support/movement.ts';
import { someId } from './support/operations.ts';

/** Which operations count is not shown: listPets first, the others only where it does not move. */
const counted = (context: CaseContext): readonly (() => Probe)[] => [
  () => listPets({ limit: 1 }),
  () => listOrders(),
  ...(context.fixtures.removal() === 'before' ? [() => getPet(someId(context.fixtures))] : []),
  ...(context.fixtures.readOnly ? [] : [() => createPetOf(ordinaryPet(context))]),
];

export const remainingFalls: Check<null> = {
  name: 'RATE-4 Remaining falls as requests are made',
  gives: ['RATE-4'],
  phase: 'main',
  cost: 6,
  once: true,
  examples: () => [null],
  attempt: async (_, context) => {
    let found: Movement | null = null;
    for (const probe of counted(context)) {
      found = await clearMovement(context, probe);
      if (found.moved === 'falls') return context.met('RATE-4');
      if (found.moved === 'unclear') break;
    }
    if (found === null || found.moved === 'unclear')
      return context.undecided(
        'RATE-4',
        'the window moved each time, the limit refills as fast as requests are answered, or the headers could not be read',
      );
    context.breach({
      requirement: 'RATE-4',
      rule: 'stands still',
      message: 'X-RateLimit-Remaining does not fall as requests are made in one window.',
      expected: 'a lower X-RateLimit-Remaining after six requests than after the first of them',
      actual: `X-RateLimit-Remaining: ${found.last.header('x-ratelimit-remaining').join(', ')} each time, on every operation`,
      exchange: found.last.exchange,
    });
  },
};

/** RATE-12: whether requests that are refused with 401 count, as far as their own headers tell. */
export const refusalsAreCounted: Check<null> = {
  name: 'RATE-12 whether 401s count is observed',
  gives: ['RATE-12'],
  phase: 'main',
  cost: 3,
  once: true,
  examples: () => [null],
  attempt: async (_, context) => {
    const states = [];
    for (let count = 0; count < 3; count += 1)
      states.push(limitState(await context.send(listPets({ credential: noCredential }))));
    const remaining = states.map((state) => state?.remaining ?? null);
    const [first = null, , last = null] = remaining;
    if (first === null || last === null)
      return context.end('401s carry no rate limit headers that can be read');
    context.observe('RATE-12', 'Remaining of 401s', last < first ? 'falls' : 'does not fall');
  },
};

/** Requests in the wait of a 429 after which no ban is expected any more. */
const insistence = 60;

/** Observes what a key meets that goes on sending after a 429; only with leave. */
export const banIsObserved: Check<null> = {
  name: 'RATE-12 what follows a 429 is observed',
  gives: ['RATE-12'],
  phase: 'exhaust',
  cost: 120,
  once: true,
  examples: ({ keys }) => (keys.allowBan ? [null] : []),
  attempt: async (_, context) => {
    const send = () => spend(context, askList('rate-limit'));
    const together = () => Promise.all(Array.from({ length: context.fixtures.concurrency }, send));
    // Waits out what an earlier check has met.
    await context.send(askList('rate-limit'));
    let refused: readonly Reading[] = [];
    for (let count = 0; count < 4_000 && refused.length === 0; count += context.fixtures.concurrency)
      refused = (await together()).filter(({ status }) => status === 429);
    const [first] = refused;
    if (first === undefined) return context.end('no 429 came');
    const wait = readRetryAfter(first)?.seconds ?? 0;
    for (let count = refused.length; count <= insistence; count += 1) {
      const reading = await send();
      const now = readRetryAfter(reading)?.seconds ?? 0;
      if (reading.status === 200) return context.observe('RATE-12', 'ban', 'none before the limit reset');
      if (reading.status !== 429 || now > wait + 5) {
        const length = now > 0 ? `, Retry-After ${Math.round(now)} s` : '';
        return context.observe(
          'RATE-12',
          'ban',
          `after ${count} requests in the wait of a 429: status ${reading.status}${length}`,
        );
      }
    }
    context.observe('RATE-12', 'ban', `none after ${insistence} requests during a Retry-After`);
  },
};

export const rateLimits: readonly Check<unknown>[] = [
  anyCase(remainingFalls),
  anyCase(refusalsAreCounted),
  anyCase(limitHolds),
  anyCase(dayLimitHolds),
  anyCase(banIsObserved),
];
