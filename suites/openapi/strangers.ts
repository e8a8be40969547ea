import { nullIfEnded } from '../../src/check/case-skipped.ts';
import { withoutSlash } from '../../src/check/creations.ts';
import type { Operation } from '../../src/check/document.ts';
import type { ApiResponse, CheckContext, Json, JsonObject } from '../../src/check/index.ts';
import { sameJson } from '../../src/check/json.ts';
import { compileSchema } from '../../src/check/schemas.ts';
import type { Found } from './existing.ts';
import { listAll } from './listing.ts';
import { hasId } from './lists.ts';
import { normalize } from './names.ts';
import { hasPathParameters, operationAt, pathParameters } from './operations.ts';
import { isReference, usualAlternative } from './ordinary.ts';
import { type Collection, collectionsOf } from './relations.ts';
import { singularOf } from './resource-bodies.ts';
import { itemsIn, resourceIn } from './resource-shapes.ts';
import {
  createIn,
  isSuccess,
  ordinaryFor,
  parentOf,
  readNow,
  sendResource,
  sendTo,
  type Workshop,
} from './resources.ts';
import { breachList, type Scenario } from './scenario.ts';

const has404 = (operation: Operation | null): boolean =>
  operation?.responses.some(({ status }) => /^4(04|xx)$/i.test(status)) === true;

/** Ids that no resource has, in the form of the path parameter. Empty: the form leaves no room for one. */
const madeUpIds = ({ document }: Workshop, { id }: Collection): readonly Json[] => {
  const flat = usualAlternative(id.schema, document.root);
  const accepts = compileSchema(id.schema, document.root);
  const made =
    flat?.kinds.has('string') === true
      ? [
          ...['5f0e1d2c-9a8b-4c7d-8e6f-0123456789ab', '6a1f2e3d-0b9c-4d8e-9f7a-123456789abc'],
          ...['zzqx9k7w', 'zzqx9k7v', '64b7f1a0c3d2e1f0a9b8c7d6', '64b7f1a0c3d2e1f0a9b8c7d7'],
        ]
      : [2_000_000_011n, 1_999_999_973n, 30_011n, 29_989n];
  return made.filter((value) => accepts(value).length === 0).slice(0, 2);
};

const isUnclear = (flat: ReturnType<typeof usualAlternative>): boolean =>
  flat === null || flat.values !== null || flat.patterns.length > 0;

/** RES-9: reading or changing what does not exist is not a success. */
export const knowsNoStrangers: Scenario = async (workshop, collection, context) => {
  const { document, exercisedAs } = workshop;
  if (isUnclear(usualAlternative(collection.id.schema, document.root))) return;
  const parent = await parentOf(workshop, collection, context);
  const paths = madeUpIds(workshop, collection).map((id): Found => ({ ...parent, [collection.id.name]: id }));
  if (paths.length < 2) return;
  const below = document.operations.filter(
    ({ path, method }) =>
      path.startsWith(`${collection.item}/`) &&
      pathParameters({ path }).length === pathParameters({ path: collection.item }).length &&
      ['GET', 'POST'].includes(method),
  );
  for (const operation of [collection.read, collection.replace, collection.change, ...below]) {
    const exercised = exercisedAs(operation);
    if (exercised === null || !exercised.mayGuess || !has404(operation)) continue;
    const responses: ApiResponse[] = [];
    for (const found of paths) {
      const json = await ordinaryFor(workshop, exercised, found, context);
      responses.push(
        json === null
          ? await sendTo(exercised, found, { body: null }, context)
          : await sendResource(workshop, exercised, found, json, context),
      );
    }
    const [response, other] = responses;
    if (response === undefined || other === undefined) continue;
    if (response.status === 404) context.passed('RES-9');
    if (!isSuccess(response) || !isSuccess(other)) continue;
    // PUT may create.
    const [found] = paths;
    const after =
      operation?.method === 'PUT' && found !== undefined
        ? await readNow(workshop, collection, found, context)
        : null;
    if (operation?.method === 'PUT' && after?.status !== 404) continue;
    context.breach({
      response,
      requirement: 'RES-9',
      problem: {
        rule: 'resource-status',
        after: 'made-up id',
        expected: [404],
        wrongStatus: response.status,
      },
      origin: [other.exchange],
    });
  }
};

/** The collection of the resources that a path is below. */
const parentCollection = ({ document }: Workshop, { path }: Collection): Collection | null =>
  collectionsOf(document).find(
    ({ item }) => path.startsWith(`${item}/`) && !path.slice(item.length).includes('{'),
  ) ?? null;

/** RES-10: what was created below one resource is not below another one. */
export const belongs: Scenario = async (workshop, collection, context) => {
  const parents = parentCollection(workshop, collection);
  if (parents === null || parents.create.method !== 'POST' || !hasPathParameters(collection.create)) return;
  const above = await parentOf(workshop, parents, context);
  const [one, two] = [
    await createIn(workshop, parents, context, { found: above }),
    await createIn(workshop, parents, context, { found: above }),
  ];
  const list = workshop.exercisedAs(collection.list);
  // Each new resource may have parts from the start, the same ones in all.
  const before = list === null ? null : await sendTo(list, one.found, { body: null }, context);
  const child = await nullIfEnded(createIn(workshop, collection, context, { found: one.found }));
  const usual = itemsIn(before?.json) ?? [];
  await judgeLists(workshop, collection, { one: one.found, two: two.found, usual }, context);
  const exercised = workshop.exercisedAs(collection.read);
  if (child === null || exercised === null || !has404(collection.read)) return;
  const own = await sendTo(exercised, child.found, { body: null }, context);
  const foreign = await sendTo(exercised, { ...child.found, ...two.found }, { body: null }, context);
  if (
    isSuccess(own) &&
    isSuccess(foreign) &&
    sameJson(resourceIn(own.json) ?? null, resourceIn(foreign.json) ?? null)
  )
    context.breach({
      response: foreign,
      requirement: 'RES-10',
      problem: {
        rule: 'resource-status',
        after: 'other parent',
        expected: [404],
        wrongStatus: foreign.status,
      },
      origin: [child.response.exchange],
    });
};

/** The list below a resource that has something there, and below one that has nothing. */
const judgeLists = async (
  workshop: Workshop,
  collection: Collection,
  { one, two, usual }: { readonly one: Found; readonly two: Found; readonly usual: readonly JsonObject[] },
  context: CheckContext,
): Promise<void> => {
  const exercised = workshop.exercisedAs(collection.list);
  if (exercised === null) return;
  const full = await sendTo(exercised, one, { body: null }, context);
  const empty = await sendTo(exercised, two, { body: null }, context);
  const items = itemsIn(full.json);
  if (!isSuccess(full) || items === null) return;
  const isIn = (all: readonly JsonObject[], item: JsonObject) => all.some((other) => sameJson(item, other));
  const foreign = (itemsIn(empty.json) ?? []).find((item) => isIn(items, item) && !isIn(usual, item));
  if (isSuccess(empty) && foreign !== undefined)
    context.breach({
      response: empty,
      requirement: 'RES-10',
      problem: {
        rule: 'resource-list',
        mistake: 'of other parent',
        about: `${foreign.id ?? ''}`,
        count: items.length,
      },
      origin: [full.exchange],
    });
  else if (isSuccess(empty)) context.passed('RES-10');
  else if (empty.status === 404)
    context.breach({
      response: empty,
      requirement: 'RES-10',
      problem: { rule: 'resource-status', after: 'creation', expected: ['2xx'], wrongStatus: empty.status },
      origin: [full.exchange],
    });
};

/** The lists below other resources that have the resources of a collection, and the member that refers to the other resource. */
const listsBelow = (
  { document }: Workshop,
  { path, list }: Collection,
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
export const listsOwn: Scenario = async (workshop, collection, context) => {
  const end = `}/${collection.path.split('/').at(-1)}`;
  const isBelow = ({ method, path }: Operation) =>
    method === 'GET' && withoutSlash(path).endsWith(end) && withoutSlash(path) !== collection.path;
  if (!workshop.document.operations.some(isBelow)) return;
  const found = await parentOf(workshop, collection, context);
  const one = await createIn(workshop, collection, context, { found });
  const all = listsBelow(workshop, collection, one.resource).filter(
    ({ below }) => workshop.exercisedAs(below) !== null,
  );
  if (all.length === 0) return;
  workshop.existing.renew();
  const other = await createIn(workshop, collection, context, { found });
  for (const { below, parents, member } of all) {
    const parent = other.resource[member];
    if (parent === undefined || sameJson(parent, one.resource[member] ?? null)) continue;
    const place = { [parents.id.name]: parent };
    const listed = await listAll(workshop, { ...collection, list: below }, place, context);
    if (listed === null || !hasId(workshop, collection, listed, other.id)) continue;
    if (hasId(workshop, collection, listed, one.id))
      breachList(context, 'RES-10', listed, { mistake: 'of other parent', about: `${one.id}` }, [
        one.response,
      ]);
    else context.passed('RES-10');
  }
};
