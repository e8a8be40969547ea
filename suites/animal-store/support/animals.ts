import { nullIfEnded } from '../../../src/check/case-skipped.ts';
import {
  type ApiResponse,
  type CheckContext,
  createPet,
  createPetWithBody,
  type Expectation,
  type JsonObject,
  listPets,
  type RunContext,
} from '../../../src/check/index.ts';
import { type CreatedPet, idOf, isWhole, listedPets, petOf } from '../../../src/check/pets.ts';
import { expecting } from '../../../src/check/requests.ts';
import { isOrdinaryName } from '../../inputs/ordinary-name.ts';
import { withFittingName, withRequired, withStatus } from './new-pet.ts';
import { observeCreation } from './observed.ts';
import { queryOf } from './query.ts';
import { judgeByStatus } from './status.ts';

/** The first known category, or a guess. */
export const category = ({ run }: Pick<CheckContext, 'run'>): bigint => run.categories[0]?.id ?? 1n;

/** A clearly valid NewPet with a unique name. */
export const ordinaryPet = (context: CheckContext, members: JsonObject = {}): JsonObject =>
  asDocumented(context, { name: context.uniqueName(), categoryId: category(context), ...members });

/** The NewPet with all fields that the document requires, and a name that it accepts. */
export const asDocumented = ({ run: { document } }: Pick<CheckContext, 'run'>, pet: JsonObject) =>
  withFittingName(document, withRequired(document, pet));

const valid = expecting('CREATE-1', [201], 'the body is a valid NewPet');

/** Creations that returned no animal: how many, and the status of the last. */
const failedCreations = ({ state }: Pick<RunContext, 'state'>) =>
  state('failed-creations', () => ({ count: 0, status: 0 }));

/** After this many failed creations no more are sent, because the animals that they may store cannot be deleted. */
const maxFailedCreations = 10;

const endWithoutAnimal = (context: CheckContext, { status }: ApiResponse): never => {
  const failed = failedCreations(context.run);
  failed.count += 1;
  failed.status = status;
  return context.skipCase({ code: 'nothing-created', detail: 'status', status });
};

/** The animal that a creation returned; null if it returned none with an id. */
export const createdPet = (response: ApiResponse): CreatedPet | null => {
  const pet = response.status === 201 ? petOf(response) : null;
  const id = pet === null ? null : idOf(pet);
  const { startedAt, durationMs } = response.exchange;
  return pet === null || id === null ? null : { id, pet, sentAt: startedAt, at: startedAt + durationMs };
};

/** Creates a clearly valid animal. Ends the case if that fails. */
export const createAnimal = async (context: CheckContext, members: JsonObject = {}): Promise<CreatedPet> => {
  const failed = failedCreations(context.run);
  if (failed.count >= maxFailedCreations && context.run.created().length === 0)
    context.skipCase({ code: 'nothing-created', detail: 'status', status: failed.status });
  const response = await createOrdinary(context, ordinaryPet(context, members));
  return createdPet(response) ?? endWithoutAnimal(context, response);
};

export const isCategoryKnown = ({ run }: Pick<CheckContext, 'run'>): boolean =>
  run.categories[0]?.known === true;

/** CREATE-1 applies if the name is ordinary and the category is known to exist. `isFresh`: no other animal can have the name. */
export const expectsCreated = (
  context: Pick<CheckContext, 'run'>,
  name: string,
  isFresh = context.run.isFreeName(name),
): readonly Expectation[] => (isCategoryKnown(context) && isOrdinaryName(name) && isFresh ? [valid] : []);

/** Sends a NewPet with a name that another animal may have: acceptance is not specified (CREATE-11). */
export const createNamesake = async (context: CheckContext, pet: JsonObject): Promise<ApiResponse> => {
  const label = 'name that another animal may have';
  const response = await context.send(
    createPet(asDocumented(context, pet), { inputSpace: 'unspecified', mayBeTaken: true, label }),
  );
  observeCreation(context, response, label);
  return response;
};

/** Sends a clearly valid NewPet. If the category is a guess, finds out whether it caused a rejection. */
export const createOrdinary = async (context: CheckContext, pet: JsonObject): Promise<ApiResponse> => {
  const body = asDocumented(context, pet);
  if (!isCategoryKnown(context) && !guesses(context.run).categoryIsFine) {
    const response = await createInGuessedCategory(context, body);
    if (response !== null) return response;
  }
  return context.send(createPet(body, { expects: [valid] }));
};

/** Creates an animal in a guessed category. Returns null if the category turned out to be valid: then the body must be accepted. */
const createInGuessedCategory = async (context: CheckContext, body: JsonObject) => {
  const response = await context.send(createPet(body, { inputSpace: 'unspecified' }));
  if (response.status === 201) {
    context.passed('CREATE-1');
    return response;
  }
  const isRejected = isForCategory(response.status);
  if (isRejected) await findRejectionCause(context, body, response.status);
  else if (response.status < 500 && response.status !== 429) guesses(context.run).categoryIsFine = true;
  if (isCategoryKnown(context) || guesses(context.run).categoryIsFine) return null;
  if (!isRejected) return response;
  return context.skipCase({ code: 'nothing-created', detail: 'no-category', status: response.status });
};

/** The category may explain the status. A rejection of the key, the method, or JSON, and a redirect, have other reasons. */
const isForCategory = (status: number): boolean =>
  status >= 400 && status < 500 && ![401, 405, 415, 429].includes(status);

/**
 * The search for the reason of a rejection in a guessed category: one for a run, shared by all rejected cases. `categoryIsFine`: the
 * category is not the reason.
 */
const guesses = ({
  state,
}: Pick<RunContext, 'state'>): { search?: Promise<unknown>; categoryIsFine?: boolean } =>
  state('guessed-category', () => ({}));

const findRejectionCause = (context: CheckContext, body: JsonObject, status: number): Promise<unknown> => {
  const search = guesses(context.run);
  const find = async (): Promise<void> => {
    if (await isForEveryBody(context, status)) search.categoryIsFine = true;
    else await tryOtherStatuses(context, body);
  };
  search.search ??= nullIfEnded(find());
  return search.search;
};

/** An operation that is missing or forbidden returns the same status to a body without a category. */
const isForEveryBody = async (context: CheckContext, status: number): Promise<boolean> => {
  if (![403, 404].includes(status)) return false;
  const empty = createPetWithBody('{}', { inputSpace: 'undocumented', label: 'empty object' });
  return (await context.send(empty)).status === status;
};

/** The status, or its absence, may be the reason: any successful creation shows that the category is fine. */
const tryOtherStatuses = (context: CheckContext, { status }: JsonObject): Promise<void> =>
  createWithAny(
    context,
    [undefined, ...context.run.statuses].filter((other) => other !== status),
  );

const createWithAny = async (context: CheckContext, statuses: readonly (string | undefined)[]) => {
  for (const status of statuses) {
    if (isCategoryKnown(context)) return;
    const pet = ordinaryPet(context, withStatus(status));
    await context.send(createPet(pet, { inputSpace: 'unspecified' }));
  }
};

/** An existing animal: the run's own if there is one, otherwise a listed one, otherwise a new one. */
export const existingAnimal = async (context: CheckContext): Promise<CreatedPet> => {
  const own = context.run.created()[0] ?? null;
  if (own !== null) return own;
  for (const pet of context.run.initialList) {
    const id = idOf(pet);
    if (id !== null) return { id, pet, sentAt: 0, at: 0 };
  }
  return createAnimal(context);
};

/** Lists with the largest or the default page. `whole`: the list is complete. */
export const listAll = async (
  context: CheckContext,
  status?: string,
  page: 'maximum' | 'default' = 'maximum',
): Promise<{
  readonly pets: readonly JsonObject[];
  readonly whole: boolean;
  readonly response: ApiResponse;
}> => {
  const limit = context.run.page[page];
  const query = queryOf(page === 'maximum' ? limit : undefined, status);
  const response = await context.send(listPets(query));
  await judgeByStatus(context, query, response);
  const pets = response.status === 200 ? listedPets(response) : null;
  if (pets === null)
    return context.skipCase({ code: 'unreadable-response', detail: 'list', status: response.status });
  return { pets, whole: isWhole(response, limit), response };
};
