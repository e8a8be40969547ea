import fc from 'fast-check';
import {
  type ApiResponse,
  type Check,
  type CheckContext,
  core,
  defineCheck,
  type Inputs,
  type Json,
  type JsonObject,
  type RunContext,
  smoke,
} from '../../src/check/index.ts';
import { listedPets, pagingHeadersOf } from '../../src/check/pets.ts';
import { createdIsListed, newestIsListed, newestOfStatusIsListed } from './list-created.ts';
import { invalidLimit, invalidStatus } from './list-invalid.ts';
import { shortIsWhole } from './list-short-page.ts';
import { listAll } from './support/animals.ts';
import { ensureMoreThan, onFullPages } from './support/ensure-store-size.ts';
import { type Query, queryOf, sendEncodedQuery, smallerQueries } from './support/query.ts';
import { sendQuery, sendSettled } from './support/status.ts';
import { coreWhere } from './support/tiers.ts';

const filters = ({ statuses }: RunContext): readonly (string | undefined)[] => [undefined, ...statuses];

/** Runs first: once the run creates animals, no list is empty. */
const emptyList = defineCheck({
  id: 'list-1-unused-status',
  title: 'a list filtered by an unused status is an array',
  requirement: 'LIST-1',
  phase: 'first',
  // Most stores have animals of every status.
  cost: 0,
  retry: false,
  inputs: () => [smoke(null)],
  run: async (_, context) => {
    const { statuses, initialList } = context.run;
    const absent = statuses.filter((status) => !initialList.some((pet) => pet.status === status));
    await Promise.all(absent.map((status) => sendQuery(context, queryOf(undefined, status))));
  },
});

const list = defineCheck<Query>({
  id: 'list-1-array-of-animals',
  title: 'GET /pets returns an array of animals',
  requirement: 'LIST-1',
  phase: 'first',
  inputs: (run) => filters(run).map((status) => queryOf(undefined, status)),
  run: async (query, context) => {
    await sendQuery(context, query);
  },
});

const defaultLimit = defineCheck<Query>({
  id: 'list-2-default-limit',
  title: 'without limit, at most 20 animals are returned',
  requirement: 'LIST-2',
  phase: 'filled-store',
  cost: ({ page, statuses }) => ({
    requests: 2,
    readOnly: 1.25,
    storeAbove: page.default * (statuses.length + 1),
  }),
  inputs: (run) =>
    filters(run).map((status) => {
      const query = queryOf(undefined, status);
      return status === undefined ? smoke(query) : query;
    }),
  run: async (query, context) => {
    const { page, statuses } = context.run;
    // With a status: enough animals that each status fills more than a page.
    await ensureMoreThan(context, page.default * (query.status === undefined ? 1 : statuses.length + 1));
    if (query.status === undefined) await listAll(context);
    await sendSettled(context, query);
  },
});

const limits = ({ page }: RunContext) => fc.integer({ min: page.minimum, max: page.maximum });

/** LIST-4: the limit is the cause of the rejection if the same request without it gets 200. */
const checkRejectedLimit = async (context: CheckContext, { limit, status }: Query, rejected: ApiResponse) => {
  if (status === undefined) return;
  const twin = await sendQuery(context, queryOf(undefined, status));
  if (twin.status !== 200) return;
  context.breach({
    requirement: 'LIST-4',
    problem: { rule: 'limit-rejected', limit, filter: status, wrongStatus: rejected.status },
    response: rejected,
  });
};

/** Runs while the store is small: a limit may be larger than the number of animals. */
const boundsOfLimit = defineCheck<number>({
  id: 'list-4-bounds',
  title: 'the smallest and largest limit are accepted',
  requirement: 'LIST-4',
  phase: 'first',
  inputs: ({ page }) => [smoke(page.maximum), core(page.maximum - 1), smoke(page.minimum)],
  run: async (limit, context) => {
    await sendQuery(context, { limit });
  },
});

/** Code that reads the query itself may not decode it. */
const encodedValues = defineCheck<Query>({
  id: 'list-4-encoded-values',
  title: 'percent-encoded values of limit and status are accepted',
  requirement: 'LIST-4',
  covers: ['LIST-6'],
  // A run with a Free key has requests left in a minute of this phase.
  phase: 'look-back',
  inputs: ({ page, statuses }) => [
    core(queryOf(page.default, undefined)),
    ...statuses.slice(0, 1).map((status) => core(queryOf(undefined, status))),
  ],
  run: async (query, context) => {
    await sendEncodedQuery(context, query);
  },
});

/**
 * Pages of every length. Without a status: the bounds, their neighbors, and sizes at which servers often cut. With each status: the
 * smallest. The other limits alternate between a status and none.
 */
const pages = (run: RunContext): Inputs<Query> => {
  const { minimum, maximum } = run.page;
  const all = Array.from({ length: maximum - minimum + 1 }, (_, index) => minimum + index);
  const plain = [maximum, minimum, maximum - 1, minimum + 1, 20, 21, 19, 10, 50].filter((limit) =>
    all.includes(limit),
  );
  const turns = filters(run);
  return [
    ...plain.map((limit) => {
      const query = queryOf(limit, undefined);
      return limit === 10 ? smoke(query) : query;
    }),
    ...coreWhere(
      run.statuses.map((status) => queryOf(minimum, status)),
      ({ status }) => status === run.statuses[0],
    ),
    ...all
      .filter((limit) => !plain.includes(limit))
      .map((limit, index) => queryOf(limit, turns[index % turns.length])),
  ];
};

const everyLimit = defineCheck<Query>({
  id: 'list-3-every-limit',
  title: 'every limit is accepted and respected, with and without status',
  requirement: 'LIST-3',
  covers: ['LIST-4', 'LIST-6', 'LIST-9'],
  phase: 'filled-store',
  cost: onFullPages(1),
  share: 0.04,
  inputs: pages,
  arbitrary: (run) => fc.record({ limit: limits(run), status: fc.constantFrom(...run.statuses) }),
  shrink: smallerQueries,
  run: async (query, context) => {
    await ensureMoreThan(context, context.run.page.maximum, query.limit);
    const response = await sendSettled(context, query);
    if (response.status === 200 && listedPets(response)?.length === query.limit) context.passed();
    if (response.status !== 200) await checkRejectedLimit(context, query, response);
  },
});

const distinctIds = defineCheck<Query>({
  id: 'list-9-no-duplicates',
  title: 'no animal appears twice in one response',
  requirement: 'LIST-9',
  covers: ['LIST-6'],
  phase: 'filled-store',
  cost: onFullPages(1),
  // LIST-8 asks for the other statuses.
  inputs: (run) => run.statuses.slice(0, 1).map((status) => core(queryOf(run.page.maximum, status))),
  shrink: smallerQueries,
  run: async (query, context) => {
    await ensureMoreThan(context, context.run.page.maximum, 0);
    await sendSettled(context, query);
  },
});

const orderOf = (pets: readonly JsonObject[]): string => {
  const orders: readonly (readonly [string, (pet: JsonObject) => Json | undefined])[] = [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
  ];
  for (const [member, read] of orders) {
    const values = pets.map(read);
    const steps = values.slice(1).map((value, index) => compare(values[index], value));
    if (steps.length > 1 && steps.every((step) => step === -1)) return `by ${member}, ascending`;
    if (steps.length > 1 && steps.every((step) => step === 1)) return `by ${member}, descending`;
  }
  return 'no recognizable order';
};

const compare = (a: Json | undefined, b: Json | undefined): -1 | 0 | 1 => {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  return 0;
};

const orderAndPaging = defineCheck({
  id: 'list-10-order-and-paging',
  title: 'order and paging are recorded',
  requirement: 'LIST-10',
  phase: 'filled-store',
  run: async (_, context) => {
    const { pets, response } = await listAll(context);
    context.observe('order', orderOf(pets));
    const headers = pagingHeadersOf(response);
    context.observe('paging headers', headers.length === 0 ? 'none' : headers.join(', '));
  },
});

export const lists: readonly Check[] = [
  emptyList,
  list,
  boundsOfLimit,
  encodedValues,
  createdIsListed,
  newestIsListed,
  newestOfStatusIsListed,
  invalidLimit,
  invalidStatus,
  defaultLimit,
  shortIsWhole,
  distinctIds,
  orderAndPaging,
  everyLimit,
];
