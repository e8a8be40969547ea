import type { Operation } from '../../src/check/document.ts';
import type { ApiResponse, CheckContext, Json } from '../../src/check/index.ts';
import type { ListMistake, ResourceEvent } from '../../src/check/resources.ts';
import type { Listed } from './listing.ts';
import type { Collection } from './relations.ts';
import type { Created, Workshop } from './resources.ts';

/** A case about a collection. */
export type Scenario = (workshop: Workshop, collection: Collection, context: CheckContext) => Promise<void>;

/** A server may need a moment until a change shows everywhere. */
export const momentMs = 1_000;
const momentsMs: readonly number[] = [momentMs, 2 * momentMs];

/** Repeats a request until it shows what is expected, or some moments have passed. */
export const settled = async <Result>(
  context: CheckContext,
  look: () => Promise<Result>,
  isExpected: (result: Result) => boolean,
): Promise<Result> => {
  let result = await look();
  for (const ms of momentsMs) {
    if (isExpected(result)) return result;
    await context.sleep(ms);
    result = await look();
  }
  return result;
};

/** A response with `Age` comes from a cache (RFC 9111, 5.1), so it may show an earlier state. */
const isFromCache = (response: ApiResponse): boolean => response.header('age').length > 0;

/** Records the breach that a fresh response shows. */
const breach = (
  context: CheckContext,
  evidence: Parameters<CheckContext['breach']>[0],
  response: ApiResponse,
): void => {
  if (!isFromCache(response)) context.breach(evidence);
};

/** A member has another value than it must have. */
export const breachValue = (
  context: CheckContext,
  requirement: string,
  after: ResourceEvent,
  response: ApiResponse,
  value: { readonly member: string; readonly expected: Json | undefined; readonly got: Json | undefined },
  created: Created,
): void =>
  breach(
    context,
    {
      response,
      requirement,
      problem: { rule: 'resource-value', after, ...value },
      origin: [created.response.exchange],
    },
    response,
  );

/** A resource has a status that it must not have. */
export const breachStatus = (
  context: CheckContext,
  requirement: string,
  after: ResourceEvent,
  response: ApiResponse,
  {
    expected,
    origin,
  }: { readonly expected: readonly (number | '2xx')[]; readonly origin: readonly ApiResponse[] },
): void =>
  breach(
    context,
    {
      response,
      requirement,
      problem: { rule: 'resource-status', after, expected, wrongStatus: response.status },
      origin: origin.map(({ exchange }) => exchange),
    },
    response,
  );

/** It is not there, although the server responds to the request. */
export const isGone = ({ status }: ApiResponse): boolean => status === 404 || status === 410;

/** The document has a status for an operation, or its class. */
export const documents = (operation: Operation | null, status: number): boolean =>
  operation?.responses.some(
    (response) => response.status === `${status}` || response.status.toUpperCase() === `${`${status}`[0]}XX`,
  ) === true;

/** GEN-1: the document does not have the status of a response. */
export const breachUndocumented = (
  context: CheckContext,
  operation: Operation,
  response: ApiResponse,
): void =>
  context.breach({
    response,
    requirement: 'GEN-1',
    problem: {
      rule: 'undocumented-status',
      operation: operation.id,
      documented: operation.responses.map(({ status }) => status),
      wrongStatus: response.status,
    },
  });

/** A list is wrong. */
export const breachList = (
  context: CheckContext,
  requirement: string,
  { response, items }: Pick<Listed, 'response' | 'items'>,
  list: {
    readonly mistake: ListMistake;
    readonly about: string;
  },
  origin: readonly ApiResponse[] = [],
): void =>
  breach(
    context,
    {
      response,
      requirement,
      problem: { rule: 'resource-list', ...list, count: items.length },
      origin: origin.map(({ exchange }) => exchange),
    },
    response,
  );
