import { nullIfEnded } from '../../src/check/case-skipped.ts';
import type { Operation } from '../../src/check/document.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/check/index.ts';
import { acceptedBy } from '../../src/check/schemas.ts';
import { defaultsIn, isReference, usualAlternative, withValueAt } from './ordinary.ts';
import { isWrittenAsSent } from './own-values.ts';
import { differences, isSameValue } from './relations.ts';
import { claimsIn, memberIn, type ResourceBody, resourceBodyOf } from './resource-bodies.ts';
import { type CollectionUnderTest, type Created, createIn, readNow, type Workshop } from './resources.ts';
import { shownIn } from './responses.ts';
import { breachValue, type Scenario } from './scenario.ts';

/** How many resources get the values that the document names. */
const variants = 4;

/** Forms that a server may write in another way: an e-mail address, a URI. */
const isRewritable = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'string' && /@|:\/\//.test(value));

/** Ordinary bodies whose members each have one of the values that the document names. */
const variantsOf = (body: ResourceBody, usual: Json): readonly Json[] => {
  const claims = claimsIn(body).filter(
    ({ steps, value }) =>
      !steps.some((step) => isReference(step) || /^\d/.test(step)) && !isRewritable(value),
  );
  const places = [...Map.groupBy(claims, ({ steps }) => steps.join('\n')).values()].map((all) =>
    all.toReversed(),
  );
  return Array.from({ length: variants }, (_, turn) =>
    places.reduce<Json>((json, all) => {
      const claim = all[turn % all.length];
      const next = claim === undefined ? json : withValueAt(json, claim.steps, claim.value);
      return body.accepts(next) ? next : json;
    }, usual),
  );
};

/** Members of a created resource that the server did not take over. */
const changedIn = ({ sent, resource }: Created, shown: JsonObject): readonly string[] => [
  ...new Set([...differences(sent, resource), ...differences(sent, shown)]),
];

/** The resource as it can be read, or as the creation shows it. */
const shownOf = async (collection: CollectionUnderTest, { found, resource }: Created): Promise<JsonObject> =>
  shownIn(await readNow(collection, found)) ?? resource;

/** RES-1: bounds, listed values, and unusual texts are kept, if the server takes over ordinary values there. */
export const keepsNamedValues: Scenario = async (collection) => {
  const body = resourceBodyOf(collection, collection.create);
  if (body === null || body.ordinary === null || body.form !== 'json') return;
  const { ordinary } = body;
  const usual = await createIn(collection);
  const usualShown = await shownOf(collection, usual);
  const own = [
    ...changedIn(usual, usualShown),
    ...Object.keys(usual.sent).filter((name) => !isWrittenAsSent(usual.sent[name], usualShown[name])),
  ];
  /** A server may set a state itself. The usual one is the first of the list, so only another one that was kept shows that it does not. */
  const isState = (name: string) => {
    const { values = null, kinds } = memberIn(body, name) ?? {};
    return values !== null || (kinds?.has('boolean') === true && !body.isRequired(name));
  };
  const kept = new Set<string>();
  const losses: { readonly member: string; readonly created: Created; readonly shown: JsonObject }[] = [];
  for (const variant of variantsOf(body, ordinary.json)) {
    const changes = changesTo(ordinary.json, variant);
    if (Object.keys(changes).length === 0) continue;
    const created = await nullIfEnded(createIn(collection, { changes }));
    if (created === null) continue;
    const shown = await shownOf(collection, created);
    const changed = changedIn(created, shown);
    const members = Object.keys(changes).filter((name) => !own.includes(name) && name in usual.resource);
    for (const member of members)
      if (changed.includes(member)) losses.push({ member, created, shown });
      else kept.add(member);
    if (!members.some((member) => changed.includes(member))) collection.context.passed();
  }
  const loss = losses.find(({ member }) => !isState(member) || kept.has(member));
  if (loss === undefined) return;
  const { member, created, shown } = loss;
  const value = { member, expected: created.sent[member], got: shown[member] };
  breachValue(collection, 'creation', created.response, value, created);
};

/** The members that differ. */
const changesTo = (before: Json, after: Json): JsonObject =>
  isJsonObject(before) && isJsonObject(after)
    ? Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSameValue(value, before[name])))
    : {};

/** The optional members of a body with their defaults, if those are plain values, or empty lists. */
export const defaultsOf = (
  workshop: Workshop,
  operation: Operation,
): readonly (readonly [name: string, value: Json])[] => {
  const body = resourceBodyOf(workshop, operation);
  const required = usualAlternative(body?.schema ?? true, body?.root)?.required;
  return [...(body?.members ?? [])].flatMap(([name, schema]): [string, Json][] => {
    const [usual] = defaultsIn(memberIn(body, name));
    const isOptional = required?.has(name) === false;
    if (usual === undefined || !isOptional || !acceptedBy(schema, body?.root)(usual)) return [];
    return typeof usual !== 'object' || isSameValue(usual, []) ? [[name, usual]] : [];
  });
};

/** RES-1: an absent member has its default value, if the server takes that value over when it is sent. */
export const usesDefaults: Scenario = async (collection) => {
  const defaults = defaultsOf(collection, collection.create);
  if (defaults.length === 0) return;
  const given = await createIn(collection, { changes: Object.fromEntries(defaults) });
  const left = await createIn(collection, { absent: defaults.map(([name]) => name) });
  for (const [member, expected] of defaults) {
    const got = left.resource[member];
    const isTakenOver = given.resource[member] !== undefined && isSameValue(expected, given.resource[member]);
    if (!isTakenOver || got === undefined || got === null) continue;
    if (!isSameValue(expected, got))
      return breachValue(collection, 'omission', left.response, { member, expected, got }, left);
    collection.context.passed();
  }
};
