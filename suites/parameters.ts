import { fewer } from '../src/generate/narrowing.ts';
import { anyCase, type Check } from '../src/run/check.ts';
import { listOrders, listPets } from '../src/run/probes.ts';

const probes = { listPets, listOrders };

interface UnknownParameters {
  readonly operation: keyof typeof probes;
  /** As they stand in the query. */
  readonly parameters: readonly string[];
}

/** Names that servers page, sort and search by: which of them one knows is not shown. None that leaves members out. */
const paged = (number: string): readonly string[] => [
  ...['page', 'per_page', 'offset', 'skip'].map((name) => `${name}=${number}`),
  ...['cursor', 'after', 'sort', 'order', 'q', '__proto__'].map((name) => `${name}=%27`),
  'x',
];

/** Parsers make objects of such names, and some hand them to their database as they are. */
const operators = ['limit%5Bgte%5D=1', 'status%5B%24ne%5D=x'];

/** With no `=` behind them some parsers give no text at all, and of what comes twice or with brackets no text either. */
const bare = ['limit', 'status', 'limit=ten', ...operators];

const unknownParameters: Check<UnknownParameters> = {
  name: 'GEN-4 parameters that the document does not know do no harm',
  gives: ['GEN-4'],
  phase: 'main',
  examples: () => [
    { operation: 'listPets', parameters: paged('-1') },
    { operation: 'listPets', parameters: [...paged('x'), ...bare] },
    { operation: 'listOrders', parameters: ['limit=-1', 'status=%27', ...paged('-1')] },
    { operation: 'listPets', parameters: operators },
  ],
  smaller: ({ operation, parameters }) => fewer(parameters).map((some) => ({ operation, parameters: some })),
  attempt: async ({ operation, parameters }, context) => {
    const { listing: _, ...probe } = probes[operation]({
      space: 'outside',
      label: parameters.length > 2 ? 'many parameters at once' : parameters.join(' and '),
    });
    await context.send({ ...probe, request: { ...probe.request, query: parameters.join('&') } });
  },
};

export const parameters: readonly Check<unknown>[] = [anyCase(unknownParameters)];
