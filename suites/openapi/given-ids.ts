import type { CheckContext, Json } from '../../src/check/index.ts';
import type { Found } from './existing.ts';
import type { Collection } from './relations.ts';

/** The id of a resource that this run created, and the parameters of its path. */
interface Given {
  readonly id: Json;
  readonly found: Found;
}

interface Used extends Collection {
  readonly context: CheckContext;
}

/** The ids of each collection that creations returned, and the collections with an id that came again. */
const idsIn = ({ context }: Used) =>
  context.state('ids of creations', () => ({
    given: new Map<string, Given>(),
    merging: new Set<string>(),
  }));

const keyOf = ({ path }: Collection, place: Found): string =>
  `${path} ${Object.entries(place).map(([name, value]) => `${name}=${value}`)}`;

/** Records a creation. True: another creation had its id, so the server may have merged the two. */
export const recordId = (collection: Used, { id, found }: Given): boolean => {
  const { given, merging } = idsIn(collection);
  const key = keyOf(collection, found);
  const isMerged = given.has(key);
  if (isMerged) merging.add(collection.path);
  given.set(key, { id, found });
  return isMerged;
};

export const isGiven = (collection: Used, place: Found): boolean =>
  idsIn(collection).given.has(keyOf(collection, place));

/** What was deleted may give its id to a later creation. */
export const forgetId = (collection: Used, place: Found): void => {
  idsIn(collection).given.delete(keyOf(collection, place));
};

/** Whether a creation in the collection may have changed the resource of another one. */
export const isMerging = (collection: Used): boolean => idsIn(collection).merging.has(collection.path);

/** The path of the parent of a resource. */
export const parentPlace = ({ id }: Collection, { found }: Pick<Given, 'found'>): Found => {
  const { [id.name]: _, ...parent } = found;
  return parent;
};

/** What this run created in the same collection as another resource, and did not delete. */
export const creationsIn = (collection: Used, created: Pick<Given, 'found'>): readonly Given[] => {
  const parentKey = (each: Pick<Given, 'found'>) => keyOf(collection, parentPlace(collection, each));
  return [...idsIn(collection).given].flatMap(([key, other]) =>
    key === keyOf(collection, other.found) && parentKey(other) === parentKey(created) ? [other] : [],
  );
};
