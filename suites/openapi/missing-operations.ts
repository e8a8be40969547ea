import { type ApiResponse, type Check, type CheckContext, defineCheck } from '../../src/check/index.ts';
import { hasPathParameters, type OperationUnderTest } from './operations.ts';
import { breachUndocumented, documents } from './scenario.ts';
import type { Sender } from './sender.ts';
import { plain } from './valid.ts';

const present = (context: CheckContext) => context.state('operations that exist', () => new Set<string>());

const isMissing = ({ status }: ApiResponse): boolean => status === 404 || status === 405;

/** Remembers that a response shows that the server has the operation: a path that it does not know gets 404. */
export const recordPresence = (
  { operation }: OperationUnderTest,
  response: ApiResponse,
  context: CheckContext,
): void => {
  if (!isMissing(response)) present(context).add(operation.id);
};

/**
 * GEN-1: operations that returned nothing but an undocumented 404. One 404 may be about a resource that the request names, but the server
 * need not have a resource to refuse an invalid request.
 */
export const missingOperations = (all: readonly OperationUnderTest[], send: Sender): Check =>
  defineCheck({
    id: 'gen-1-missing',
    title: 'operations that the server does not have',
    requirement: 'GEN-1',
    phase: 'look-back',
    run: async (_, context) => {
      for (const exercised of all) {
        const { operation, authentic, mayGuess, stateStatuses } = exercised;
        const isJudged = authentic && mayGuess && stateStatuses.includes(404) && !documents(operation, 404);
        if (!isJudged || hasPathParameters(operation) || present(context).has(operation.id)) continue;
        if (context.run.removalState(operation) !== 'before') continue;
        const response = await send(exercised, plain(exercised), context, { inputSpace: 'documented' });
        if (response.status === 404) breachUndocumented(context, operation, response);
      }
    },
  });
