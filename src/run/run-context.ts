import type { Category, CreatedPet, KeyProbe, RunContext } from '../check/run-context.ts';
import type { RunSettings } from '../config/settings.ts';
import type { Client } from '../http/client-types.ts';
import type { JsonObject } from '../json/json.ts';
import type { ApiDocument } from '../openapi/document.ts';
import { pageBounds, statusesOf } from '../oracle/document-figures.ts';
import { limitState } from '../rate-limit/limit-state.ts';
import type { OtherLimit } from '../rate-limit/monitors/other-limit.ts';
import type { CreationAllowance } from './creation-allowance.ts';
import { otherPrefixIn } from './name-prefix.ts';
import type { Selection } from './plan.ts';
import type { Target } from './run-deps.ts';
import type { LearningServerModel } from './server-model.ts';

interface Options {
  readonly settings: RunSettings;
  readonly selection: Pick<Selection, 'isChosen'>;
  readonly target: Target;
  readonly seed: number;
  readonly namePrefix: string;
  readonly document: ApiDocument;
  readonly serverModel: LearningServerModel;
  readonly creations: Pick<CreationAllowance, 'left'>;
  readonly initialList: readonly JsonObject[];
  readonly listedWhole: boolean;
  readonly keyProbe: KeyProbe | null;
  readonly counters: Pick<RunContext, 'counterTrend' | 'isCounted' | 'isChargedAsSeveral'>;
  readonly otherLimit: Pick<OtherLimit, 'mayExplain'>;
  readonly client: Pick<Client, 'isShared' | 'countsUp'>;
}

/** What cases share, from the settings and the preflight. */
export const createRunContext = (options: Options): RunContext => {
  const { settings, target, document, counters, otherLimit, client } = options;
  const categories = categoriesOf(options);
  const state = new Map<string, unknown>();
  return {
    state: <Value>(key: string, init: () => Value): Value => {
      if (!state.has(key)) state.set(key, init());
      return state.get(key) as Value;
    },
    document,
    baseUrl: target.baseUrl,
    plan: target.plans['rate-limit'],
    keyProbe: options.keyProbe,
    keys: {
      rateLimit: target.keys['rate-limit'] !== null,
      exhaustDaily: settings.exhaustDaily,
      allowBan: settings.allowBan,
    },
    keyLength: target.keys.main?.length ?? 0,
    isKeyExclusive: (slot) => !client.isShared(slot),
    countsUp: client.countsUp,
    maxWaitMs: settings.maxWait * 1000,
    seed: options.seed,
    namePrefix: options.namePrefix,
    page: pageBounds(document),
    statuses: statusesOf(document),
    categories,
    readOnly: settings.readOnly,
    isChosen: options.selection.isChosen,
    isBudgeted: settings.budget !== null,
    concurrency: settings.concurrency,
    initialList: options.initialList,
    listedWhole: options.listedWhole,
    counterTrend: counters.counterTrend,
    isCounted: counters.isCounted,
    isChargedAsSeveral: counters.isChargedAsSeveral,
    mayBeOtherLimit: (shown, refused) =>
      otherLimit.mayExplain('rate-limit', limitState(shown), refused.exchange.startedAt),
    ...knownPets(options, categories),
  };
};

const knownPets = (
  { settings, document, serverModel, creations, listedWhole }: Options,
  categories: readonly Category[],
) => {
  const ordinary = new Set(categories.map(({ id }) => id));
  const getPet = document.operations.find(({ id }) => id === 'getPet');
  // A budget is for revealing requests, and not for filling a store.
  const maxCreations = settings.budget === null ? Number.POSITIVE_INFINITY : Math.floor(settings.budget / 10);
  const isOrdinary = ({ pet }: CreatedPet): boolean =>
    typeof pet.categoryId === 'bigint' &&
    ordinary.has(pet.categoryId) &&
    !serverModel.wasWronglyAccepted(pet);
  const hasStatus = (id: bigint, status: string): boolean =>
    serverModel.statusShown(id, Number.POSITIVE_INFINITY)?.status === status;
  return {
    storeSize: () => serverModel.storeSize,
    created: growing(serverModel.created, isOrdinary),
    ownPets: serverModel.ownPets,
    ownPetsOf: (status: string) => serverModel.ownPets().filter(({ id }) => hasStatus(id, status)),
    hasChanges: () => serverModel.hasChanges,
    statusesReturn: () => serverModel.statusesReturn,
    remainingCreations: () => Math.min(creations.left, maxCreations),
    isFreeName: (name: string) => listedWhole && !serverModel.isTakenName(name),
    isTakenName: serverModel.isTakenName,
    isKnownId: serverModel.isKnownId,
    isOwnId: (id: bigint) => serverModel.idCreatedBy(id) !== null,
    creationsOf: serverModel.creationsOf,
    wasRefused: (pet: JsonObject) => serverModel.refusalOf(pet, Number.POSITIVE_INFINITY) !== null,
    removalState: (operation = getPet) =>
      operation === undefined ? 'after' : serverModel.removalState(operation),
  };
};

/**
 * The configured categories, else the valid categories of listed animals; those of animals that an earlier run left are only a guess,
 * because another version of the server may have accepted them. Else 1, which is a guess, too.
 */
const categoriesOf = ({ settings, initialList, serverModel, namePrefix }: Options): readonly Category[] => {
  const valid = settings.categoryIds.length > 0 ? [] : initialList.filter(hasValidCategory(serverModel));
  const isOfOtherRun = ({ name }: JsonObject) => otherPrefixIn(name, namePrefix) !== null;
  const idsOf = (pets: readonly JsonObject[]) =>
    pets.map(({ categoryId }) => categoryId).filter((id) => typeof id === 'bigint');
  const seen = [...settings.categoryIds, ...idsOf(valid.filter((pet) => !isOfOtherRun(pet)))];
  const known = [...new Set(seen)].slice(0, 5).map((id) => ({ id, known: true }));
  if (known.length > 0) return known;
  const id = mostFrequent(idsOf(valid)) ?? 1n;
  const guess: Category = {
    id,
    get known() {
      return serverModel.isCategoryAccepted(id);
    },
  };
  return [guess];
};

/** Tells whether the document allows the category of an animal. */
const hasValidCategory = ({ document, validator }: LearningServerModel) => {
  const schema = document.schemas.Pet;
  const problemsOf = schema === undefined ? () => [] : validator(schema);
  return (pet: JsonObject): boolean =>
    typeof pet.categoryId === 'bigint' && !problemsOf(pet).some(({ pointer }) => pointer === '/categoryId');
};

const mostFrequent = <Item>(items: readonly Item[]): Item | undefined =>
  [...Map.groupBy(items, (item) => item)].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];

/** The items of a growing list that pass, each tested once. */
const growing = <Item>(all: readonly Item[], passes: (item: Item) => boolean): (() => readonly Item[]) => {
  const passed: Item[] = [];
  let tested = 0;
  return () => {
    const added = all.slice(tested);
    tested += added.length;
    passed.push(...added.filter(passes));
    return passed;
  };
};
