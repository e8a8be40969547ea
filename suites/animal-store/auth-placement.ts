import {
  byRequest,
  type KeyPlace,
  keyIn,
  keyMembers,
  keyPlaces,
  placesInOtherSpellings,
} from '../../src/check/credentials.ts';
import {
  type ApiResponse,
  type CheckContext,
  defineCheck,
  type Inputs,
  type Probe,
  type RunContext,
  smoke,
} from '../../src/check/index.ts';
import { isFrontRefusal, unexpectedStatus } from '../../src/check/responses.ts';
import { dropParts } from '../../src/check/schemas.ts';
import { distributed, forEachOperation, type OperationName, plainProbe } from './support/operations.ts';
import { isRejectedWithout, rejectedWith401 } from './support/refused.ts';
import { coreWhere } from './support/tiers.ts';

interface PlacesCase {
  readonly operation: OperationName;
  readonly places: readonly KeyPlace[];
}

/** Only a creation has a body. */
const withMembers = ({ operation, places }: PlacesCase): PlacesCase => ({
  operation,
  places: operation === 'createPet' ? [...places, ...keyMembers] : places,
});

/** Every operation gets the usual spellings, some get others. */
const examples = (run: RunContext): Inputs<PlacesCase> => {
  const requests = (places: readonly KeyPlace[]) =>
    byRequest(places, run.keyLength).map((some) => ({ places: some }));
  const others = (['header', 'query', 'cookie'] as const).flatMap((kind) =>
    requests(placesInOtherSpellings.filter((place) => place.kind === kind)),
  );
  const [first, ...usual] = forEachOperation(run, requests(keyPlaces)).map(withMembers);
  return [
    ...(first === undefined ? [] : [smoke(first)]),
    ...coreWhere(usual, ({ operation }) => operation === 'getPet' || operation === 'createPet'),
    ...distributed(run, others),
  ];
};

/** Statuses that reject a request for its size. */
const tooMuch: readonly number[] = [413, 414, 431];

/** Sends one request, or one with each half of the places if that is too large. Returns the first that does not get 401. */
const accepted = async (
  { operation, places }: PlacesCase,
  context: CheckContext,
): Promise<ApiResponse | null> => {
  const credential = keyIn(places);
  const probe: Probe = {
    ...plainProbe(context, operation, { credential, expects: [] }),
    inputSpace: 'undocumented',
  };
  const response = await context.send(probe);
  if (response.status === 401) return null;
  if (response.status === 429) return context.skipCase({ code: 'rate-limit', detail: 'refused-repeatedly' });
  const isFront = isFrontRefusal({ probe, response });
  if (places.length === 1 && isFront)
    return context.skipCase({ code: 'precondition', detail: 'key-not-read' });
  if (places.length === 1 || !(isFront || tooMuch.includes(response.status))) return response;
  const middle = places.length >> 1;
  for (const half of [places.slice(0, middle), places.slice(middle)]) {
    const found = await accepted({ operation, places: half }, context);
    if (found !== null) return found;
  }
  return null;
};

const notABearerToken = rejectedWith401('AUTH-3', 'only a bearer token counts as the key');
export const keyInWrongPlace = defineCheck<PlacesCase>({
  id: 'auth-3-wrong-place',
  title: 'a key in another header, a cookie, the query, or the body is ignored',
  requirement: 'AUTH-3',
  cost: { requests: 1, keyless: 1, readOnly: 0.75 },
  inputs: examples,
  shrink: ({ operation, places }) => dropParts(places).map((some) => ({ operation, places: some })),
  run: async (value, context) => {
    const found = await accepted(value, context);
    if (found === null) return context.passed();
    if (!(await isRejectedWithout(value.operation, context)))
      return context.skipCase({
        code: 'precondition',
        detail: 'keyless-success',
        operation: value.operation,
      });
    const { requirement } = notABearerToken;
    const problem = unexpectedStatus(notABearerToken, found);
    context.breach({ requirement, problem, response: found });
  },
});
