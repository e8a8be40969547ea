import type { Arbitrary } from 'fast-check';
import { distinct } from '../json/equal.ts';
import { isJsonObject, type Json } from '../json/json.ts';
import { fromPointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/stringify.ts';
import { acceptedBy, brokenKeywords } from '../json-schema/compile.ts';
import { boundedFilter } from '../json-schema/generate/bounded-filter.ts';
import { type Effort, validValues } from '../json-schema/generate/valid.ts';
import { wantedValues } from '../json-schema/refusals.ts';
import type { JsonSchema } from '../json-schema/schema.ts';
import { type Violation, violations } from '../json-schema/violate/violations.ts';
import { lenientParses, objectParses } from './lenient-parses.ts';
import { type BodyForm, formMembers } from './request-body.ts';
import { usableValues } from './usable-values.ts';

/** The valid values of a body, as JSON; `writeBody` writes them. */
export interface BodyValues {
  readonly arbitrary: Arbitrary<Json>;
  readonly boundaries: readonly Json[];
}

/**
 * The values that a schema accepts and a body can have. A form has no null, no empty list, and no empty text: a server cannot tell them
 * from a missing member.
 * @param schema see `writableSchema`
 * @throws as `valid` does
 */
export function validBody(form: BodyForm, schema: JsonSchema, root: unknown, effort: Effort): BodyValues {
  const all = validValues(schema, root, effort);
  if (form === 'json') return all;
  const accepts = acceptedBy(schema, root);
  const fits = (value: Json): boolean => canBeWritten(form, value) && accepts(value);
  const write = (value: Json): Json => asWritten(form, value);
  return {
    arbitrary: boundedFilter(all.arbitrary.map(write), fits, wantedValues.body(form)),
    boundaries: distinct(all.boundaries.map(write)).filter(fits),
  };
}

/**
 * The ways to break one rule of a schema in a body. Text has no types: `7` is a valid text in a form, and a valid number.
 * @throws as {@link validBody} does
 */
export function bodyViolations(
  form: BodyForm,
  schema: JsonSchema,
  root: unknown,
  options: { readonly effort: Effort; readonly maxSteps: number },
): readonly Violation[] {
  if (form === 'json') return violations(schema, root, { ...options, mostExamples });
  const all = violations(schema, root, options);
  const keywordsOf = brokenKeywords(schema, root);
  const accepts = acceptedBy(schema, root);
  const write = (value: Json): Json => asWritten(form, value);
  return all.flatMap(({ examples, arbitrary, ...rule }) => {
    const breaks = (reading: Json): boolean => keywordsOf(reading).includes(rule.keyword);
    const [member = null] = fromPointer(rule.pointer);
    // Text that is read as another type may break another rule.
    const isInvalid = rule.keyword === 'type' ? breaks : (reading: Json) => !accepts(reading);
    const fits = (value: Json): boolean =>
      canBeWritten(form, value) && breaks(value) && readings(form, value, member).every(isInvalid);
    const usable = usableValues({ examples, arbitrary }, { write, fits, most: mostExamples });
    return usable === null ? [] : [{ ...rule, ...usable }];
  });
}

/** The maximal number of systematic values for each rule. Each value of a form is validated in many readings. */
const mostExamples = 12;

const isForm = (form: BodyForm): boolean => form === 'form' || form === 'multipart';

/** A form without the members that it cannot have. */
const asWritten = (form: BodyForm, value: Json): Json => {
  if (!isForm(form) || !isJsonObject(value)) return value;
  return Object.fromEntries(formMembers(value));
};

const canBeWritten = (form: BodyForm, value: Json): boolean => {
  if (!isForm(form)) return isText(value);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).every(
    ([name, member]) => isText(name) && (Array.isArray(member) ? member : [member]).every(isMember),
  );
};

/** An object is written as JSON, whose texts may be empty. */
const isMember = (member: Json): boolean => isText(member) || isJsonObject(member);

const isText = (value: Json): boolean => {
  if (typeof value === 'string') return value !== '' && value.isWellFormed();
  return value !== null && typeof value !== 'object';
};

/**
 * Every value that a server may read from a body.
 * @param about the member of a form that breaks a rule: the readings of the others matter less; null: the form breaks it
 */
const readings = (form: BodyForm, value: Json, about: string | null): readonly Json[] => {
  if (form === 'binary') return [value];
  if (!isForm(form) || !isJsonObject(value)) return lenientParses(value);
  const members = Object.entries(value);
  const all = members.map(([name, member]) => [name, readingsOfMember(member)] as const);
  if (about === null) return objectParses(all);
  const one = members.map(
    ([name, member]) => [name, name === about ? readingsOfMember(member) : [member]] as const,
  );
  return [...objectParses(one), ...objectParses(all, 0)];
};

/** The text of an object is a text, too, and a server that expects one value may take any of a list. */
const readingsOfMember = (member: Json): readonly Json[] => {
  const items = Array.isArray(member) ? member : [];
  const asText = (part: Json): Json => (isJsonObject(part) ? stringifyJson(part) : part);
  const parts = new Set([member, asText(member), ...items, ...items.map(asText)]);
  return [...parts, ...(items.some(isJsonObject) ? [items.map(asText)] : [])].flatMap(lenientParses);
};
