import type { ApiResponse, CheckContext, Json } from '../../src/check/index.ts';
import type { Collection } from './relations.ts';
import type { Created, Workshop } from './resources.ts';

/** A case about a collection. */
export type Scenario = (workshop: Workshop, collection: Collection, context: CheckContext) => Promise<void>;

/** A server may need a moment until a change shows everywhere. */
const momentMs = 1_000;

/** Repeats a request until it shows what is expected, or a moment has passed. */
export const settled = async <Result>(
  context: CheckContext,
  look: () => Promise<Result>,
  isExpected: (result: Result) => boolean,
): Promise<Result> => {
  const first = await look();
  if (isExpected(first)) return first;
  await context.sleep(momentMs);
  return look();
};

/** A member has another value than it must have. */
export const breachValue = (
  context: CheckContext,
  requirement: string,
  after: 'creation' | 'location' | 'update' | 'refusal',
  response: ApiResponse,
  value: { readonly member: string; readonly expected: Json | undefined; readonly got: Json | undefined },
  created: Created,
): void =>
  context.breach({
    response,
    requirement,
    problem: { rule: 'resource-value', after, ...value },
    origin: [created.response.exchange],
  });
