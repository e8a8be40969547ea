import { withoutSlash } from '../../src/check/creations.ts';
import type { CheckContext, Json } from '../../src/check/index.ts';
import { isKind, normalize, stepsOf } from './names.ts';
import type { OperationUnderTest } from './operations.ts';
import { isReference, type OrdinaryBody, valueAt } from './ordinary.ts';

/** What a property may refer to: `roomId` itself; of the `id` in a member, the type beside it, or that member. */
export const targetsOf = ({ name, steps }: OrdinaryBody['slots'][number], body: Json): readonly string[] => {
  if (normalize(name) !== 'id' || steps.length === 1) return [name];
  const type = valueAt(body, [...steps.slice(0, -1), 'type']);
  const owner = steps.slice(0, -1).findLast((step) => step !== 'data' && !/^\d+$/.test(step));
  return [...(typeof type === 'string' ? [type] : []), ...(owner === undefined ? [] : [owner])];
};

/** The paths of other collections whose ids can be found out. */
const otherCollections = ({ document, operation }: OperationUnderTest, isId: boolean): readonly string[] => [
  ...new Set(
    document.operations
      .filter(
        ({ method, path }) =>
          (method === 'POST' || (method === 'GET' && isId)) && !path.includes('{') && path !== operation.path,
      )
      .map(({ path }) => path),
  ),
];

/** `roomId` is about a room, and `mainRoomId` about a main room, or about a room. */
const kindsNamed = (name: string, isId: boolean): readonly string[] => {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase());
  const all = words.map((_, index) =>
    words
      .slice(index)
      .join('')
      .replace(/(ids?|uuids?)$/, ''),
  );
  return all.slice(0, isId ? all.length : 1).filter((kind) => kind !== '');
};

/** The collection that a property refers to, by one of its names: `/rooms` for `roomId`. Undefined: there is none. */
export const collectionOfAny = (
  exercised: OperationUnderTest,
  names: readonly string[],
  isId: boolean,
): string | undefined => {
  const paths = otherCollections(exercised, isId);
  return names
    .flatMap((name) => kindsNamed(name, isId))
    .map((kind) => paths.find((path) => isKind(kind, normalize(stepsOf(path).at(-1) ?? ''))))
    .find((path) => path !== undefined);
};

/** Ids in a body whose names tell no collection of the document, such as `ownerId`. */
export const unknownReferences = (
  exercised: OperationUnderTest,
  { slots, json }: OrdinaryBody,
): OrdinaryBody['slots'] =>
  slots.filter(
    (slot) =>
      isReference(slot.name) &&
      (slot.steps.length > 1 || normalize(slot.name) !== 'id') &&
      collectionOfAny(exercised, targetsOf(slot, json), true) === undefined,
  );

/** The collections that ids of an operation refer to although their names do not say so, by operation. */
export const guesses = (context: CheckContext): Map<string, string> =>
  context.state('collections of references', () => new Map<string, string>());

/** How many collections are tried for ids whose names tell none. */
const mostGuesses = 4;

/** Finds a collection whose ids the server accepts. */
export const guess = async (
  exercised: OperationUnderTest,
  context: CheckContext,
  isAccepted: () => Promise<boolean>,
): Promise<boolean> => {
  const { id } = exercised.operation;
  const { operations } = exercised.document;
  const hasItems = (path: string) =>
    operations.some((each) => each.path.startsWith(`${withoutSlash(path)}/{`));
  for (const path of otherCollections(exercised, true).filter(hasItems).slice(0, mostGuesses)) {
    guesses(context).set(id, path);
    if (await isAccepted()) return true;
  }
  guesses(context).delete(id);
  return false;
};

/** A refusal that may be about an id in the body. */
export const isAboutValues = (status: number): boolean => [400, 404, 409, 422].includes(status);
