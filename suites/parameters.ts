import { anyCase, type Check, type Probe } from '../src/run/check.ts';
import { listOrders, listPets } from '../src/run/probes.ts';

/** Names that servers page, sort and search by: which of them one knows is not shown. None that leaves members out. */
const numbers = ['page', 'per_page', 'offset', 'skip'];
const words = ['cursor', 'after', 'sort', 'order', 'q', '__proto__'];

const queryOf = (number: string): string =>
  [...numbers.map((name) => `${name}=${number}`), ...words.map((name) => `${name}=%27`), 'x'].join('&');

/** Parsers make objects of such names, and some hand them to their database as they are. */
const operators = 'limit%5Bgte%5D=1&status%5B%24ne%5D=x';

/** With no `=` behind them some parsers give no text at all, and of what comes twice or with brackets no text either. */
const bare = `limit&status&limit=ten&${operators}`;

interface UnknownParameters {
  readonly probe: Probe;
  readonly query: string;
}

const label = 'parameters that the document does not know';

export const unknownParameters: Check<UnknownParameters> = {
  name: 'GEN-4 parameters that the document does not know do no harm',
  gives: ['GEN-4'],
  phase: 'main',
  examples: () => [
    { probe: listPets({ space: 'outside', label }), query: queryOf('-1') },
    { probe: listPets({ space: 'outside', label }), query: `${queryOf('x')}&${bare}` },
    { probe: listOrders({ space: 'outside', label }), query: `limit=-1&status=%27&${queryOf('-1')}` },
    { probe: listPets({ space: 'outside', label }), query: operators },
  ],
  attempt: async ({ probe: { listing: _, ...probe }, query }, context) => {
    await context.send({ ...probe, request: { ...probe.request, query } });
  },
};

export const parameters: readonly Check<unknown>[] = [anyCase(unknownParameters)];
