import { bearer } from '../../src/client/credentials.ts';
import type { KeySlot } from '../../src/client/exchange.ts';
import { planFigures } from '../../src/document/plans.ts';
import { memoised } from '../../src/memo/memo.ts';
import type { Expectation, Probe } from '../../src/oracle/probe.ts';
import type { Reading } from '../../src/oracle/reading.ts';
import { retryWait } from '../../src/oracle/retry-wait.ts';
import type { CaseContext, Toll } from '../../src/run/check.ts';
import type { Fixtures } from '../../src/run/fixtures.ts';
import { createPet, createPetOf, getPet, listOrders, listPets } from '../../src/run/probes.ts';
import { isCategoryKnown, ordinaryPet } from './animals.ts';
import { someId } from './operations.ts';

/** A limit that belongs to a plan whose limits are not agreed one by one. */
export const isPlanFigure = (limit: number): boolean =>
  Object.values(planFigures).some(({ perMinute, perDay }) => limit === perMinute || limit === perDay);

/** The figures of the rate limit key's plan; null where it is not known, or has none of its own. */
export const figuresOf = ({ plan }: Pick<Fixtures, 'plan'>) =>
  plan === null || plan === 'enterprise' ? null : planFigures[plan];

/** What it takes to use up so many minutes of the rate limit key; of a plan that is not known, as many as of the smallest. */
export const minutesOf =
  (minutes: number, besides = 0) =>
  (fixtures: Fixtures): Toll => ({
    requests: minutes * (figuresOf(fixtures)?.perMinute ?? planFigures.free.perMinute) + besides,
    waitMs: Math.max(1, minutes - 1) * 60_000,
  });

/** Why no limit can be used up. */
export const unknownWhichCount =
  'no request that creates nothing lowers X-RateLimit-Remaining, so which ones count is not known';

/** A kind of request that can be repeated without harm. */
export type LimitProbe = (slot: KeySlot) => Probe;

export const listProbe: LimitProbe = (slot) => listPets({ limit: 1, credential: bearer(slot) });

/** Which operations count is not shown: GET /pets first, the others where it does not. A creation that is refused creates nothing. */
export const limitProbes = ({ fixtures }: Pick<CaseContext, 'fixtures'>): readonly LimitProbe[] => [
  listProbe,
  (slot) => listOrders({ credential: bearer(slot) }),
  ...(fixtures.removal() === 'before'
    ? [(slot: KeySlot) => getPet(someId(fixtures), { credential: bearer(slot) })]
    : []),
  ...(fixtures.readOnly
    ? []
    : [
        (slot: KeySlot) =>
          createPet('{}', { credential: bearer(slot), space: 'outside', label: 'an empty object' }),
      ]),
];

/** A request that is asked where nothing remains. `counts`: the limit is known to apply to it. */
export interface OverLimit {
  readonly limitProbe: LimitProbe;
  readonly counts: boolean;
}

const mayBeOverLimit = (...served: number[]): readonly Expectation[] => [
  {
    requirement: 'RATE-5',
    statuses: [...served, 429],
    because: 'it is over the limit, or the limit does not apply to it',
  },
];

/** A creation of an ordinary animal; null: none may be created. */
export const validCreation = (context: CaseContext): LimitProbe | null =>
  context.fixtures.creationsLeft() > 0 && isCategoryKnown(context)
    ? (slot) => createPetOf(ordinaryPet(context), { credential: bearer(slot), expects: mayBeOverLimit(201) })
    : null;

/** Over the limit a creation; if none may be created, an animal; null: neither can be sent. */
export const anotherOverLimit = (context: CaseContext): OverLimit | null => {
  const { fixtures } = context;
  const create = validCreation(context);
  if (create !== null) return { limitProbe: create, counts: fixtures.isCounted('createPet') };
  if (fixtures.removal() !== 'before') return null;
  return {
    limitProbe: (slot) =>
      getPet(someId(fixtures), { credential: bearer(slot), expects: mayBeOverLimit(200, 404) }),
    counts: fixtures.isCounted('getPet'),
  };
};

/** A request that was sent with the rate limit key, at a time by the run's clock. */
interface Spending {
  readonly at: number;
  readonly operation: string;
  /** Null: there is no response yet. */
  reading: Reading | null;
}

const spendings = memoised((_run: Fixtures): Spending[] => []);

/** It passed the limiter, so that a limit may count it. */
export const isServed = ({ status }: Reading): boolean => status < 500 && ![401, 403, 429].includes(status);

/** One request, sent at once: a 429 is as welcome as any answer. */
export const sendCounted = async (context: CaseContext, probe: Probe): Promise<Reading> => {
  const { credential, operation } = probe.request;
  const spending: Spending = { at: context.clock.now(), operation, reading: null };
  if (credential.charges === 'rate-limit') spendings(context.fixtures).push(spending);
  const reading = await context.send(probe, { asked429: true });
  spending.reading = reading;
  return reading;
};

/** How many requests were spent with the rate limit key in the last minute, whose limit may count them. */
export const sentLately = ({ fixtures, clock }: CaseContext): number =>
  spendings(fixtures).filter(({ at }) => clock.now() - at < 60_000).length;

/** When the rate limit key's requests of an operation were served, by the run's clock. */
export const servedWith = ({ fixtures }: CaseContext, limitProbe: LimitProbe): readonly number[] => {
  const { operation } = limitProbe('rate-limit').request;
  return spendings(fixtures)
    .filter(
      (spending) =>
        spending.operation === operation && spending.reading !== null && isServed(spending.reading),
    )
    .map(({ at }) => at);
};

/** Waits as long as a 429 asks, and a second more. Ends the case where it does not say, or asks for too long. */
export const waitOut = async (context: CaseContext, refused: Reading): Promise<void> => {
  const wait = retryWait(refused);
  if (wait === null) return context.end('a 429 does not say when to try again');
  if (wait.seconds * 1000 > context.fixtures.maxWaitMs) {
    return context.end(`Retry-After asks for ${Math.ceil(wait.seconds)} s, longer than --max-wait`);
  }
  await context.clock.sleep((Math.max(0, wait.seconds) + 1) * 1000);
};

/** RATE-8: a request that was sent after the wait that another was refused with is refused as well. */
export const refusedAgain = (context: CaseContext, refused: Reading, reading: Reading): void => {
  const again = reading.status === 429 ? `, Retry-After: ${reading.header('retry-after').join(', ')}` : '';
  context.breach({
    requirement: 'RATE-8',
    rule: 'refused after Retry-After',
    message: `A request that was sent after the time given in Retry-After (${refused.header('retry-after').join(', ')}), and a second more, is refused again.`,
    expected: 'the request served',
    actual: `status ${reading.status}${again}`,
    exchange: reading.exchange,
  });
};
