import { bearer } from '../src/client/credentials.ts';
import type { Reading } from '../src/oracle/reading.ts';
import { readRetryAfter } from '../src/oracle/rules/rate-limit-headers.ts';
import { anyCase, type CaseContext, type Check, type Probe } from '../src/run/check.ts';
import { createPetOf, getPet, listOrders, listPets } from '../src/run/probes.ts';
import { exhaustion } from './exhaustion.ts';
import { ordinaryPet } from './support/animals.ts';
import { limitState } from './support/limit.ts';
import { someId } from './support/operations.ts';

type Movement = 'falls' | 'stands' | 'unclear';

/** How many requests are sent at once between the two that are compared. */
const between = 4;

/** Whether Remaining falls over a short run of one kind of request, while the window stays the same. */
const movement = async (
  context: CaseContext,
  probe: () => Probe,
): Promise<{ moved: Movement; last: Reading }> => {
  const first = await context.send(probe());
  const middle = await Promise.all(Array.from({ length: between }, () => context.send(probe())));
  const last = await context.send(probe());
  const states = [first, ...middle, last].map(limitState);
  const [before, after] = [states[0], states.at(-1)];
  if (before === undefined || before === null || after === undefined || after === null)
    return { moved: 'unclear', last };
  if (states.some((state) => state === null || state.limit !== before.limit))
    return { moved: 'unclear', last };
  const lowest = Math.min(...states.map((state) => state?.remaining ?? Number.POSITIVE_INFINITY));
  if (after.remaining < before.remaining || lowest < before.remaining) return { moved: 'falls', last };
  return { moved: after.reset === before.reset ? 'stands' : 'unclear', last };
};

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
    let last: Reading | null = null;
    let unclear = false;
    for (const probe of counted(context)) {
      let moved: Movement = 'unclear';
      for (let tries = 0; tries < 3 && moved === 'unclear'; tries += 1)
        ({ moved, last } = await movement(context, probe));
      if (moved === 'falls') return context.met('RATE-4');
      unclear ||= moved === 'unclear';
    }
    if (unclear || last === null)
      return context.undecided('RATE-4', 'the window moved each time, or the headers could not be read');
    context.breach({
      requirement: 'RATE-4',
      rule: 'stands still',
      message: 'X-RateLimit-Remaining does not fall as requests are made in one window.',
      expected: 'a lower X-RateLimit-Remaining after six requests than after the first of them',
      actual: `X-RateLimit-Remaining: ${last.header('x-ratelimit-remaining').join(', ')} each time, on every operation`,
      exchange: last.exchange,
    });
  },
};

/** Observes what a key meets that goes on sending after a 429; only with leave. */
export const banIsObserved: Check<null> = {
  name: 'RATE-12 what follows a 429 is observed',
  gives: ['RATE-12'],
  phase: 'exhaust',
  cost: 60,
  once: true,
  examples: ({ keys }) => (keys.allowBan ? [null] : []),
  attempt: async (_, context) => {
    const send = () =>
      context.send(listPets({ limit: 1, credential: bearer('rate-limit') }), { asked429: true });
    let reading = await send();
    for (let count = 0; count < 2_000 && reading.status !== 429; count += 1) reading = await send();
    if (reading.status !== 429) return context.end('no 429 came');
    const wait = readRetryAfter(reading)?.seconds ?? 0;
    for (let count = 0; count < 60; count += 1) {
      reading = await send();
      const now = readRetryAfter(reading)?.seconds ?? 0;
      if (reading.status !== 429 || now > wait + 5) {
        return context.observe(
          'RATE-12',
          'ban',
          `after ${count + 1} requests: status ${reading.status}, Retry-After ${now} s`,
        );
      }
    }
    context.observe('RATE-12', 'ban', 'none after 60 requests during a Retry-After');
  },
};

export const rateLimits: readonly Check<unknown>[] = [
  anyCase(remainingFalls),
  ...exhaustion,
  anyCase(banIsObserved),
];
