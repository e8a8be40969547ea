import type { Operation } from '../../src/check/document.ts';
import type { ApiResponse, CheckContext, Json, TypedBreach } from '../../src/check/index.ts';
import type { ListMistake, ResourceEvent } from '../../src/check/resources.ts';
import type { Found } from './existing.ts';
import type { Listed } from './listing.ts';
import type { OperationUnderTest } from './operations.ts';
import { type CollectionUnderTest, type Created, readNow } from './resources.ts';

/** A case about a collection, and about some of its operations. */
export type Scenario = (
  collection: CollectionUnderTest,
  tested: readonly [OperationUnderTest, ...OperationUnderTest[]],
) => Promise<void>;

/** A server may need a moment until a change shows everywhere. */
export const momentMs = 1_000;
const momentsMs: readonly number[] = [momentMs, 2 * momentMs];

/** Repeats a request until it shows what is expected, or some moments have passed. */
export const settled = async <Result>(
  { context }: CollectionUnderTest,
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

/** Reads a resource until it is as expected, or some moments have passed. Null: it cannot be read. */
export const readUntil = (
  collection: CollectionUnderTest,
  { found }: { readonly found: Found },
  isExpected: (response: ApiResponse) => boolean,
): Promise<ApiResponse | null> =>
  settled(
    collection,
    () => readNow(collection, found),
    (read) => read === null || isExpected(read),
  );

/** What shows a breach, and the earlier responses that it follows from. */
interface Evidence extends Pick<TypedBreach, 'requirement' | 'problem'> {
  readonly response: ApiResponse;
  readonly origin: readonly ApiResponse[];
}

/** A response with `Age` comes from a cache (RFC 9111, 5.1), so it may show an earlier state. */
const breach = ({ context }: CollectionUnderTest, { origin, ...evidence }: Evidence): void => {
  if (evidence.response.header('age').length === 0)
    context.breach({ ...evidence, origin: origin.map(({ exchange }) => exchange) });
};

/** A member has another value than it must have. */
export const breachValue = (
  collection: CollectionUnderTest,
  after: ResourceEvent,
  response: ApiResponse,
  value: { readonly member: string; readonly expected: Json | undefined; readonly got: Json | undefined },
  created: Pick<Created, 'response'>,
): void =>
  breach(collection, {
    response,
    problem: { rule: 'resource-value', after, ...value },
    origin: [created.response],
  });

/** A resource has a status that it must not have. */
export const breachStatus = (
  collection: CollectionUnderTest,
  after: ResourceEvent,
  response: ApiResponse,
  {
    expected,
    ...evidence
  }: { readonly expected: readonly (number | '2xx')[] } & Pick<Evidence, 'origin' | 'requirement'>,
): void =>
  breach(collection, {
    response,
    problem: { rule: 'resource-status', after, expected, wrongStatus: response.status },
    ...evidence,
  });

/** A list is wrong. */
export const breachList = (
  collection: CollectionUnderTest,
  { response, items }: Pick<Listed, 'response' | 'items'>,
  mistake: ListMistake,
  about: string,
  origin: readonly ApiResponse[] = [],
): void =>
  breach(collection, {
    response,
    problem: { rule: 'resource-list', mistake, about, count: items.length },
    origin,
  });

/** The document has a status for an operation, or its class. `default`: it has any status. */
export const documents = (operation: Operation | null, status: number | 'default'): boolean =>
  operation?.responses.some(
    (response) => response.status === `${status}` || response.status.toUpperCase() === `${`${status}`[0]}XX`,
  ) === true;

/** GEN-1: the document does not have the status of a response. */
export const breachUndocumented = (
  context: CheckContext,
  operation: Operation,
  response: ApiResponse,
  origin: readonly ApiResponse['exchange'][] = [],
): void =>
  context.breach({
    response,
    requirement: 'GEN-1',
    origin,
    problem: {
      rule: 'undocumented-status',
      operation: operation.id,
      documented: operation.responses.map(({ status }) => status),
      wrongStatus: response.status,
    },
  });
