import { type Check, defineCheck, type Phase } from '../../src/check/index.ts';
import { actionsShow } from './actions.ts';
import { filters } from './filters.ts';
import { keepsNamedValues, usesDefaults } from './kept-values.ts';
import { deletes, readsBack } from './lifecycle.ts';
import { lists, storesNothingRefused, unlists } from './lists.ts';
import { givesFreeIds, givesNewIds } from './new-ids.ts';
import { pages, pagesAreWhole, usesDefaultSize } from './pages.ts';
import { checksPreconditions } from './preconditions.ts';
import { refusesWithoutEffect } from './refused-updates.ts';
import { type Collection, collectionsOf } from './relations.ts';
import { removesValues } from './removed-values.ts';
import { type CollectionUnderTest, isMerging, type Workshop } from './resources.ts';
import type { Scenario } from './scenario.ts';
import { bounds, sorts } from './sorting.ts';
import { belongs, knowsNoStrangers, listsOwn } from './strangers.ts';
import { showsUpdates } from './updates.ts';

type About = 'create' | 'read' | 'list' | 'replace' | 'change' | 'remove';

interface Kind {
  readonly requirement: string;
  readonly name: string;
  readonly title: string;
  readonly scenario: Scenario;
  /** It is about these operations; the others only help. */
  readonly about: readonly About[];
  /** How many resources a case creates. */
  readonly creates: number;
  /** Those that change or delete what they created come after the others. One that needs a list that stays as it is runs alone. */
  readonly phase: Phase;
}

const kind = (
  requirement: string,
  name: string,
  title: string,
  [scenario, ...about]: readonly [Scenario, ...About[]],
  { creates = 1, phase = 'main' }: Partial<Pick<Kind, 'creates' | 'phase'>> = {},
): Kind => ({ requirement, name, title, scenario, about, creates, phase });

const kinds: readonly Kind[] = [
  kind('RES-1', 'read', 'a created resource can be read', [readsBack, 'create', 'read']),
  kind('RES-1', 'values', 'named values are kept', [keepsNamedValues, 'create'], { creates: 5 }),
  kind('RES-1', 'defaults', 'absent members have their default', [usesDefaults, 'create'], { creates: 2 }),
  kind('RES-2', 'update', 'an update shows', [showsUpdates, 'replace', 'change'], {
    creates: 3,
    phase: 'last-exclusive',
  }),
  kind(
    'RES-2',
    'removed-values',
    'null and a replacement remove values',
    [removesValues, 'replace', 'change'],
    { phase: 'last-exclusive' },
  ),
  kind('RES-2', 'action', 'the result of an action shows', [actionsShow, 'read'], {
    creates: 3,
    phase: 'last-exclusive',
  }),
  kind('RES-3', 'delete', 'a deleted resource is gone', [deletes, 'remove'], {
    creates: 3,
    phase: 'last-exclusive',
  }),
  kind('RES-3', 'unlist', 'a deleted resource is no longer listed', [unlists, 'remove'], {
    creates: 2,
    phase: 'last-exclusive',
  }),
  kind('RES-4', 'list', 'a created resource is listed', [lists, 'list'], { creates: 2 }),
  kind('RES-5', 'filter', 'a filter returns its matches', [filters, 'list'], { creates: 2 }),
  kind('RES-5', 'bounds', 'a bound returns what is within it', [bounds, 'list'], { creates: 1 }),
  kind('RES-6', 'whole', 'all pages have each resource once', [pagesAreWhole, 'list'], {
    creates: 3,
    phase: 'exclusive',
  }),
  kind('RES-6', 'default-size', 'a page has its default size', [usesDefaultSize, 'list'], { creates: 0 }),
  kind('RES-6', 'page', 'pages have their size and their place', [pages, 'list'], { creates: 2 }),
  kind('RES-7', 'ids', 'creations get different ids', [givesNewIds, 'create'], { creates: 5 }),
  kind('RES-7', 'free-ids', 'a creation after a deletion gets an id of its own', [givesFreeIds, 'remove'], {
    creates: 3,
    phase: 'last-exclusive',
  }),
  kind(
    'RES-8',
    'refused-update',
    'a refused update changes nothing',
    [refusesWithoutEffect, 'replace', 'change'],
    {
      creates: 2,
      phase: 'filled-store',
    },
  ),
  kind('RES-8', 'refused-creation', 'a refused creation stores nothing', [storesNothingRefused, 'create'], {
    creates: 0,
  }),
  kind(
    'RES-9',
    'made-up',
    'an id that does not exist is not found',
    [knowsNoStrangers, 'read', 'replace', 'change'],
    {
      creates: 0,
      phase: 'filled-store',
    },
  ),
  kind('RES-10', 'parent', 'resources below a resource are its own', [belongs, 'read', 'list'], {
    creates: 3,
  }),
  kind('RES-10', 'reference', 'a list below a resource has what refers to it', [listsOwn, 'create'], {
    creates: 2,
  }),
  kind('RES-11', 'sort', 'a sorted list has its order', [sorts, 'list'], { creates: 2 }),
  kind(
    'RES-12',
    'if-match',
    'another entity tag changes nothing',
    [checksPreconditions, 'replace', 'change', 'remove'],
    {
      creates: 1,
      phase: 'filled-store',
    },
  ),
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
  return (method === 'GET') === needsNoCreation.includes(scenario) && scenario !== givesNewIds;
};

/** The checks of resources: each kind for each collection that the document makes plain. */
export const resourceChecks = (workshop: Workshop): readonly Check[] => {
  const collections = collectionsOf(workshop.document).filter(
    ({ create }) => workshop.helperAs(create) !== null,
  );
  return kinds.flatMap(({ requirement, name, title, scenario, about, creates, phase }) =>
    collections
      .filter(
        (collection) =>
          isFor(scenario, collection) &&
          about.some((part) => workshop.exercisedAs(collection[part]) !== null),
      )
      .map((collection) =>
        defineCheck<Collection>({
          id: `${requirement.toLowerCase()}-${name}-${collection.create.id}`,
          title: `${title}: ${collection.path}`,
          requirement,
          phase,
          cost: { requests: 4 + 2 * creates, creates: collection.create.method === 'POST' ? creates : 0 },
          inputs: () => [collection],
          run: (each, context) => {
            const underTest = { ...workshop, ...each, context };
            return scenario(aboutIds.includes(scenario) ? underTest : ownResources(underTest));
          },
        }),
      ),
  );
};
