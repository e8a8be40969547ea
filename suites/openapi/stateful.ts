import { type Check, defineCheck, type Phase } from '../../src/check/index.ts';
import { actionsShow } from './actions.ts';
import { repeatsCreation, takesOverValues } from './conflicts.ts';
import { filters } from './filters.ts';
import { isMerging } from './given-ids.ts';
import { keepsNamedValues, usesDefaults } from './kept-values.ts';
import { deletes, readsBack } from './lifecycle.ts';
import { lists, storesNothingRefused, unlists } from './lists.ts';
import { givesFreeIds, givesNewIds } from './new-ids.ts';
import { pages, pagesAreWhole, usesDefaultSize } from './pages.ts';
import { checksPreconditions } from './preconditions.ts';
import { refusesWithoutEffect } from './refused-updates.ts';
import { type Collection, collectionsOf } from './relations.ts';
import { removesValues } from './removed-values.ts';
import { type CollectionUnderTest, underTest, type Workshop } from './resources.ts';
import type { Scenario } from './scenario.ts';
import { bounds, sorts } from './sorting.ts';
import { belongs, knowsNoStrangers, listsOwn } from './strangers.ts';
import { showsUpdates } from './updates.ts';

/** The operations that a case is about; the others only help. */
type About = readonly ('create' | 'read' | 'list' | 'replace' | 'change' | 'remove')[];

const updated = ['replace', 'change'] as const;
const readOrUpdated = ['read', ...updated] as const;
const changed = [...updated, 'remove'] as const;

/** Each has a requirement, a name, a title, and the number of resources that a case creates. */
type Kind = readonly [string, string, string, Scenario, About, creates: number];

const exclusive: readonly Kind[] = [
  ['RES-6', 'whole', 'all pages have each resource once', pagesAreWhole, ['list'], 3],
];

const main: readonly Kind[] = [
  ['GEN-1', 'repetition', 'a repeated creation is documented', repeatsCreation, ['create'], 2],
  ['RES-1', 'read', 'a created resource can be read', readsBack, ['create', 'read'], 1],
  ['RES-1', 'values', 'named values are kept', keepsNamedValues, ['create'], 5],
  ['RES-1', 'defaults', 'absent members have their default', usesDefaults, ['create'], 2],
  ['RES-4', 'list', 'a created resource is listed', lists, ['list'], 2],
  ['RES-5', 'filter', 'a filter returns its matches', filters, ['list'], 2],
  ['RES-5', 'bounds', 'a bound returns what is within it', bounds, ['list'], 1],
  ['RES-6', 'default-size', 'a page has its default size', usesDefaultSize, ['list'], 0],
  ['RES-6', 'page', 'pages have their size and their place', pages, ['list'], 2],
  ['RES-7', 'ids', 'creations get different ids', givesNewIds, ['create'], 5],
  ['RES-8', 'refused-creation', 'a refused creation stores nothing', storesNothingRefused, ['create'], 0],
  ['RES-10', 'parent', 'resources below a resource are its own', belongs, ['read', 'list'], 3],
  ['RES-10', 'reference', 'a list below a resource has what refers to it', listsOwn, ['create'], 2],
  ['RES-11', 'sort', 'a sorted list has its order', sorts, ['list'], 2],
];

const filledStore: readonly Kind[] = [
  ['RES-8', 'refused-update', 'a refused update changes nothing', refusesWithoutEffect, updated, 2],
  ['RES-9', 'made-up', 'an id that does not exist is not found', knowsNoStrangers, readOrUpdated, 0],
  ['RES-12', 'if-match', 'another entity tag changes nothing', checksPreconditions, changed, 1],
];

const lastExclusive: readonly Kind[] = [
  [
    'GEN-1',
    'taken-values',
    'an update with values of another one is documented',
    takesOverValues,
    updated,
    3,
  ],
  ['RES-2', 'update', 'an update shows', showsUpdates, updated, 3],
  ['RES-2', 'removed-values', 'null and a replacement remove values', removesValues, updated, 1],
  ['RES-2', 'action', 'the result of an action shows', actionsShow, ['read'], 3],
  ['RES-3', 'delete', 'a deleted resource is gone', deletes, ['remove'], 3],
  ['RES-3', 'unlist', 'a deleted resource is no longer listed', unlists, ['remove'], 2],
  ['RES-7', 'free-ids', 'a creation after a deletion gets an id of its own', givesFreeIds, ['remove'], 3],
];

/** What needs a list that stays as it is runs alone, and what changes or deletes what it created comes last. */
const kinds: readonly (readonly [Phase, readonly Kind[]])[] = [
  ['exclusive', exclusive],
  ['main', main],
  ['filled-store', filledStore],
  ['last-exclusive', lastExclusive],
];

/**
 * A breach of a resource is repeated while no other case sends anything, because another creation may change it: a new default address takes
 * the place of the old one. If the server merges creations, only two with one id are a breach. Creations at once need not collide each time.
 */
const ownResources = (collection: CollectionUnderTest): CollectionUnderTest => ({
  ...collection,
  context: {
    ...collection.context,
    breach: (breach) => {
      if (!isMerging(collection)) collection.context.breach({ ...breach, mustRecur: 'always' });
    },
  },
});

/** They tell whether the server merges creations. */
const aboutIds: readonly Scenario[] = [givesNewIds, givesFreeIds];

/** What is also tested on a list that has resources from the start. */
const needsNoCreation: readonly Scenario[] = [filters, bounds, usesDefaultSize, pages, sorts];

/** A collection whose resources clients name is listed as one without a creation, too. */
const isFor = (scenario: Scenario, { create: { method } }: Collection): boolean => {
  if (method === 'POST') return true;
  return (
    (method === 'GET') === needsNoCreation.includes(scenario) &&
    ![givesNewIds, repeatsCreation].includes(scenario)
  );
};

const checksOf = (
  workshop: Workshop,
  collection: Collection,
  phase: Phase,
  [requirement, name, title, scenario, about, creates]: Kind,
): readonly Check[] => {
  const [first, ...others] = about.flatMap((part) => workshop.exercisedAs(collection[part]) ?? []);
  if (first === undefined || !isFor(scenario, collection)) return [];
  const check = defineCheck<Collection>({
    id: `${requirement.toLowerCase()}-${name}-${collection.create.id}`,
    title: `${title}: ${collection.path}`,
    requirement,
    phase,
    cost: { requests: 4 + 2 * creates, creates: collection.create.method === 'POST' ? creates : 0 },
    inputs: () => [collection],
    run: (each, context) => {
      const tested = underTest(workshop, each, context);
      const own = aboutIds.includes(scenario) ? tested : ownResources(tested);
      return scenario(own, [first, ...others]);
    },
  });
  return [check];
};

/** The checks of resources: each kind for each collection that the document makes plain. */
export const resourceChecks = (workshop: Workshop): readonly Check[] => {
  const collections = collectionsOf(workshop.document).filter(
    ({ create }) => workshop.helperAs(create) !== null,
  );
  return kinds.flatMap(([phase, all]) =>
    all.flatMap((kind) => collections.flatMap((collection) => checksOf(workshop, collection, phase, kind))),
  );
};
