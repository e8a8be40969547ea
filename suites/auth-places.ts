import { type KeyPlace, keyIn, keyPlaces } from '../src/client/key-places.ts';
import type { Reading } from '../src/oracle/reading.ts';
import type { CaseContext, Check, Expectation } from '../src/run/check.ts';
import { judgedOperations, type OperationName, plainProbe } from './support/operations.ts';

const expectation: Expectation = {
  requirement: 'AUTH-3',
  statuses: [401],
  because: 'the key counts only as a bearer token, so this is a missing key',
};

const send = (
  context: CaseContext,
  operation: OperationName,
  places: readonly KeyPlace[],
  expects: readonly Expectation[],
): Promise<Reading> => {
  const probe = plainProbe(context, operation, { credential: keyIn(places), expects });
  return context.send({ ...probe, space: 'outside' });
};

/** One of the places where the key is taken, by halves. */
const takenIn = async (
  context: CaseContext,
  operation: OperationName,
  places: readonly KeyPlace[],
): Promise<readonly KeyPlace[]> => {
  if (places.length < 2) return places;
  const [former, latter] = [places.slice(0, places.length >> 1), places.slice(places.length >> 1)];
  const { status } = await send(context, operation, former, []);
  return takenIn(context, operation, status < 300 ? former : latter);
};

export const keyElsewhere: Check<OperationName> = {
  name: 'AUTH-3 a key in another header, a cookie or the query does not count',
  gives: ['AUTH-3'],
  phase: 'main',
  keyless: 1,
  examples: judgedOperations,
  attempt: async (operation, context) => {
    const { status } = await send(context, operation, keyPlaces, []);
    if (status === 401) return context.met('AUTH-3');
    if (status === 429) return;
    const places = status < 300 ? await takenIn(context, operation, keyPlaces) : keyPlaces;
    await send(context, operation, places, [expectation]);
  },
};
