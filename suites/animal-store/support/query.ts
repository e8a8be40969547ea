import { type ApiResponse, type CheckContext, listPets } from '../../../src/check/index.ts';
import { expecting } from '../../../src/check/requests.ts';

export interface Query {
  readonly limit?: number;
  readonly status?: string;
}

const listed = expecting('LIST-1', [200], 'the key and the query are valid');
const accepted = expecting('LIST-4', [200], 'limit is an integer from 1 to 100');

/** Leaves undefined parameters out. */
export const queryOf = (limit: number | undefined, status: string | undefined): Query => ({
  ...(limit === undefined ? {} : { limit }),
  ...(status === undefined ? {} : { status }),
});

/** With a status, the limit need not be the reason for a rejection. */
const isPlainLimit = ({ limit, status }: Query): boolean => limit !== undefined && status === undefined;

/** With a valid limit alone, any status but 200 fails LIST-4, too. */
const probeOf = (query: Query) =>
  listPets({ ...query, expects: [listed, ...(isPlainLimit(query) ? [accepted] : [])] });

export const sendQueryOnce = (context: CheckContext, query: Query): Promise<ApiResponse> =>
  context.send(probeOf(query));

const percentEncoded = (text: string): string =>
  [...text].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');

/** Sends the same parameters, with every character of their values percent-encoded (RFC 3986 2.3: the address is equivalent). */
export const sendEncodedQuery = (context: CheckContext, query: Query): Promise<ApiResponse> => {
  const probe = probeOf(query);
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${percentEncoded(String(value))}`);
  return context.send({
    ...probe,
    request: { ...probe.request, query: parameters.join('&') },
    label: `${probe.label}, percent-encoded`,
  });
};

/** With only the limit, or only the status. */
export const smallerQueries = ({ limit, status }: Query): readonly Query[] =>
  limit === undefined || status === undefined ? [] : [{ limit }, { status }];
