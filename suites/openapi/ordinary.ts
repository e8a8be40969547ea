import fc from 'fast-check';
import { isJsonObject, type Json } from '../../src/check/index.ts';
import { sameJson } from '../../src/check/json.ts';
import {
  acceptedBy,
  alternatives,
  type FlatSchema,
  hasGrammar,
  itemSchema,
  type JsonSchema,
  noEffort,
  propertySchema,
  valid,
} from '../../src/check/schemas.ts';
import { hasRoom, number, numberAt } from './ordinary-numbers.ts';
import { dateOf, freeText, freshTexts } from './ordinary-texts.ts';
import { ifSupported } from './unsupported.ts';

/** A name of an id, or of a list of ids: what it refers to may not exist. */
export const isReference = (name: string): boolean =>
  /(^|[a-z_-])(ids?|uuids?)$/i.test(name) && !/(paid|valid|grid|void|bid)$/i.test(name);

/** With such a flag, a server only shows what a request would do. */
export const isTrialFlag = (name: string): boolean =>
  /^_*(is)?_?(preview|simulat(e|ion)|test(_?mode)?|sandbox|dry_?run|(valid(ate|ation)|check)_?only|no_?op)$/i.test(
    name,
  );

/** A place in a body whose value is new in every request, because the server may require it to be unique. `make`: the value of a turn. */
interface Slot {
  readonly steps: readonly string[];
  /** The name of the property; of an item, the name of its list. */
  readonly name: string;
  readonly schema: JsonSchema;
  /** Every turn has a value of its own. */
  readonly isUnique: boolean;
  /** A later turn has a later day, so that an end is after its start, and bookings do not overlap. */
  readonly isDate?: true;
  /** A later turn has another text, perhaps in another form. */
  readonly isDrawn?: true;
  /** A later turn has another number. */
  readonly isNumber?: true;
  make(turn: number): Json;
}

/** An ordinary body: no value is at a bound or unusual, so a server refuses it only by rules that the document does not have. */
export interface OrdinaryBody {
  readonly json: Json;
  readonly slots: readonly Slot[];
  /** A text is an example of the document, and the same in every request. */
  readonly repeatsText: boolean;
  /** A list or an object has members, although its default is empty. A server may permit only a few. */
  readonly fillsDefaults: boolean;
}

/** How an ordinary body is made. `days`: whether its dates are in the past or in the future. */
export interface OrdinaryKind {
  readonly members: 'all' | 'required';
  readonly days: 'past' | 'future';
  /** Uses the examples of the document. An empty default shows nothing of what may be there, so it is filled first. */
  readonly examples: 'filled' | 'all' | 'none';
}

interface Making extends OrdinaryKind {
  readonly root: unknown;
  readonly size: Size;
  /** Each part is tested against its schema, and drawn if it is not valid. */
  readonly isTested: boolean;
  /** The number of values so far. */
  count: number;
  readonly slots: Slot[];
  readonly repeated: Json[];
  readonly filled: Json[];
}

interface Size {
  /** Deeper objects have only their required members. */
  readonly levels: number;
  /** Required members may be nested deeper, but not endlessly. */
  readonly deepest: number;
  /** A body with more values is made with the next size. */
  readonly mostValues: number;
}

/** First, fewer levels have optional members; then there are fewer levels, because a schema may require itself several times. */
const sizes: readonly Size[] = [
  ...[6, 5, 4, 3, 2].map((levels) => ({ levels, deepest: 12, mostValues: 250 })),
  { levels: 1, deepest: 12, mostValues: 1_000 },
  { levels: 1, deepest: 6, mostValues: 1_000 },
  { levels: 1, deepest: 3, mostValues: Number.POSITIVE_INFINITY },
];

/** An ordinary value of a schema; null: none could be made. */
export const ordinaryBody = (schema: JsonSchema, root: unknown, kind: OrdinaryKind): OrdinaryBody | null =>
  ifSupported(
    () => bodyOf(schema, root, kind),
    () => null,
  );

const bodyOf = (schema: JsonSchema, root: unknown, kind: OrdinaryKind): OrdinaryBody | null => {
  // Most bodies are valid without a test of each part, whose schema would have to be compiled.
  for (const size of sizes)
    for (const isTested of [false, true]) {
      const made = { count: 0, slots: [], repeated: [], filled: [] };
      const making: Making = { ...kind, root, size, isTested, ...made };
      const json = ordinary(schema, [], making);
      if (isTooLarge(making)) break;
      const { slots, repeated, filled } = making;
      if (json !== undefined && acceptedBy(schema, root)(json))
        return { json, slots, repeatsText: repeated.length > 0, fillsDefaults: filled.length > 0 };
      if (isTested) return null;
    }
  return null;
};

/** What makes a new value of a schema for each turn. Undefined: its values are not free. */
export const slotFor = (schema: JsonSchema, root: unknown): Slot | undefined =>
  ordinaryBody(schema, root, { members: 'all', days: 'future', examples: 'none' })?.slots[0];

/** Undefined: nothing simple is valid. */
const ordinary = (schema: JsonSchema, steps: readonly string[], making: Making): Json | undefined => {
  if (steps.length > making.size.deepest || isTooLarge(making)) return undefined;
  making.count += 1;
  const flat = usualAlternative(schema, making.root);
  if (flat === null) return undefined;
  const value = valueFor(flat, schema, steps, making);
  if (isTooLarge(making)) return value;
  if (value !== undefined && (!making.isTested || acceptedBy(schema, making.root)(value))) return value;
  const [drawn] = fc.sample(valid(schema, making.root, noEffort()), { seed: 1, numRuns: 1 });
  return drawn;
};

const isTooLarge = ({ count, size }: Making): boolean => count > size.mostValues;

/** The first alternative that is not only null. */
export const usualAlternative = (schema: JsonSchema, root: unknown): FlatSchema | null =>
  alternatives(schema, root).find(({ kinds }) => [...kinds].some((kind) => kind !== 'null')) ?? null;

/** The defaults that the schemas of a place have. */
export const defaultsIn = (flat: FlatSchema | null): readonly Json[] =>
  (flat?.sources ?? []).flatMap((source) => ('default' in source ? [source.default as Json] : []));

/** What the document shows for a place. */
const shownIn = ({ sources }: FlatSchema, { examples: use, filled }: Making): readonly Json[] => {
  if (use === 'none') return [];
  const shown = sources.flatMap(({ example, examples, default: usual }) =>
    [example, ...(Array.isArray(examples) ? examples : []), usual].filter((value) => value !== undefined),
  ) as readonly Json[];
  const [first] = shown;
  if (use === 'all' || first === undefined || !isEmpty(first)) return shown;
  filled.push(first);
  return [];
};

const isEmpty = (value: Json): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

const valueFor = (
  flat: FlatSchema,
  schema: JsonSchema,
  steps: readonly string[],
  making: Making,
): Json | undefined => {
  const { kinds, values } = flat;
  const [listed] = values?.filter((value) => value !== null) ?? [];
  if (listed !== undefined) return listed;
  if (kinds.has('object') && (flat.properties.size > 0 || kinds.size === 1))
    return object(flat, steps, making);
  if (kinds.has('string')) return text(flat, schema, steps, making);
  const name = nameOfPlace(steps);
  if (steps.length === 1 && isOwnId(name) && kinds.has('integer')) {
    const make = (turn: number) => numberAt(flat, turn);
    making.slots.push({ steps, name, schema, isUnique: true, make });
    return make(making.slots.length);
  }
  const [shown] = shownIn(flat, making);
  if (shown === undefined && isReference(name) && (kinds.has('integer') || kinds.has('fraction'))) {
    const usual = number(flat);
    making.slots.push({ steps, name, schema, isUnique: false, make: () => usual });
    return usual;
  }
  if (kinds.has('integer') && !kinds.has('fraction') && steps.length > 0 && hasRoom(flat)) {
    const make = (turn: number) => numberAt(flat, turn);
    making.slots.push({ steps, name, schema, isUnique: false, isNumber: true, make });
  }
  if (shown !== undefined) return shown;
  if (kinds.has('integer') || kinds.has('fraction')) return number(flat);
  if (kinds.has('array')) return list(flat, steps, making);
  return kinds.has('boolean') ? !isTrialFlag(name) : undefined;
};

const object = (flat: FlatSchema, steps: readonly string[], making: Making): Json => {
  const names = [...new Set([...flat.properties.keys(), ...flat.required])].filter(
    (name) => (making.members === 'all' && steps.length < making.size.levels) || flat.required.has(name),
  );
  return Object.fromEntries(
    names.flatMap((name): [string, Json][] => {
      const value = ordinary(propertySchema(flat, name), [...steps, name], making);
      return value === undefined ? [] : [[name, value]];
    }),
  );
};

const list = (flat: FlatSchema, steps: readonly string[], making: Making): Json => {
  const { min, max } = flat.count;
  const length = Math.min(max, Math.max(2, min + 1));
  const items = Array.from({ length }, (_, index) => {
    const schema = itemSchema(flat, index);
    const listed = usualAlternative(schema, making.root)?.values?.[index];
    return listed ?? ordinary(schema, [...steps, `${index}`], making);
  });
  return items.filter((item) => item !== undefined);
};

/** A client may choose the id of what it creates. */
const isOwnId = (name: string): boolean => /^_?id$/i.test(name);

const text = (flat: FlatSchema, schema: JsonSchema, steps: readonly string[], making: Making): Json => {
  const [format] = flat.formats;
  const make = freshTexts[format ?? ''];
  const isFree = flat.patterns.length === 0 && (format === undefined || make !== undefined);
  const name = nameOfPlace(steps);
  if (isFree) {
    const fresh = make ?? ((turn: number) => freeText(flat, turn));
    making.slots.push({ steps, name, schema, isUnique: flat.length.max >= 10, make: fresh });
    return fresh(making.slots.length);
  }
  const [shown] = shownIn(flat, making);
  if (shown !== undefined) {
    making.repeated.push(shown);
    return shown;
  }
  if (flat.patterns.length === 0 && (format === 'date' || format === 'date-time')) {
    const { days } = making;
    const make = (turn: number) => dateOf(format, days, turn);
    making.slots.push({ steps, name, schema, isUnique: false, isDate: true, make });
    return make(making.slots.length);
  }
  const isOpen = flat.patterns.length === 0 && !flat.formats.some(hasGrammar);
  let drawing: fc.Arbitrary<Json> | null = null;
  const draw = (turn: number): Json => {
    // The server alone knows the format: texts that are alike are all refused, or none.
    if (isOpen) return freeText(flat, turn);
    drawing ??= valid(schema, making.root, noEffort());
    return fc.sample(drawing, { seed: turn + 1, numRuns: 1 })[0] ?? '';
  };
  making.slots.push({ steps, name, schema, isUnique: false, make: draw, isDrawn: true });
  return draw(making.slots.length);
};

/** The text at a place is drawn from a pattern, so it is one of many, not of a list. */
export const isDrawnAt = ({ slots }: OrdinaryBody, steps: readonly string[]): boolean =>
  slots.some((slot) => slot.isDrawn === true && sameJson([...slot.steps], [...steps]));

/** The property, also of an item of its list. */
const nameOfPlace = (steps: readonly string[]): string => steps.findLast((step) => !/^\d+$/.test(step)) ?? '';

/** The value at a place; undefined: there is none. */
export const valueAt = (value: Json, [step, ...steps]: readonly string[]): Json | undefined => {
  if (step === undefined) return value;
  const next = Array.isArray(value) ? value[Number(step)] : isJsonObject(value) ? value[step] : undefined;
  return next === undefined ? undefined : valueAt(next, steps);
};

/** The value with another one at a place, or without it. */
export const withValueAt = (value: Json, [step, ...steps]: readonly string[], by: Json | undefined): Json => {
  if (step === undefined) return by ?? null;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === step ? withValueAt(item, steps, by) : item));
  if (!isJsonObject(value)) return value;
  const { [step]: before, ...others } = value;
  if (steps.length === 0) return by === undefined ? others : { ...value, [step]: by };
  return before === undefined ? value : { ...value, [step]: withValueAt(before, steps, by) };
};
