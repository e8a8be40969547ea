import { kindOfResource } from '../../src/check/creations.ts';
import { type CheckContext, isJsonObject, type Json } from '../../src/check/index.ts';
import { sameJson } from '../../src/check/json.ts';
import { acceptedBy } from '../../src/check/schemas.ts';
import { formOfText, kindsOf } from './drawn-texts.ts';
import type { Found, KnownResources } from './existing.ts';
import { normalize, stepsOf } from './names.ts';
import { type OperationUnderTest, pathParameters } from './operations.ts';
import { isReference, type OrdinaryBody, valueAt, withValueAt } from './ordinary.ts';
import {
  collectionOfAny,
  guess,
  guesses,
  isAboutValues,
  targetsOf,
  unknownReferences,
} from './references.ts';
import { type GeneratedRequest, keyOf, toProbe } from './request.ts';
import { plain } from './valid.ts';
import { knownValuesOf } from './values.ts';

/**
 * Adapts the ordinary parts of a body to the server: new values where it may require unique ones, ids that exist, and the members that it
 * accepts together. The other parts, which the case is about, stay as they are.
 */
export type Localize = (
  exercised: OperationUnderTest,
  sending: GeneratedRequest,
  context: CheckContext,
  found: Found | null,
) => Promise<GeneratedRequest>;

const daysOfBody = 4;

/** A body that needs resources, which need others: no more levels than this. */
const mostLevels = 3;

export const createLocalizer = (resources: () => Pick<KnownResources, 'idIn'>): Localize => {
  let level = 0;

  /** The id of an existing resource for a property such as `roomId` or `room`. */
  const referenced = async (
    exercised: OperationUnderTest,
    { name, schema }: Pick<OrdinaryBody['slots'][number], 'name' | 'schema'>,
    context: CheckContext,
    targets: readonly string[] = [name],
  ): Promise<Json | null> => {
    const collection =
      collectionOfAny(exercised, targets, isReference(name)) ??
      (isReference(name) ? guesses(context).get(exercised.operation.id) : undefined);
    if (collection === undefined || level >= mostLevels) return null;
    level += 1;
    try {
      return await resources().idIn(collection, { name: isReference(name) ? name : 'id', schema }, context);
    } finally {
      level -= 1;
    }
  };

  const refreshed = async (
    exercised: OperationUnderTest,
    ordinary: OrdinaryBody,
    context: CheckContext,
    found: Found | null,
    keepsDates = false,
  ): Promise<Json> => {
    let { json } = ordinary;
    // The days of a body follow each other, and those of another body come later.
    let day = nextTurn(context) * daysOfBody;
    const changesNumbers = uniqueNumbers(context).has(kindOfResource(exercised.operation));
    for (const slot of ordinary.slots) {
      if ((keepsDates && slot.isDate === true) || (!changesNumbers && slot.isNumber === true)) continue;
      if (slot.isDate === true) day += 1;
      const fresh =
        ownId(exercised, slot, found) ??
        (await referenced(exercised, slot, context, targetsOf(slot, json))) ??
        (slot.isDrawn === true
          ? inKnownForm(exercised, slot, context)
          : slot.make(slot.isDate === true ? day : nextTurn(context)));
      if (acceptedBy(slot.schema, knownValuesOf(exercised).schema?.root)(fresh))
        json = withValueAt(json, slot.steps, fresh);
    }
    return json;
  };

  /** The first ordinary body that the server accepts; the usual one if it accepts none. */
  const accepted = (exercised: OperationUnderTest, context: CheckContext, found: Found | null) =>
    context.state(`ordinary body of ${exercised.operation.id}`, async (): Promise<OrdinaryBody | null> => {
      const [usual = null, ...others] = knownValuesOf(exercised).body?.ordinary ?? [];
      const hasNumber = ({ slots }: OrdinaryBody) => slots.some(({ isNumber }) => isNumber);
      const mayRepeat = (ordinary: OrdinaryBody) =>
        ordinary.repeatsText || (exercised.operation.method === 'POST' && hasNumber(ordinary));
      if (usual === null || !exercised.authentic) return usual;
      const unknown = unknownReferences(exercised, usual);
      if (others.length === 0 && unknown.length === 0 && !mayRepeat(usual)) return usual;
      const ask = async (ordinary: OrdinaryBody): Promise<number> => {
        const json = await refreshed(exercised, ordinary, context, found);
        const sending = { ...plain(exercised), body: { json } };
        const { status } = await context.send(toProbe(exercised, sending, { found }));
        if (status < 300) recordTexts(exercised, ordinary, json, context);
        return status;
      };
      let once: OrdinaryBody | null = null;
      for (const ordinary of [usual, ...withoutPlaces(exercised, usual, unknown), ...others]) {
        const status = await ask(ordinary);
        if (ordinary === usual && unknown.length > 0 && isAboutValues(status))
          if (await guess(exercised, context, async () => (await ask(usual)) < 300)) return usual;
        const isAccepted = status < 300;
        // A number, or the example, may have to be unique: then another one, or another body, is better.
        const isTaken =
          status === 409 || (isAccepted && mayRepeat(ordinary) && (await ask(ordinary)) === 409);
        if (isTaken && hasNumber(ordinary)) {
          const unique = uniqueNumbers(context);
          const kind = kindOfResource(exercised.operation);
          unique.add(kind);
          if ((await ask(ordinary)) < 300) return ordinary;
          unique.delete(kind);
        }
        if (isAccepted && !(isTaken && ordinary.repeatsText)) return ordinary;
        if (isAccepted) once ??= ordinary;
        // Another body changes nothing about the caller, the path, or the load. Without ids in the path, something that the body names is missing.
        if ([401, 403, 429].includes(status) || (status === 404 && found !== null)) break;
      }
      return once ?? usual;
    });

  /** A required parameter of the query that names a resource has the id of one that exists. */
  const withIds = async (
    exercised: OperationUnderTest,
    sending: GeneratedRequest,
    context: CheckContext,
  ): Promise<GeneratedRequest> => {
    const usual = plain(exercised).values;
    let { values } = sending;
    for (const parameter of exercised.operation.parameters) {
      const key = keyOf(parameter);
      const [value, before] = [values[key], usual[key]];
      if (parameter.in !== 'query' || !isReference(parameter.name)) continue;
      if (value === undefined || before === undefined || !sameJson(value, before)) continue;
      const id = await referenced(exercised, parameter, context);
      if (id !== null) values = { ...values, [key]: id };
    }
    return values === sending.values ? sending : { ...sending, values };
  };

  return async (exercised, generated, context, found) => {
    const usual = plain(exercised).body;
    const sending = await withIds(exercised, generated, context);
    const { body } = sending;
    if (body === null || usual === null || !('json' in body) || !('json' in usual)) return sending;
    const ordinary = await accepted(exercised, context, found);
    if (ordinary === null) return sending;
    // Another day may be before its start, or after its end.
    const isAboutDate = ordinary.slots.some(
      ({ isDate, steps }) =>
        isDate === true && !sameJson(valueAt(body.json, steps) ?? null, valueAt(usual.json, steps) ?? null),
    );
    const fresh = await refreshed(exercised, ordinary, context, found ?? pathValues(sending), isAboutDate);
    const json = adapted(body.json, usual.json, fresh) ?? body.json;
    const { schema } = knownValuesOf(exercised);
    const accepts = acceptedBy(schema?.schema ?? true, schema?.root);
    // Two items that were equal, or that differed, still must.
    return accepts(json) === accepts(body.json) ? { ...sending, body: { json } } : sending;
  };
};

/** The kinds of resources with a number that must be unique. Otherwise a number stays the same, because a server may compare it with others. */
const uniqueNumbers = (context: CheckContext): Set<string> =>
  context.state('unique numbers', () => new Set<string>());

type Slot = OrdinaryBody['slots'][number];

const keyOfPlace = ({ operation }: OperationUnderTest, { steps }: Slot): string =>
  [kindOfResource(operation), ...steps].join('\n');

/** Texts that the server accepted: it may refuse other forms of the pattern, which must not look like the reason for another refusal. */
const acceptedTexts = (context: CheckContext): Map<string, string> =>
  context.state('accepted texts of patterns', () => new Map<string, string>());

const recordTexts = (
  exercised: OperationUnderTest,
  { slots }: OrdinaryBody,
  json: Json,
  context: CheckContext,
): void => {
  const known = acceptedTexts(context);
  for (const slot of slots) {
    const text = slot.isDrawn === true ? valueAt(json, slot.steps) : undefined;
    const key = keyOfPlace(exercised, slot);
    if (typeof text === 'string' && !known.has(key)) known.set(key, text);
  }
};

const mostDraws = 25;

/** What was sent for each place: a server may require other texts each time. */
const sentTexts = (context: CheckContext): Set<string> =>
  context.state('texts of patterns', () => new Set<string>());

/** A new text in the form of one that was accepted. If there is none, or it is one of few, the longest of its kinds of characters. */
const inKnownForm = (exercised: OperationUnderTest, slot: Slot, context: CheckContext): Json => {
  const turn = nextTurn(context);
  const place = keyOfPlace(exercised, slot);
  const known = acceptedTexts(context).get(place);
  const sent = sentTexts(context);
  const candidates = Array.from({ length: mostDraws }, (_, tried) => tried)
    .values()
    .map((tried) => `${slot.make(turn + tried * 100_003)}`)
    .filter((text) => !sent.has(`${place} ${text}`));
  let longest = '';
  for (const text of candidates) {
    if (known !== undefined && kindsOf(text) === kindsOf(known) && text.length > longest.length)
      longest = text;
    const isAlike = known === undefined || (formOfText(text) === formOfText(known) && known.length > 1);
    if (!isAlike) continue;
    longest = text;
    break;
  }
  sent.add(`${place} ${longest}`);
  return longest === '' ? slot.make(turn) : longest;
};

export const nextTurn = (context: CheckContext): number => {
  const counter = context.state('ordinary values', () => ({ turn: firstTurn(context.run.namePrefix) }));
  counter.turn += 1;
  return counter.turn;
};

/** Differs between runs, because a server may still have the resources of an earlier one. */
const firstTurn = (namePrefix: string): number =>
  [...namePrefix].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 90_000, 7) + 10_000;

/** Parts that are as in the usual body are replaced by the fresh ones, and left out if those have none. Undefined: left out. */
const adapted = (json: Json, usual: Json, fresh: Json | undefined): Json | undefined => {
  if (sameJson(json, usual)) return fresh;
  if (Array.isArray(json) && Array.isArray(usual)) {
    const after = Array.isArray(fresh) ? fresh : [];
    return json.map((item, index) => {
      const same = usual.findIndex((each) => sameJson(each, item));
      const at = same < 0 ? index : same;
      const before = usual[at];
      return (before === undefined ? item : adapted(item, before, after[at])) ?? item;
    });
  }
  if (!isJsonObject(json) || !isJsonObject(usual)) return json;
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value]): [string, Json][] => {
      const before = valueAt(usual, [name]);
      const after = fresh === undefined ? undefined : valueAt(fresh, [name]);
      const next = before === undefined ? value : adapted(value, before, after);
      return next === undefined ? [] : [[name, next]];
    }),
  );
};

const pathValues = ({ values }: GeneratedRequest): Found =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      key.startsWith('path ') ? [[key.slice(5), value]] : [],
    ),
  );

/** A body that names the id of its resource has the id of the path. Undefined: it does not name it. */
const ownId = (
  { operation }: OperationUnderTest,
  { name, steps }: OrdinaryBody['slots'][number],
  found: Found | null,
): Json | undefined => {
  const last = pathParameters(operation).at(-1);
  const isItem = last !== undefined && stepsOf(operation.path).at(-1) === `{${last}}`;
  // JSON:API repeats the id of the path in `data`.
  const isOuter = steps.length === 1 || (steps.length === 2 && steps[0] === 'data');
  const isNamed = isOuter && [normalize(last ?? ''), 'id'].includes(normalize(name));
  return isItem && isNamed ? found?.[last] : undefined;
};

/** The body without some places, if the schema permits that. */
const withoutPlaces = (
  exercised: OperationUnderTest,
  body: OrdinaryBody,
  places: OrdinaryBody['slots'],
): readonly OrdinaryBody[] => {
  const json = places.reduce<Json>((rest, { steps }) => withValueAt(rest, steps, undefined), body.json);
  const { schema } = knownValuesOf(exercised);
  return places.length > 0 && acceptedBy(schema?.schema ?? true, schema?.root)(json)
    ? [{ ...body, json, slots: body.slots.filter((slot) => !places.includes(slot)) }]
    : [];
};
