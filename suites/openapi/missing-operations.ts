import { type ApiResponse, type Check, type CheckContext, defineCheck } from '../../src/check/index.ts';
import { normalize } from './names.ts';
import { hasPathParameters, type OperationUnderTest } from './operations.ts';
import { isReference } from './ordinary.ts';
import { collectionsOf } from './relations.ts';
import { type GeneratedRequest, keyOf } from './request.ts';
import { membersShown } from './resource-bodies.ts';
import { isSuccess } from './responses.ts';
import { breachUndocumented, documents } from './scenario.ts';
import type { Sender, Sending } from './sender.ts';
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
        const response = await send(exercised, plain(exercised), context);
        if (response.status === 404) breachUndocumented(context, operation, response);
      }
    },
  });

/** The names of what can be listed by, of the resources of a collection that the document makes plain. */
const filterNames = ({ document, operation }: OperationUnderTest): readonly string[] => {
  const collection = collectionsOf(document).find(({ list }) => list === operation);
  if (collection === undefined || collection.create === operation) return [];
  const members = membersShown({ document }, collection.read ?? collection.create);
  return [...(members?.keys() ?? [])].filter((name) => !isReference(name)).map(normalize);
};

/** GEN-1: a list is there, even if no resource matches a filter. What an id names, or a page, may be missing. */
export const judgeMissing = async (
  exercised: OperationUnderTest,
  sending: GeneratedRequest,
  { send, context }: Sending,
  response: ApiResponse,
): Promise<void> => {
  const { operation, stateStatuses } = exercised;
  if (response.status !== 404 || !stateStatuses.includes(404) || operation.method !== 'GET') return;
  if (documents(operation, 404) || documents(operation, 'default') || hasPathParameters(operation)) return;
  const names = filterNames(exercised);
  const sent = operation.parameters.filter((parameter) => sending.values[keyOf(parameter)] !== undefined);
  if (!sent.every(({ in: place, name }) => place === 'query' && names.includes(normalize(name)))) return;
  const ask = (request: GeneratedRequest) => send(exercised, request, context);
  const usual = await ask(plain(exercised));
  const again = await ask(sending);
  if (isSuccess(usual) && again.status === 404)
    breachUndocumented(context, operation, again, [usual.exchange]);
};
