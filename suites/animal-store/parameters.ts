import { type Check, core, defineCheck, listOrders, listPets } from '../../src/check/index.ts';
import { dropParts } from '../../src/check/schemas.ts';

const probes = { listPets, listOrders };

interface UnknownParameters {
  readonly operation: keyof typeof probes;
  /** As sent in the query. */
  readonly parameters: readonly string[];
}

/** Names that servers use for paging, sorting, and search. None that omits fields. */
const paged = (number: string): readonly string[] => [
  ...['page', 'per_page', 'offset', 'skip'].map((name) => `${name}=${number}`),
  ...['cursor', 'after', 'sort', 'order', 'q', '__proto__'].map((name) => `${name}=%27`),
  'x',
];

/** Parsers turn such names into objects, and some servers pass these objects to their database. */
const operators = ['limit%5Bgte%5D=1', 'status%5B%24ne%5D=x'];

/** Without `=`, with duplicates, or with brackets, some parsers return a value that is not a string. */
const bare = ['limit', 'status', 'limit=ten', ...operators];

const unknownParameters = defineCheck<UnknownParameters>({
  id: 'gen-4-unknown-parameters',
  title: 'unknown query parameters cause no server error',
  requirement: 'GEN-4',
  inputs: () => [
    core({ operation: 'listPets', parameters: paged('-1') }),
    core({ operation: 'listPets', parameters: [...paged('x'), ...bare] }),
    core({ operation: 'listOrders', parameters: ['limit=-1', 'status=%27', ...paged('-1')] }),
    { operation: 'listPets', parameters: operators },
  ],
  shrink: ({ operation, parameters }) =>
    dropParts(parameters).map((some) => ({ operation, parameters: some })),
  run: async ({ operation, parameters }, context) => {
    const { listing: _, ...probe } = probes[operation]({
      inputSpace: 'undocumented',
      label: parameters.length > 2 ? 'many unknown parameters' : parameters.join(' and '),
    });
    await context.send({ ...probe, request: { ...probe.request, query: parameters.join('&') } });
  },
});

export const parameters: readonly Check[] = [unknownParameters];
