import type { Category, RunContext } from '../check/run-context.ts';
import type { RunSettings } from '../config/settings.ts';
import type { Client } from '../http/client-types.ts';
import type { JsonObject } from '../json/json.ts';
import type { ApiDocument } from '../openapi/document.ts';
import { pageBounds, statusesOf } from '../oracle/document-figures.ts';
import { limitState } from '../rate-limit/limit-state.ts';
import type { OtherLimit } from '../rate-limit/monitors/other-limit.ts';
import { hashOf } from '../util/hash.ts';
import type { CreationAllowance } from './creation-allowance.ts';
import type { Target } from './run-deps.ts';
import type { LearningServerModel } from './server-model.ts';

interface Options {
  readonly settings: RunSettings;
  readonly target: Target;
  readonly seed: number;
  readonly namePrefix: string;
  readonly document: ApiDocument;
  readonly serverModel: LearningServerModel;
  readonly creations: Pick<CreationAllowance, 'left'>;
  readonly initialList: readonly JsonObject[];
  readonly listedWhole: boolean;
  readonly counters: Pick<RunContext, 'movement' | 'isCounted' | 'isChargedAsSeveral'>;
  readonly otherLimit: Pick<OtherLimit, 'mayExplain'>;
  readonly client: Pick<Client, 'isShared'>;
}

/** What cases share, from the settings and the first look at the target. */
export const createRunContext = ({
  settings,
  target,
  seed,
  namePrefix,
  document,
  serverModel,
  creations,
  initialList,
  listedWhole,
  counters,
  otherLimit,
  client,
}: Options): RunContext => {
  const categories = categoriesOf(settings.categoryIds, initialList, serverModel);
  const ordinary = new Set(categories.map(({ id }) => id));
  const getPet = document.operations.find(({ id }) => id === 'getPet');
  return {
    document,
    baseUrl: target.baseUrl,
    plan: target.plans['rate-limit'],
    keys: {
      rateLimit: target.keys['rate-limit'] !== null,
      exhaustDaily: settings.exhaustDaily,
      allowBan: settings.allowBan,
    },
    keyLength: target.keys.main?.length ?? 0,
    isKeyExclusive: (slot) => !client.isShared(slot),
    maxWaitMs: settings.maxWait * 1000,
    seed,
    namePrefix,
    page: pageBounds(document),
    statuses: statusesOf(document),
    categories,
    readOnly: settings.readOnly,
    isBudgeted: settings.budget !== null,
    concurrency: settings.concurrency,
    initialList: initialList,
    listedWhole,
    movement: counters.movement,
    isCounted: counters.isCounted,
    isChargedAsSeveral: counters.isChargedAsSeveral,
    mayBeOtherLimit: (shown, refused) =>
      otherLimit.mayExplain('rate-limit', limitState(shown), refused.exchange.startedAt),
    storeSize: () => serverModel.storeSize,
    created: growing(
      serverModel.created,
      ({ pet }) =>
        typeof pet.categoryId === 'bigint' &&
        ordinary.has(pet.categoryId) &&
        !serverModel.wasWronglyAccepted(pet),
    ),
    own: () => serverModel.ownPets(),
    ofStatus: (status) =>
      serverModel
        .ownPets()
        .filter(({ id }) => serverModel.statusShown(id, Number.POSITIVE_INFINITY)?.status === status),
    hasChanges: () => serverModel.hasChanges,
    statusesReturn: () => serverModel.statusesReturn,
    remainingCreations: () =>
      // A budget is for revealing requests, and not for filling a store.
      Math.min(
        creations.left,
        settings.budget === null ? Number.POSITIVE_INFINITY : Math.floor(settings.budget / 10),
      ),
    isFreeName: (name) => listedWhole && !serverModel.isTakenName(name),
    isTakenName: (name) => serverModel.isTakenName(name),
    isKnownId: (id) => serverModel.isKnownId(id),
    isOwnId: (id) => serverModel.idCreatedBy(id) !== null,
    creationsOf: (id) => serverModel.creationsOf(id),
    wasRefused: (pet) => serverModel.refusalOf(pet, Number.POSITIVE_INFINITY) !== null,
    removalState: (operation = getPet) =>
      operation === undefined ? 'after' : serverModel.removalState(operation),
  };
};

/** Configured ones, else those of listed animals, else 1, of which nothing is known until an animal is created in it. */
const categoriesOf = (
  configured: readonly bigint[],
  listed: readonly JsonObject[],
  { isCategoryAccepted }: Pick<LearningServerModel, 'isCategoryAccepted'>,
): readonly Category[] => {
  const seen =
    configured.length > 0
      ? configured
      : listed.map(({ categoryId }) => categoryId).filter((id) => typeof id === 'bigint');
  const known = [...new Set(seen)].slice(0, 5).map((id) => ({ id, known: true }));
  if (known.length > 0) return known;
  const guess: Category = {
    id: 1n,
    get known() {
      return isCategoryAccepted(1n);
    },
  };
  return [guess];
};

/** Those of a list that only grows which pass, each looked at once. */
const growing = <Item>(all: readonly Item[], passes: (item: Item) => boolean): (() => readonly Item[]) => {
  const passed: Item[] = [];
  let looked = 0;
  return () => {
    const news = all.slice(looked);
    looked += news.length;
    passed.push(...news.filter(passes));
    return passed;
  };
};

/**
 * How the names of what a run creates begin: others in each run, even with the same seed, as a server may refuse names that another
 * animal has; and others in each shard, as shards may run at once.
 */
export const namePrefixFor = (
  seed: number,
  startedAt: number,
  { index, of }: RunSettings['shard'],
): string => {
  // Always of one length, so that nothing else about a request depends on it.
  const run = `conformance-${hashOf(`${startedAt}`, seed).toString(36).padStart(7, '0')}-`;
  return of === 1 ? run : `${run}${index}of${of}-`;
};
