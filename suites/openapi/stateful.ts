import { type Check, type CheckContext, defineCheck } from '../../src/check/index.ts';
import { deletes, readsBack, refusesWithoutEffect, type Scenario, showsUpdates } from './lifecycle.ts';
import { filters, givesNewIds, lists, pages, storesNothingRefused, unlists } from './lists.ts';
import { type Collection, collectionsOf } from './relations.ts';
import type { Workshop } from './resources.ts';
import { belongs, knowsNoStrangers } from './strangers.ts';

interface Kind {
  readonly requirement: string;
  readonly name: string;
  readonly title: string;
  readonly scenario: Scenario;
  /** How many resources a case creates. */
  readonly creates: number;
  /** It changes or deletes what it created. */
  readonly changes: boolean;
}

const kind = (
  requirement: string,
  name: string,
  title: string,
  scenario: Scenario,
  { creates = 1, changes = false }: Partial<Pick<Kind, 'creates' | 'changes'>> = {},
): Kind => ({ requirement, name, title, scenario, creates, changes });

const kinds: readonly Kind[] = [
  kind('RES-1', 'read', 'a created resource can be read', readsBack),
  kind('RES-2', 'update', 'an update shows', showsUpdates, { creates: 2, changes: true }),
  kind('RES-3', 'delete', 'a deleted resource is gone', deletes, { changes: true }),
  kind('RES-3', 'unlist', 'a deleted resource is no longer listed', unlists, { changes: true }),
  kind('RES-4', 'list', 'a created resource is listed', lists, { creates: 2 }),
  kind('RES-5', 'filter', 'a filter returns its matches', filters, { creates: 2 }),
  kind('RES-6', 'page', 'pages have their size and their place', pages, { creates: 2 }),
  kind('RES-7', 'ids', 'creations get different ids', givesNewIds, { creates: 5 }),
  kind('RES-8', 'refused-update', 'a refused update changes nothing', refusesWithoutEffect, {
    creates: 2,
    changes: true,
  }),
  kind('RES-8', 'refused-creation', 'a refused creation stores nothing', storesNothingRefused, {
    creates: 0,
  }),
  kind('RES-9', 'made-up', 'an id that does not exist is not found', knowsNoStrangers, {
    creates: 0,
    changes: true,
  }),
  kind('RES-10', 'parent', 'resources below a resource are its own', belongs, { creates: 3 }),
];

/** The checks of resources: each kind for each collection that the document makes plain. */
export const resourceChecks = (workshop: Workshop): readonly Check[] => {
  const collections = collectionsOf(workshop.document).filter(
    ({ create }) => workshop.exercisedAs(create) !== null,
  );
  return kinds.flatMap(({ requirement, name, title, scenario, creates, changes }) =>
    collections.map((collection) =>
      defineCheck<Collection>({
        id: `${requirement.toLowerCase()}-${name}-${collection.create.id}`,
        title: `${title}: ${collection.path}`,
        requirement,
        phase: changes ? 'filled-store' : 'main',
        cost: { requests: 4 + 2 * creates, creates },
        inputs: () => [collection],
        run: (each, context: CheckContext) => scenario(workshop, each, context),
      }),
    ),
  );
};
