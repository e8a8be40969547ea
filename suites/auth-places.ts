import { type KeyPlace, keyIn, keyPlaces } from '../src/client/key-places.ts';
import { inWords } from '../src/oracle/rule.ts';
import type { CaseContext, Check, Expectation, Probe } from '../src/run/check.ts';
import { judgedOperations, type OperationName, plainProbe } from './support/operations.ts';

const expectation: Expectation = {
  requirement: 'AUTH-3',
  statuses: [401],
  because: 'the key counts only as a bearer token, so this is a missing key',
};

const probeOf = (
  context: CaseContext,
  operation: OperationName,
  places: readonly KeyPlace[],
  expects: readonly Expectation[] = [],
): Probe => ({ ...plainProbe(context, operation, { credential: keyIn(places), expects }), space: 'outside' });

/** One of the places where the key is taken, by halves. */
const takenIn = async (
  context: CaseContext,
  operation: OperationName,
  places: readonly KeyPlace[],
): Promise<readonly KeyPlace[]> => {
  if (places.length < 2) return places;
  const [former, latter] = [places.slice(0, places.length >> 1), places.slice(places.length >> 1)];
  const { status } = await context.send(probeOf(context, operation, former));
  return takenIn(context, operation, status < 300 ? former : latter);
};

export const keyElsewhere: Check<OperationName> = {
  name: 'AUTH-3 a key in another header, a cookie or the query does not count',
  gives: ['AUTH-3'],
  phase: 'main',
  keyless: 1,
  examples: judgedOperations,
  attempt: async (operation, context) => {
    const probe = probeOf(context, operation, keyPlaces);
    const { status, exchange } = await context.send(probe);
    if (status === 401) return context.met('AUTH-3');
    if (status === 429) return;
    const places = status < 300 ? await takenIn(context, operation, keyPlaces) : [];
    const one = places.length > 0 ? probeOf(context, operation, places, [expectation]) : null;
    if (one !== null && (await context.send(one)).status !== 401) return;
    // It may take two places that agree.
    context.breach({
      requirement: 'AUTH-3',
      rule: 'status 401',
      message: `${inWords({ probe })} must be answered with 401: ${expectation.because}.`,
      expected: 'status 401',
      actual: `status ${status}`,
      exchange,
    });
  },
};
