import type { Operation } from '../../src/check/document.ts';
import type { CheckContext, Json, JsonObject } from '../../src/check/index.ts';
import { sameJson } from '../../src/check/json.ts';
import type { FlatSchema } from '../../src/check/schemas.ts';
import { usualAlternative } from './ordinary.ts';
import { type Collection, isSameValue } from './relations.ts';
import { memberIn, resourceBodyOf } from './resource-bodies.ts';
import { resourceIn } from './resource-shapes.ts';
import { type Created, isSuccess, sendResource, type Workshop } from './resources.ts';

/** Whether a successful response of an operation has the member, in its object or in one within. */
const shows = ({ document: { root } }: Workshop, operation: Operation | null, member: string): boolean =>
  operation?.responses.some(({ status, schema }) => {
    const members = [...(usualAlternative(schema ?? true, root)?.properties ?? [])];
    const inner = members.flatMap(([, each]) => [...(usualAlternative(each, root)?.properties.keys() ?? [])]);
    return status.startsWith('2') && [...members.map(([name]) => name), ...inner].includes(member);
  }) === true;

const isObject = (value: Json | undefined): boolean => typeof value === 'object' && value !== null;

const isNothing = (value: Json | undefined): boolean => value === undefined || value === null;

/** Letters and digits only: a server may write a text as part of an address, or a number without its spaces. */
export const lettersOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The beginning of a text, or some items of a list: the server takes the value over, and loses the rest. */
export const isPart = (sent: Json | undefined, got: Json | undefined): boolean =>
  Array.isArray(sent)
    ? Array.isArray(got) &&
      got.length > 0 &&
      got.length < sent.length &&
      got.every((item) => sent.some((other) => isSameValue(other, item)))
    : typeof sent === 'string' && typeof got === 'string' && got.length > 2 && sent.startsWith(got);

/** Formats with one form, or with forms that `isSameValue` knows. */
const oneForm: readonly string[] = ['date', 'date-time', 'email', 'uuid'];

/** What the document says of a member of a creation. */
const describedAs = (workshop: Workshop, { create }: Collection, member: string) => {
  const body = resourceBodyOf(workshop, create);
  const flat = memberIn(body, member);
  return {
    isWriteOnly: isWriteOnly(flat?.sources ?? []),
    isRequired: body?.isRequired(member) === true,
    /** A text in a form of its own may be written in another one that means the same. */
    hasForm:
      flat !== null && (flat.patterns.length > 0 || flat.formats.some((format) => !oneForm.includes(format))),
    isDefault: (value: Json | undefined) =>
      value !== undefined &&
      flat?.sources.some((source) => 'default' in source && sameJson(source.default as Json, value)) === true,
  };
};

const isWriteOnly = (sources: FlatSchema['sources']): boolean =>
  sources.some((source) => 'writeOnly' in source && source.writeOnly === true);

/** A member that the document keeps from responses, such as a password, and that is shown. Undefined: none is. */
export const shownSecret = (
  workshop: Workshop,
  { create }: Collection,
  { sent }: Created,
  shown: JsonObject,
): string | undefined => {
  const body = resourceBodyOf(workshop, create);
  return Object.keys(sent).find((name) => {
    const { sources = [] } = memberIn(body, name) ?? {};
    return (
      typeof sent[name] === 'string' && isWriteOnly(sources) && sameJson(sent[name], shown[name] ?? null)
    );
  });
};

/**
 * Whether the value of a member is the client's, although the creation shows another one: the server lost a required text or number, or a part
 * of it, or shows nothing or the default instead of a value that an update takes over. A state that it sets itself is its own.
 */
export const isTakenOver = async (
  workshop: Workshop,
  collection: Collection,
  created: Created,
  { member, got }: { readonly member: string; readonly got: Json | undefined },
  context: CheckContext,
): Promise<boolean> => {
  const value = created.sent[member];
  const isDocumented = [collection.create, collection.read].some((each) => shows(workshop, each, member));
  if (value === undefined || (got === undefined && !isDocumented)) return false;
  const { isRequired, hasForm, isDefault, isWriteOnly } = describedAs(workshop, collection, member);
  if (isWriteOnly) return false;
  if (typeof value === 'string' && typeof got === 'string') {
    if (hasForm || lettersOf(value) === lettersOf(got)) return false;
    return isRequired || isPart(value, got);
  }
  const isNumber = (each: Json | undefined) => typeof each === 'bigint' || typeof each === 'number';
  if (isNumber(value) && isNumber(got) && isRequired) return true;
  if (typeof value === 'string' && isRequired && !Array.isArray(got) && !isObject(got)) return true;
  if (isPart(value, got)) return true;
  if (!isNothing(got) && !isDefault(got)) return false;
  const exercised = workshop.exercisedAs(collection.replace);
  if (exercised === null) return false;
  const response = await sendResource(workshop, exercised, created.found, created.sent, context);
  const replaced = resourceIn(response.json);
  return isSuccess(response) && replaced !== null && isSameValue(value, replaced[member]);
};

/** Whether the server writes an ordinary text as it was sent. One that writes it in its own way may change others, too. */
export const isWrittenAsSent = (sent: Json | undefined, got: Json | undefined): boolean =>
  typeof sent !== 'string' ||
  typeof got !== 'string' ||
  /^\d{4}-\d\d-\d\d/.test(sent) ||
  sent.trim().toLowerCase() === got.trim().toLowerCase();
