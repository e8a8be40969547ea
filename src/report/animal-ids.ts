import type { JsonObject } from '../json/json.ts';
import { stringifyJson } from '../json/stringify.ts';
import type { RecordedExchange, Step } from '../run/outcome.ts';
import { objectsIn } from './json-text.ts';

/** An id as JSON: `7` and `"7"` are different ids of a list. */
const idOf = ({ id }: JsonObject): readonly string[] =>
  id === undefined || id === null || typeof id === 'object' ? [] : [stringifyJson(id)];

/** The ids of the animals in a successful response, a list or a single one. */
export const animalIds = ({ response }: Pick<Step, 'response'>): readonly string[] =>
  response === null || response.status >= 300 ? [] : objectsIn(response.body).flatMap(idOf);

const unquoted = (id: string): string => id.replaceAll('"', '');

/** The ids that creations took from the request: another animal may have had them before. */
export const idsFromRequests = (exchanges: readonly RecordedExchange[]): ReadonlySet<string> =>
  new Set(
    exchanges
      .filter(({ operation }) => operation === 'createPet')
      .flatMap((exchange) => {
        const sent = objectsIn(exchange.request.body).flatMap(idOf).map(unquoted);
        return animalIds(exchange).filter((id) => sent.includes(unquoted(id)));
      }),
  );
