import { isJsonObject, type Json } from '../json/json.ts';
import { stringifyJson } from '../json/stringify.ts';
import { UnsupportedKeyword } from '../json-schema/schema.ts';
import type { Parameter } from './document.ts';

/** How a style of OpenAPI lays out values: what leads, what stands between exploded ones, and whether the name is written. */
interface Layout {
  readonly lead: string;
  readonly between: string;
  readonly named: boolean;
  /** Between values that are not exploded. */
  readonly delimiter: string;
}

const form: Layout = { lead: '', between: '&', named: true, delimiter: ',' };

const layouts: Readonly<Record<string, Layout>> = {
  form,
  spaceDelimited: { ...form, delimiter: '%20' },
  pipeDelimited: { ...form, delimiter: '%7C' },
  deepObject: form,
  simple: { lead: '', between: ',', named: false, delimiter: ',' },
  label: { lead: '.', between: '.', named: false, delimiter: ',' },
  matrix: { lead: ';', between: ';', named: true, delimiter: ',' },
};

/**
 * Writes a parameter as its style and `explode` say (OpenAPI 3.1, 4.8.12). Query and cookie: `limit=5`, several pairs joined by `&`,
 * empty where the value is an empty array or object. Path: what replaces `{name}`. Header: the value alone. Percent-encoded, but for
 * headers.
 * @throws UnsupportedKeyword for values that no style can write: arrays and objects within others
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
      layout.lead +
      (parameter.explode ? items.map(named).join(layout.between) : named(items.join(layout.delimiter)))
    );
  }
  if (!isJsonObject(value)) return layout.lead + named(write(value));
  const members = Object.entries(value).map(([name, member]) => [encode(name), write(member)] as const);
  if (members.length === 0) return '';
  if (parameter.style === 'deepObject')
    return members.map(([name, text]) => `${encode(parameter.name)}%5B${name}%5D=${text}`).join('&');
  if (parameter.explode)
    return layout.lead + members.map(([name, text]) => `${name}=${text}`).join(layout.between);
  return layout.lead + named(members.flat().join(layout.delimiter));
}

/** Writes a text in the place of a parameter as it stands: whether it is encoded, and makes sense, is the caller's business. */
export function placeText(parameter: Parameter, text: string): string {
  const { lead, named } = layoutOf(parameter);
  return lead + (named ? `${percentEncode(parameter.name)}=${text}` : text);
}

/** What an array's or object's parts must not contain, since the style could not tell it from what stands between them. */
export function confusable(parameter: Parameter): RegExp | null {
  if (parameter.style === 'json') return null;
  if (parameter.in === 'header') return /[,=]/;
  if (parameter.style === 'spaceDelimited') return / /;
  if (parameter.style === 'pipeDelimited') return /\|/;
  return parameter.style === 'label' ? /\./ : null;
}

function layoutOf(parameter: Parameter): Layout {
  // JSON text stands where a value of the default style would.
  const isInPlace = parameter.in === 'path' || parameter.in === 'header';
  const layout =
    parameter.style === 'json' ? layouts[isInPlace ? 'simple' : 'form'] : layouts[parameter.style];
  if (layout) return layout;
  throw new UnsupportedKeyword(
    'style',
    `parameter ${parameter.name}`,
    `${parameter.style} is no style of OpenAPI`,
  );
}

function plainText(value: Json, parameter: Parameter): string {
  if (typeof value !== 'object' || value === null) return String(value);
  throw new UnsupportedKeyword(
    'style',
    `parameter ${parameter.name}`,
    `${parameter.style} cannot write arrays or objects within others`,
  );
}

/** All but the unreserved characters of RFC 3986. */
const percentEncode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
