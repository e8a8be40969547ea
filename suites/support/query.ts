import type { Expectation } from '../../src/oracle/probe.ts';
import type { Reading } from '../../src/oracle/reading.ts';
import type { CaseContext } from '../../src/run/check.ts';
import { listPets } from '../../src/run/probes.ts';

export interface Query {
  readonly limit?: number;
  readonly status?: string;
}

const listed: Expectation = {
  requirement: 'LIST-1',
  statuses: [200],
  because: 'the key is valid and so is the query',
};

const accepted: Expectation = {
  requirement: 'LIST-4',
  statuses: [200],
  because: 'limit is an integer from 1 to 100',
};

/** What is not given is left out of the query. */
export const queryOf = (limit: number | undefined, status: string | undefined): Query => ({
  ...(limit === undefined ? {} : { limit }),
  ...(status === undefined ? {} : { status }),
});

/** With a status as well, a refusal need not be for the limit. */
const isPlainLimit = ({ limit, status }: Query): boolean => limit !== undefined && status === undefined;

/** Lists; with a limit that the document gives, anything but 200 is held against LIST-4 as well. */
export const askQuery = (context: CaseContext, asked: Query): Promise<Reading> =>
  context.send(listPets({ ...asked, expects: [listed, ...(isPlainLimit(asked) ? [accepted] : [])] }));

/** With a limit alone, or a status alone. */
export const smallerQueries = ({ limit, status }: Query): readonly Query[] =>
  limit === undefined || status === undefined ? [] : [{ limit }, { status }];
