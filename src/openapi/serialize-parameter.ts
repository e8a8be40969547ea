import { isJsonObject, type Json } from '../json/json.ts';
import { stringifyJson } from '../json/stringify.ts';
import { schemaProblems } from '../json-schema/refusals.ts';
import { UnsupportedKeyword } from '../json-schema/schema.ts';
import type { Parameter } from './document.ts';
import { partNames } from './refusals.ts';

/** How a style of OpenAPI writes values: the prefix, the separator of exploded ones, and whether the name is written. */
interface Layout {
  readonly prefix: string;
  readonly separator: string;
  readonly named: boolean;
  /** The separator of values that are not exploded. */
  readonly delimiter: string;
}

const form: Layout = { prefix: '', separator: '&', named: true, delimiter: ',' };

const layouts: Readonly<Record<string, Layout>> = {
  form,
  spaceDelimited: { ...form, delimiter: '%20' },
  pipeDelimited: { ...form, delimiter: '%7C' },
  deepObject: form,
  simple: { prefix: '', separator: ',', named: false, delimiter: ',' },
  label: { prefix: '.', separator: '.', named: false, delimiter: ',' },
  matrix: { prefix: ';', separator: ';', named: true, delimiter: ',' },
};

/**
 * Writes a parameter in its style (OpenAPI 3.1, 4.8.12). Query and cookie: `limit=5`, several pairs joined by `&`, empty for an empty
 * array or object. Path: the text that replaces `{name}`. Header: only the value. Everything but headers is percent-encoded.
 * A list within an exploded object is written as repeated pairs, which OpenAPI does not define.
 * @throws UnsupportedKeyword for values that no style can write: other arrays and objects within others
 */
export function serializeParameter(parameter: Parameter, value: Json): string {
  const layout = layoutOf(parameter);
  const encode = parameter.in === 'header' ? (text: string) => text : percentEncode;
  const write = (part: Json) => encode(plainText(part, parameter));
  const named = (text: string) => (layout.named ? `${encode(parameter.name)}=${text}` : text);
  if (parameter.style === 'json') return named(encode(stringifyJson(value)));
  if (Array.isArray(value)) {
    if (value.length === 0) return '';
    const items: readonly string[] = value.map(write);
    return (
      layout.prefix +
      (parameter.explode ? items.map(named).join(layout.separator) : named(items.join(layout.delimiter)))
    );
  }
  if (!isJsonObject(value)) return layout.prefix + named(write(value));
  const repeats = parameter.style === 'deepObject' || (parameter.style === 'form' && parameter.explode);
  const members = Object.entries(value).flatMap(([name, member]) =>
    (repeats && Array.isArray(member) ? member : [member]).map(
      (part) => [encode(name), write(part)] as const,
    ),
  );
  if (members.length === 0) return '';
  if (parameter.style === 'deepObject')
    return members.map(([name, text]) => `${encode(parameter.name)}%5B${name}%5D=${text}`).join('&');
  if (parameter.explode)
    return layout.prefix + members.map(([name, text]) => `${name}=${text}`).join(layout.separator);
  return layout.prefix + named(members.flat().join(layout.delimiter));
}

/** Writes a text as the value of a parameter, unchanged: the caller has encoded it. */
export function placeText(parameter: Parameter, text: string): string {
  const { prefix, named } = layoutOf(parameter);
  return prefix + (named ? `${percentEncode(parameter.name)}=${text}` : text);
}

/** Matches characters that the parts of an array or object must not contain, because the style uses them as separators. */
export function confusable(parameter: Parameter): RegExp | null {
  if (parameter.style === 'json') return null;
  if (parameter.in === 'header') return /[,=]/;
  if (parameter.style === 'spaceDelimited') return / /;
  if (parameter.style === 'pipeDelimited') return /\|/;
  return parameter.style === 'label' ? /\./ : null;
}

function layoutOf(parameter: Parameter): Layout {
  // JSON text is written like a value of the default style.
  const isInPlace = parameter.in === 'path' || parameter.in === 'header';
  const layout =
    parameter.style === 'json' ? layouts[isInPlace ? 'simple' : 'form'] : layouts[parameter.style];
  if (layout) return layout;
  throw new UnsupportedKeyword(
    'style',
    partNames.parameter(parameter.name),
    schemaProblems.notStyle(parameter.style),
  );
}

function plainText(value: Json, parameter: Parameter): string {
  if (typeof value !== 'object' || value === null) return String(value);
  throw new UnsupportedKeyword(
    'style',
    partNames.parameter(parameter.name),
    schemaProblems.nestedInStyle(parameter.style),
  );
}

/** Percent-encodes all but the unreserved characters of RFC 3986. */
export const percentEncode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
