import { isJsonObject, type Json } from '../../src/check/index.ts';
import {
  type FlatSchema,
  fromPointer,
  type JsonSchema,
  kindOf,
  lenientParses,
  type Violation,
} from '../../src/check/schemas.ts';
import { defaultsIn, usualAlternative, valueAt, withValueAt } from './ordinary.ts';
import { isNumber } from './relations.ts';
import type { BrokenRule } from './request.ts';
import type { BodySchema } from './values.ts';

/** Keywords that validators read differently, and formats that few servers validate. JSON Schema lets a validator ignore any format. */
const lenientKeywords: readonly string[] = [
  ...[
    'additionalProperties',
    'unevaluatedProperties',
    'unevaluatedItems',
    'propertyNames',
    'patternProperties',
  ],
  ...['oneOf', 'not', 'if', 'contains', 'dependentRequired', 'dependentSchemas'],
];
const validatedFormats: readonly string[] = ['email', 'uuid', 'date', 'date-time', 'ipv4', 'ipv6'];

/** A misspelled value of a format that no lenient parser reads. */
const isGross = (value: Json): boolean => typeof value === 'string' && /^[a-z]+$/.test(value);

/** What a parser needs to know of a rule's keyword. */
export const levelOf = (keyword: string): BrokenRule['level'] =>
  keyword === 'type' ? 'form' : keyword === 'required' ? 'presence' : 'value';

/** In OpenAPI 3.0, `nullable` has no effect beside `allOf`, but generators write it there for null. */
const isMeantNullable = (flat: FlatSchema | null): boolean =>
  flat?.sources.some(({ nullable }) => nullable === true) === true;

/** The rule that a body breaks, and whether a lenient server may accept it. */
export const brokenRule = (
  { keyword, pointer }: Pick<Violation, 'keyword' | 'pointer'>,
  json: Json,
  body: BodySchema,
): BrokenRule => {
  const steps = fromPointer(pointer);
  const value = valueAt(json, steps);
  const accepts = (other: Json | undefined) => body.accepts(withValueAt(json, steps, other));
  const flat = schemaAt(body.schema, body.root, steps);
  // That a listed text is no number shows nothing of other texts.
  const isRead = flat !== null && isReadAsNumber(flat, value);
  const readings = value === undefined ? [] : readingsOf(value);
  const isLenient =
    lenientKeywords.includes(keyword) ||
    (keyword === 'format' && !(isValidated(flat) && value !== undefined && isGross(value))) ||
    (keyword === 'required' && hasDefault(flat, body.root, value)) ||
    readings.some(accepts) ||
    isRead ||
    (value === null && (accepts(undefined) || isMeantNullable(flat)));
  const wanted = keyword === 'type' ? [...(flat?.kinds ?? [])].join(' or ') : '';
  const kinds = [
    keyword,
    value === undefined ? '' : kindOf(value),
    typeof value === 'string' ? textKind(value) : '',
    keyword === 'format' ? formOf(value, flat) : wanted,
  ];
  // A server that reads null as an empty text, or a list as its item, refuses it only where that is invalid.
  const isOwn = isRead || (typeof value === 'object' && !keyword.endsWith('Properties'));
  const kind = isOwn ? null : kinds.join(' ');
  return { kind, isLenient, level: levelOf(keyword), in: 'body' };
};

/** What texts of one form have in common: parsers read all of them, or none. */
const shapeOf = (text: string): string => text.replaceAll(/\d/g, '0').replaceAll(/[a-z]+/gi, 'a');

/** A server that refuses a day that does not exist need not refuse a date without a time, or a misspelled address. */
const formOf = (value: Json | undefined, flat: FlatSchema | null): string =>
  `${flat?.formats.join()} ${typeof value === 'string' ? shapeOf(value) : ''}`;

/** A server that reads a number from a text need not read one from an empty text, or from an exponent. One that trims may keep the case. */
const textKind = (text: string): string => {
  if (text.trim() === '') return 'blank';
  if (text.trim() !== text) return 'padded';
  return /^-?\d+(\.\d+)?$/.test(text) ? 'digits' : 'other';
};

/** Some servers read a number as the seconds of a time, or as the place of a listed text. In Python, true is such a number. */
const isReadAsNumber = ({ formats, values }: FlatSchema, value: Json | undefined): boolean => {
  const isNumeric = isNumber(value);
  if (!isNumeric && typeof value !== 'boolean') return false;
  return (
    formats.some((format) => timeFormats.includes(format)) ||
    (isNumeric && values?.some((each) => typeof each === 'string') === true)
  );
};
const timeFormats: readonly string[] = ['date', 'date-time', 'time', 'duration'];

/** What servers that convert types, or trim, round, or wrap values read. */
const readingsOf = (value: Json): readonly Json[] => {
  if (Array.isArray(value))
    return value.length === 1 ? value.flatMap((item) => [item, ...scalarReadings(item)]) : [];
  const single = scalarReadings(value);
  return [...single, ...[value, ...single].map((reading) => [reading])];
};

const scalarReadings = (value: Json): readonly Json[] => {
  if (value === null) return ['', 'null', 0n, false];
  if (typeof value === 'boolean') return [`${value}`, value ? 'True' : 'False', value ? 1n : 0n];
  if (typeof value === 'string')
    return [
      ...lenientParses(value).filter((reading) => !Array.isArray(reading)),
      ...[value.trim(), value.toLowerCase(), value.toUpperCase()],
      ...(value.trim() === '' ? [0n, null] : []),
    ];
  if (typeof value === 'object') return [];
  const isBit = value === 0n || value === 1n;
  const whole = Math.trunc(Number(value));
  return [
    `${value}`,
    Number(value),
    ...(Number.isSafeInteger(whole) ? [BigInt(whole)] : []),
    ...(isBit ? [value === 1n] : []),
  ];
};

/** The schema of a place, as its usual alternative. Null: it is not plain. */
export const schemaAt = (schema: JsonSchema, root: unknown, steps: readonly string[]) =>
  steps.reduce<ReturnType<typeof usualAlternative>>(
    (flat, step) => {
      const next = flat?.properties.get(step) ?? (/^\d+$/.test(step) ? flat?.items : undefined);
      return next === undefined ? null : usualAlternative(next, root);
    },
    usualAlternative(schema, root),
  );

const isValidated = (flat: FlatSchema | null): boolean =>
  flat?.formats.some((format) => validatedFormats.includes(format)) === true;

/** A missing member has a default. */
const hasDefault = (flat: FlatSchema | null, root: unknown, value: Json | undefined): boolean => {
  if (flat === null || value === undefined || !isJsonObject(value)) return false;
  const missing = [...flat.required].filter((name) => value[name] === undefined);
  return missing.some(
    (name) => defaultsIn(usualAlternative(flat.properties.get(name) ?? true, root)).length > 0,
  );
};

/** Texts that no format, pattern, or list of values is likely to have. */
export const plainTexts: readonly string[] = ['unknown', '!'];

/**
 * The ordinary body with a text that is far from every valid one, where the document lists texts or describes their form. A pattern without its
 * anchors also matches a text that only has a valid one within it.
 */
export const plainViolations = (
  { keyword, pointer }: Pick<Violation, 'keyword' | 'pointer'>,
  ordinary: Json,
  { accepts }: BodySchema,
): readonly Json[] => {
  const steps = fromPointer(pointer);
  const usual = valueAt(ordinary, steps);
  const isAboutText = ['enum', 'const', 'pattern', 'format'].includes(keyword);
  if (!isAboutText || typeof usual !== 'string') return [];
  const texts = [plainTexts, keyword === 'pattern' ? [`${usual} ${usual}`] : []];
  return texts.flatMap((some) =>
    some
      .map((text) => withValueAt(ordinary, steps, text))
      .filter((json) => !accepts(json))
      .slice(0, 1),
  );
};

/** The invalid value within an ordinary body, so that nothing else is a reason to refuse it. Null: it is not invalid there. */
export const withinOrdinary = (
  { keyword, pointer }: Pick<Violation, 'keyword' | 'pointer'>,
  invalid: Json,
  ordinary: Json,
  { accepts }: BodySchema,
): Json | null => {
  const steps = fromPointer(pointer);
  const value = valueAt(invalid, steps);
  const before = valueAt(ordinary, steps);
  if (value === undefined || before === undefined) return null;
  const json = withValueAt(ordinary, steps, mergedFor(keyword, value, before));
  return accepts(json) ? null : json;
};

/** Of rules about members, only those that are missing or additional come from the invalid value. */
const mergedFor = (keyword: string, value: Json, ordinary: Json): Json => {
  if (!isJsonObject(value) || !isJsonObject(ordinary)) return value;
  if (keyword === 'required')
    return Object.fromEntries(Object.entries(ordinary).filter(([name]) => value[name] !== undefined));
  return keyword === 'additionalProperties' || keyword === 'unevaluatedProperties'
    ? { ...value, ...ordinary }
    : value;
};
