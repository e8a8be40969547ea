import { nullIfEnded } from '../../src/check/case-skipped.ts';
import { withoutSlash } from '../../src/check/creations.ts';
import type { Operation } from '../../src/check/document.ts';
import type { ApiResponse, Json, JsonObject } from '../../src/check/index.ts';
import { sameJson } from '../../src/check/json.ts';
import { acceptedBy } from '../../src/check/schemas.ts';
import type { Found } from './existing.ts';
import { listAll } from './listing.ts';
import { normalize } from './names.ts';
import { hasPathParameters, operationAt, pathParameters } from './operations.ts';
import { isReference, usualAlternative } from './ordinary.ts';
import { type Collection, collectionsOf } from './relations.ts';
import { singularOf } from './resource-bodies.ts';
import { itemsIn, withId } from './resource-shapes.ts';
import {
  type CollectionUnderTest,
  createIn,
  ordinaryFor,
  parentOf,
  readNow,
  sendTo,
  underTest,
} from './resources.ts';
import { isSuccess, shownIn } from './responses.ts';
import { breachList, breachStatus, documents, type Scenario } from './scenario.ts';

/** Ids that no resource has, in the form of the path parameter. Empty: the form leaves no room for one. */
const madeUpIds = ({ document: { root }, id: { schema } }: CollectionUnderTest): readonly Json[] => {
  const flat = usualAlternative(schema, root);
  const made =
    flat?.kinds.has('string') === true
      ? [
          ...['5f0e1d2c-9a8b-4c7d-8e6f-0123456789ab', '6a1f2e3d-0b9c-4d8e-9f7a-123456789abc'],
          ...['zzqx9k7w', 'zzqx9k7v', '64b7f1a0c3d2e1f0a9b8c7d6', '64b7f1a0c3d2e1f0a9b8c7d7'],
        ]
      : [2_000_000_011n, 1_999_999_973n, 30_011n, 29_989n];
  return made.filter(acceptedBy(schema, root)).slice(0, 2);
};

const isUnclear = (flat: ReturnType<typeof usualAlternative>): boolean =>
  flat === null || flat.values !== null || flat.patterns.length > 0;

/** RES-9: reading or changing what does not exist is not a success. */
export const knowsNoStrangers: Scenario = async (collection) => {
  const { document, id, item, read, replace, change, context } = collection;
  if (isUnclear(usualAlternative(id.schema, document.root))) return;
  const parent = await parentOf(collection);
  const [first, second] = madeUpIds(collection).map((each): Found => ({ ...parent, [id.name]: each }));
  if (first === undefined || second === undefined) return;
  const below = document.operations.filter(
    ({ path, method }) =>
      path.startsWith(`${item}/`) &&
      pathParameters({ path }).length === pathParameters({ path: item }).length &&
      ['GET', 'POST'].includes(method),
  );
  for (const operation of [read, replace, change, ...below]) {
    const exercised = collection.exercisedAs(operation);
    if (exercised === null || !exercised.mayGuess || !documents(operation, 404)) continue;
    const ask = async (found: Found) =>
      sendTo(collection, exercised, found, { resource: await ordinaryFor(collection, exercised, found) });
    const [response, other] = [await ask(first), await ask(second)];
    if (response.status === 404) context.passed();
    if (!isSuccess(response) || !isSuccess(other)) continue;
    // PUT may create.
    if (operation?.method === 'PUT' && (await readNow(collection, first))?.status !== 404) continue;
    breachStatus(collection, 'made-up id', response, { expected: [404], origin: [other] });
  }
};

/** The collection of the resources that a path is below. */
const parentCollection = ({ document, path }: CollectionUnderTest): Collection | null =>
  collectionsOf(document).find(
    ({ item }) => path.startsWith(`${item}/`) && !path.slice(item.length).includes('{'),
  ) ?? null;

/** RES-10: what was created below one resource is not below another one. */
export const belongs: Scenario = async (collection) => {
  const { create, list, read } = collection;
  const above = parentCollection(collection);
  if (above === null || above.create.method !== 'POST' || !hasPathParameters(create)) return;
  const parents = underTest(collection, above, collection.context);
  const [one, two] = [(await createIn(parents)).found, (await createIn(parents)).found];
  const listing = collection.exercisedAs(list);
  // Each new resource may have parts from the start, the same ones in all.
  const before = listing === null ? null : await sendTo(collection, listing, one);
  const child = await nullIfEnded(createIn(collection, { parent: one }));
  if (listing !== null) {
    const [full, empty] = [await sendTo(collection, listing, one), await sendTo(collection, listing, two)];
    judgeLists(collection, full, empty, itemsIn(before?.json) ?? []);
  }
  const exercised = collection.exercisedAs(read);
  if (child === null || exercised === null || !documents(read, 404)) return;
  if (!exercised.operation.path.startsWith(`${above.item}/`)) return;
  const own = await sendTo(collection, exercised, child.found);
  const foreign = await sendTo(collection, exercised, { ...child.found, ...two });
  const isShared = isSuccess(own) && isSuccess(foreign) && sameJson(shownIn(own), shownIn(foreign));
  if (isShared)
    breachStatus(collection, 'other parent', foreign, { expected: [404], origin: [child.response] });
};

/** The list below a resource that has something there, and below one that has nothing but the usual. */
const judgeLists = (
  collection: CollectionUnderTest,
  full: ApiResponse,
  empty: ApiResponse,
  usual: readonly JsonObject[],
): void => {
  const items = itemsIn(full.json);
  if (!isSuccess(full) || items === null) return;
  const isIn = (all: readonly JsonObject[], item: JsonObject) => all.some((other) => sameJson(item, other));
  const foreign = (itemsIn(empty.json) ?? []).find((item) => isIn(items, item) && !isIn(usual, item));
  if (isSuccess(empty) && foreign !== undefined)
    breachList(collection, { response: empty, items }, 'of other parent', `${foreign.id ?? ''}`, [full]);
  else if (isSuccess(empty)) collection.context.passed();
  else if (empty.status === 404)
    breachStatus(collection, 'creation', empty, { expected: ['2xx'], origin: [full] });
};

/** The lists below other resources that have the resources of a collection, and the member that refers to the other resource. */
const listsBelow = (
  { document, path, list }: CollectionUnderTest,
  resource: JsonObject,
): readonly { readonly below: Operation; readonly parents: Collection; readonly member: string }[] =>
  collectionsOf(document).flatMap((parents) => {
    const below = operationAt(document, 'GET', `${parents.item}/${path.split('/').at(-1)}`);
    const names = [normalize(parents.id.name), `${singularOf(parents.path)}id`];
    const member = Object.keys(resource).find((name) => isReference(name) && names.includes(normalize(name)));
    const isPlain = below !== null && below !== list && pathParameters(below).length === 1;
    return isPlain && member !== undefined ? [{ below, parents, member }] : [];
  });

/** RES-10: a list below a resource has only what refers to it. */
export const listsOwn: Scenario = async (collection) => {
  const { document, path: own, existing, context } = collection;
  const end = `}/${own.split('/').at(-1)}`;
  const isBelow = ({ method, path }: Operation) =>
    method === 'GET' && withoutSlash(path).endsWith(end) && withoutSlash(path) !== own;
  if (!document.operations.some(isBelow)) return;
  const one = await createIn(collection);
  const all = listsBelow(collection, one.resource).filter(
    ({ below }) => collection.exercisedAs(below) !== null,
  );
  if (all.length === 0) return;
  existing.renew();
  const other = await createIn(collection);
  for (const { below, parents, member } of all) {
    const parent = other.resource[member];
    if (parent === undefined || sameJson(parent, one.resource[member] ?? null)) continue;
    const listed = await listAll({ ...collection, list: below }, {}, { [parents.id.name]: parent });
    if (listed === null || withId(listed, other.id, collection) === undefined) continue;
    if (withId(listed, one.id, collection) === undefined) context.passed();
    else breachList(collection, listed, 'of other parent', `${one.id}`, [one.response]);
  }
};
