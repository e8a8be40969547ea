import type { ApiDocument, Operation } from '../../src/check/document.ts';
import type { Json } from '../../src/check/index.ts';
import { memoized } from '../../src/check/memoized.ts';
import { type FlatSchema, type JsonSchema, propertySchema } from '../../src/check/schemas.ts';
import { type Claim, claimsOf } from './claims.ts';
import { stepsOf } from './names.ts';
import { isDrawnAt, type OrdinaryBody, usualAlternative, valueAt, withValueAt } from './ordinary.ts';
import { knownValuesOf } from './values.ts';

/** The part of a request body that has the members of a resource: all of it, or the object in an envelope. */
export interface ResourceBody {
  /** Where the resource is in the body. */
  readonly steps: readonly string[];
  readonly form: string;
  readonly schema: JsonSchema;
  readonly root: unknown;
  /** An ordinary resource, with places relative to it. Null: none can be made. */
  readonly ordinary: OrdinaryBody | null;
  /** The schemas of its members. */
  readonly members: FlatSchema['properties'];
  isRequired(member: string): boolean;
  accepts(resource: Json): boolean;
}

type Described = { readonly document: ApiDocument; readonly operation: Operation };

/** `book` for `/books`. */
export const singularOf = (path: string): string =>
  (stepsOf(path).findLast((step) => !step.startsWith('{')) ?? '')
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/s$/, '');

/** The envelope of a resource object of JSON:API, of `data`, or of the name of the resource, as Rails has it. */
const envelopeOf = (flat: FlatSchema | null, root: unknown, path: string): readonly string[] => {
  const members = [...(flat?.properties.keys() ?? [])];
  const inner = (outer: FlatSchema | null, name: string) =>
    outer?.properties.has(name) === true ? usualAlternative(propertySchema(outer, name), root) : null;
  const data = inner(flat, 'data');
  if (data?.properties.has('type') === true && (inner(data, 'attributes')?.properties.size ?? 0) > 0)
    return ['data', 'attributes'];
  const [only = ''] = members;
  const isNamed = only === 'data' || only.toLowerCase() === singularOf(path);
  return members.length === 1 && isNamed && (inner(flat, only)?.properties.size ?? 0) > 0 ? [only] : [];
};

const isBelow = (steps: readonly string[], place: readonly string[]): boolean =>
  steps.length > place.length && place.every((step, index) => steps[index] === step);

const within = ({ json, slots, ...others }: OrdinaryBody, place: readonly string[]): OrdinaryBody | null => {
  const resource = valueAt(json, place);
  return resource === undefined
    ? null
    : {
        json: resource,
        slots: slots
          .filter(({ steps }) => isBelow(steps, place))
          .map((slot) => ({ ...slot, steps: slot.steps.slice(place.length) })),
        ...others,
      };
};

const bodiesIn = memoized((document: ApiDocument) =>
  memoized((operation: Operation): ResourceBody | null => {
    const { body, schema } = knownValuesOf({ document, operation });
    if (schema === null || body === null) return null;
    const { root, form } = schema;
    const outer = usualAlternative(schema.schema, root);
    const steps = form === 'json' ? envelopeOf(outer, root, operation.path) : [];
    const [whole] = body.ordinary;
    const inner = steps.reduce<JsonSchema>(
      (each, step) => usualAlternative(each, root)?.properties.get(step) ?? true,
      schema.schema,
    );
    const flat = usualAlternative(inner, root);
    return {
      steps,
      form,
      schema: inner,
      root,
      ordinary: whole === undefined ? null : within(whole, steps),
      members: flat?.properties ?? new Map(),
      isRequired: (member) =>
        steps.length === 0 ? schema.isRequiredMember(member) : flat?.required.has(member) === true,
      accepts: (resource) =>
        schema.accepts(whole === undefined ? resource : withValueAt(whole.json, steps, resource)),
    };
  }),
);

/** What the document says of the resource in the body of an operation. Null: it has no body, or there is no operation. */
export const resourceBodyOf = (
  { document }: Pick<Described, 'document'>,
  operation: Operation | null,
): ResourceBody | null => (operation === null ? null : bodiesIn(document)(operation));

/** The values that the document names for the members of a resource. Texts of a pattern are not among them: a server may want each only once. */
export const claimsIn = (body: ResourceBody | null): IteratorObject<Claim> => {
  const ordinary = body?.ordinary ?? null;
  if (body === null || ordinary === null) return Iterator.from([]);
  return claimsOf(ordinary, body.schema, body.root).filter(
    ({ steps, value }) => value === undefined || !isDrawnAt(ordinary, steps),
  );
};

/** The schemas of the members of a resource as a successful response of an operation shows it. Null: it shows none. */
export const membersShown = (
  { document: { root } }: Pick<Described, 'document'>,
  operation: Operation | null,
): FlatSchema['properties'] | null => {
  if (operation === null) return null;
  const shown = operation.responses.find(({ status, schema }) => status.startsWith('2') && schema !== null);
  const outer = usualAlternative(shown?.schema ?? true, root);
  const steps = envelopeOf(outer, root, operation.path);
  const flat = steps.reduce<FlatSchema | null>(
    (each, step) => (each === null ? null : usualAlternative(each.properties.get(step) ?? true, root)),
    outer,
  );
  return flat === null || flat.properties.size === 0 ? null : flat.properties;
};

/** The schema of a member, as its usual alternative. */
export const memberIn = (body: ResourceBody | null, name: string): FlatSchema | null =>
  usualAlternative(body?.members.get(name) ?? true, body?.root);
