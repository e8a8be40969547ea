import { isOrdinaryName } from '../../src/generate/ordinary-name.ts';
import type { JsonObject } from '../../src/json/json.ts';
import { memoised } from '../../src/memo/memo.ts';
import { isWhole } from '../../src/oracle/paging.ts';
import { idOf, listedPets, petOf } from '../../src/oracle/pet.ts';
import type { Expectation } from '../../src/oracle/probe.ts';
import type { Reading } from '../../src/oracle/reading.ts';
import type { CaseContext } from '../../src/run/check.ts';
import type { CreatedPet, Fixtures } from '../../src/run/fixtures.ts';
import { createPet, createPetOf, listPets } from '../../src/run/probes.ts';
import { nullIfEnded } from './ended.ts';
import { withFittingName, withRequired } from './new-pet.ts';
import { observeCreation } from './observed.ts';
import { judgeByStatus } from './status.ts';

/** The first known category, or the guess that stands in for one. */
export const category = ({ fixtures }: Pick<CaseContext, 'fixtures'>): bigint =>
  fixtures.categories[0]?.id ?? 1n;

/** A NewPet that is valid without doubt, with a name of its own. */
export const ordinaryPet = (context: CaseContext, members: JsonObject = {}): JsonObject =>
  asDocumented(context, { name: context.freshName(), categoryId: category(context), ...members });

/** What the document requires beyond the members that are known, and a name that it accepts. */
export const asDocumented = ({ fixtures: { document } }: Pick<CaseContext, 'fixtures'>, pet: JsonObject) =>
  withFittingName(document, withRequired(document, pet));

const valid: Expectation = {
  requirement: 'CREATE-1',
  statuses: [201],
  because: 'the body is a valid NewPet',
};

/** What came of creations that gave no animal to go on with: how many there were, and why. */
const failedCreations = memoised((_run: Fixtures): { count: number; reason: string } => ({
  count: 0,
  reason: '',
}));

/** After so many creations in vain no more are sent: nothing can be deleted of what they leave in the store. */
const maxFailedCreations = 10;

const endWithoutAnimal = (context: CaseContext, { status }: Reading): never => {
  const vain = failedCreations(context.fixtures);
  vain.count += 1;
  vain.reason = `no animal could be created (POST /pets answered ${status}${status === 201 ? ' without a Pet that has an int64 as its id' : ''})`;
  return context.end(vain.reason);
};

/** Creates an animal that is valid without doubt; ends the case where that does not work. */
export const createAnimal = async (context: CaseContext, members: JsonObject = {}): Promise<CreatedPet> => {
  const vain = failedCreations(context.fixtures);
  if (vain.count >= maxFailedCreations && context.fixtures.created().length === 0) context.end(vain.reason);
  const reading = await createOrdinary(context, ordinaryPet(context, members));
  const pet = petOf(reading);
  const id = pet === null ? null : idOf(pet);
  if (reading.status !== 201 || pet === null || id === null) return endWithoutAnimal(context, reading);
  return { id, pet, sentAt: reading.exchange.startedAt, at: context.clock.now() };
};

export const isCategoryKnown = ({ fixtures }: Pick<CaseContext, 'fixtures'>): boolean =>
  fixtures.categories[0]?.known === true;

/** CREATE-1 applies if the name is ordinary, and the category is known to exist. `isFresh`: no other animal can have the name. */
export const expectsCreated = (
  context: Pick<CaseContext, 'fixtures'>,
  name: string,
  isFresh = context.fixtures.isFreeName(name),
): readonly Expectation[] => (isCategoryKnown(context) && isOrdinaryName(name) && isFresh ? [valid] : []);

/** Sends a NewPet with a name that another animal may have: whether that is accepted is not specified (CREATE-11). */
export const createNamesake = async (context: CaseContext, pet: JsonObject): Promise<Reading> => {
  const label = 'a name that another animal may have';
  const reading = await context.send(
    createPetOf(asDocumented(context, pet), { space: 'open', mayBeTaken: true, label }),
  );
  observeCreation(context, reading, label);
  return reading;
};

/** Sends a NewPet that is valid without doubt, and says so where a guessed category may be to blame for a refusal. */
export const createOrdinary = async (context: CaseContext, pet: JsonObject): Promise<Reading> => {
  const body = asDocumented(context, pet);
  if (!isCategoryKnown(context) && !guesses(context.fixtures).categoryIsFine) {
    const reading = await createInGuessedCategory(context, body);
    if (reading !== null) return reading;
  }
  return context.send(createPetOf(body, { expects: [valid] }));
};

/** In a category of which nothing is known yet. Null: now it is known to exist, and the same body has to be created. */
const createInGuessedCategory = async (context: CaseContext, body: JsonObject): Promise<Reading | null> => {
  const reading = await context.send(createPetOf(body, { space: 'open' }));
  if (reading.status === 201) {
    context.met('CREATE-1');
    return reading;
  }
  const refused = isForCategory(reading.status);
  if (refused) await findRejectionCause(context, body, reading.status);
  else if (reading.status < 500 && reading.status !== 429) guesses(context.fixtures).categoryIsFine = true;
  if (isCategoryKnown(context) || guesses(context.fixtures).categoryIsFine) return null;
  if (!refused) return reading;
  return context.end(
    `POST /pets answered ${reading.status}, and no category is known to exist: name one with --category-id`,
  );
};

/** A refusal of the key, of the method or of JSON, as a redirect, says nothing of the category: another would be answered so as well. */
const isForCategory = (status: number): boolean =>
  status >= 400 && status < 500 && ![401, 405, 415, 429].includes(status);

/**
 * The search for what a creation in a guessed category was refused for, one a run, for all the cases that were refused; `categoryIsFine`: it
 * is not for the category.
 */
const guesses = memoised((_run: Fixtures): { under?: Promise<unknown>; categoryIsFine?: boolean } => ({}));

const findRejectionCause = (context: CaseContext, body: JsonObject, status: number): Promise<unknown> => {
  const search = guesses(context.fixtures);
  const find = async (): Promise<void> => {
    if (await isForEveryBody(context, status)) search.categoryIsFine = true;
    else await tryOtherStatuses(context, body);
  };
  search.under ??= nullIfEnded(find());
  return search.under;
};

/** What is not there, or not to be used, refuses a body that names no category just so. */
const isForEveryBody = async (context: CaseContext, status: number): Promise<boolean> => {
  if (![403, 404].includes(status)) return false;
  const empty = createPet('{}', { space: 'outside', label: 'an empty object' });
  return (await context.send(empty)).status === status;
};

/** A refusal may be for the status, or for the want of one: any creation that is served shows that the category is not to blame. */
const tryOtherStatuses = (context: CaseContext, { status }: JsonObject): Promise<void> =>
  createWithAny(
    context,
    [undefined, ...context.fixtures.statuses].filter((other) => other !== status),
  );

const createWithAny = async (
  context: CaseContext,
  statuses: readonly (string | undefined)[],
): Promise<void> => {
  for (const status of statuses) {
    if (isCategoryKnown(context)) return;
    const pet = ordinaryPet(context, status === undefined ? {} : { status });
    await context.send(createPetOf(pet, { space: 'open' }));
  }
};

/** An animal that exists: one of the run's own where there is one, else a listed one, else a new one. */
export const existingAnimal = async (context: CaseContext): Promise<CreatedPet> => {
  const own = context.fixtures.created()[0] ?? null;
  if (own !== null) return own;
  for (const pet of context.fixtures.listedAtStart) {
    const id = idOf(pet);
    if (id !== null) return { id, pet, sentAt: 0, at: 0 };
  }
  return createAnimal(context);
};

/** Lists with the largest page, or with the default one; `whole` if it leaves nothing out. */
export const listAll = async (
  context: CaseContext,
  status?: string,
  page: 'maximum' | 'default' = 'maximum',
): Promise<{ readonly pets: readonly JsonObject[]; readonly whole: boolean; readonly reading: Reading }> => {
  const limit = context.fixtures.page[page];
  const query = { ...(page === 'maximum' ? { limit } : {}), ...(status === undefined ? {} : { status }) };
  const reading = await context.send(listPets(query));
  await judgeByStatus(context, query, reading);
  const pets = reading.status === 200 ? listedPets(reading) : null;
  if (pets === null) return context.end(`the list could not be read (GET /pets answered ${reading.status})`);
  return { pets, whole: isWhole(reading, limit), reading };
};
