import type { RecordedExchange, RequirementResult, ServerFailure } from '../../run/outcome.ts';
import { exceptionIn, exceptionKind } from './exceptions.ts';
import { requestText } from './steps.ts';

/** A server has few bugs, and more lines are not read. */
const most = 10;

/** Other exceptions of responses with the status of a failure, each with the first request that got it. */
const otherExceptions = (
  requirement: string,
  failure: ServerFailure,
  exchanges: readonly RecordedExchange[],
): readonly string[] => {
  const first = new Map<string, string>();
  for (const exchange of exchanges) {
    const { operation, response, breaches } = exchange;
    const kind = exceptionKind(exchange);
    if (operation !== failure.operation || response?.status !== failure.response?.status) continue;
    if (
      kind === null ||
      kind === exceptionKind(failure) ||
      first.has(kind) ||
      !breaches.includes(requirement)
    )
      continue;
    first.set(kind, `${requestText(exchange.request)} → ${exceptionIn(exchange)}`);
  }
  return [...first.values()].slice(0, most);
};

/** Adds every exception that the server showed to the failures of a requirement. One failure may have several causes. */
export const withExceptions = (
  result: RequirementResult<ServerFailure>,
  exchanges: readonly RecordedExchange[],
): RequirementResult<ServerFailure> => ({
  ...result,
  failures: result.failures.map((failure) => {
    const more = otherExceptions(result.id, failure, exchanges);
    return more.length === 0 ? failure : { ...failure, others: [...(failure.others ?? []), ...more] };
  }),
});
