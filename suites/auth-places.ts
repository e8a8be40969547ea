import { noCredential } from '../src/client/credentials.ts';
import type { Exchange } from '../src/client/exchange.ts';
import {
  byRequest,
  type KeyPlace,
  keyIn,
  keyPlaces,
  placesInOtherSpellings,
} from '../src/client/key-places.ts';
import { inWords } from '../src/oracle/rule.ts';
import type { CaseContext, Check, Expectation, Probe } from '../src/run/check.ts';
import type { Fixtures } from '../src/run/fixtures.ts';
import { acrossOperations, dealtOut, type OperationName, plainProbe } from './support/operations.ts';

interface PlacesCase {
  readonly operation: OperationName;
  readonly places: readonly KeyPlace[];
}

/** Every operation is asked with the usual spellings, some with others. */
const examples = (fixtures: Fixtures): readonly PlacesCase[] => {
  const requests = (places: readonly KeyPlace[]) =>
    byRequest(places, fixtures.keyLength).map((some) => ({ places: some }));
  const others = (['header', 'query', 'cookie'] as const).flatMap((kind) =>
    requests(placesInOtherSpellings.filter((place) => place.kind === kind)),
  );
  return [...acrossOperations(fixtures, requests(keyPlaces)), ...dealtOut(fixtures, others)];
};

/** Statuses that refuse a request for its size. */
const tooMuch: readonly number[] = [413, 414, 431];

interface Accepted {
  readonly probe: Probe;
  readonly status: number;
  readonly exchange: Exchange;
}

/** The fewest of the places, by halves, in which the key is not refused; null: it is refused, or is so in each half. */
const acceptedIn = async (
  { operation, places }: PlacesCase,
  context: CaseContext,
): Promise<Accepted | null> => {
  const credential = keyIn(places);
  const probe: Probe = { ...plainProbe(context, operation, { credential, expects: [] }), space: 'outside' };
  const { status, exchange } = await context.send(probe);
  if (status === 401) return null;
  if (status === 429) return context.end('the limit left no answer but 429');
  if (places.length === 1) return { probe, status, exchange };
  const middle = places.length >> 1;
  for (const half of [places.slice(0, middle), places.slice(middle)]) {
    const accepted = await acceptedIn({ operation, places: half }, context);
    if (accepted !== null) return accepted;
  }
  // It may take two places that agree; or they are too much at once for a front end.
  return tooMuch.includes(status) ? null : { probe, status, exchange };
};

const needed: Expectation = { requirement: 'AUTH-1', statuses: [401], because: 'it carries no API key' };

export const keyElsewhere: Check<PlacesCase> = {
  name: 'AUTH-3 a key in another header, a cookie or the query does not count',
  gives: ['AUTH-3'],
  phase: 'main',
  keyless: 1,
  examples,
  attempt: async (value, context) => {
    const accepted = await acceptedIn(value, context);
    if (accepted === null) return context.met('AUTH-3');
    const without = plainProbe(context, value.operation, { credential: noCredential, expects: [needed] });
    if ((await context.send(without)).status !== 401)
      return context.end(`${value.operation} is served without a key too`);
    const { probe, status, exchange } = accepted;
    context.breach({
      requirement: 'AUTH-3',
      rule: 'status 401',
      message: `${inWords({ probe })} must be answered with 401: the key counts only as a bearer token, so this is a missing key.`,
      expected: 'status 401',
      actual: `status ${status}`,
      exchange,
    });
  },
};
