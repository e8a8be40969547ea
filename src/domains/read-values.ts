import { isIP } from 'node:net';
import { hostNameOf } from './names.ts';
import type { FieldReader, Part } from './read-fields.ts';
import { domainProblems as problems } from './refusals.ts';
import { defaultNetwork, type Endpoint } from './settings.ts';

/** Reads a part that may be absent. */
export const optional = <Value>(part: Part | undefined, read: (part: Part) => Value | null): Value | null =>
  part === undefined ? null : read(part);

export const oneOf = <const Word extends string>(
  reader: FieldReader,
  part: Part,
  words: readonly Word[],
): Word | null => {
  const given = reader.text(part);
  if (given === null) return null;
  return (
    words.find((word) => word === given.toLowerCase()) ?? reader.report(part, problems.notOneOf(given, words))
  );
};

/** What is wrong with a text that is not a host name. */
export const hostProblem = (given: string): string => {
  if (/:\/\/|\//.test(given)) return problems.isUrl(given);
  if (isIP(given.replace(/^\[|\]$/g, '')) !== 0 || /^[\d.]+$/.test(given)) return problems.isAddress(given);
  return problems.notHost(given);
};

export const host = (reader: FieldReader, part: Part): string | null => {
  const given = reader.text(part);
  if (given === null) return null;
  return hostNameOf(given) ?? reader.report(part, hostProblem(given));
};

/** One value, or a list of values. */
export const listOf = <Value>(
  reader: FieldReader,
  part: Part,
  read: (reader: FieldReader, part: Part) => Value | null,
): readonly Value[] => {
  if (!reader.isList(part)) return [read(reader, part)].flatMap((value) => (value === null ? [] : [value]));
  const items = reader.items(part) ?? [];
  if (items.length === 0) reader.report(part, problems.empty);
  return items.map((item) => read(reader, item)).filter((value) => value !== null);
};

/** A date and time of RFC 3339, in milliseconds since the Unix epoch. */
export const time = (reader: FieldReader, part: Part): number | null => {
  const given = reader.text(part, problems.noTime);
  if (given === null) return null;
  const parts =
    /^(\d{4}-\d\d-\d\d)[Tt ]((?:[01]\d|2[0-3]):\d\d):(\d\d)(\.\d+)?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/.exec(
      given,
    );
  const [, day = '', minute = '', second = '', , offset = ''] = parts ?? [];
  // A leap second counts as the second before it.
  const at = Date.parse(`${day}T${minute}:${second === '60' ? '59' : second}${offset.toUpperCase()}`);
  const isDay = !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
  return Number.isNaN(at) || !isDay ? reader.report(part, problems.notTime(given)) : at;
};

/** A path that begins with /, perhaps with a query. */
export const isPath = (given: string): boolean => /^\/[^\s#\\\p{Cc}]*$/u.test(given);

/** Reads `ADDRESS` or `ADDRESS:PORT`; IPv6 needs brackets with a port. Null: it is neither. */
export const endpointOf = (given: string): Endpoint | null => {
  if (isIP(given) !== 0) return { address: given, port: defaultNetwork.dnsPort };
  const [, address = '', digits = ''] = /^\[?([^[\]]+?)\]?(?::(\d{1,5}))?$/.exec(given) ?? [];
  const port = digits === '' ? defaultNetwork.dnsPort : Number(digits);
  const isKnown = isIP(address) === (given.startsWith('[') ? 6 : 4);
  return isKnown && port >= 1 && port <= 65_535 ? { address, port } : null;
};

export const endpoint = (reader: FieldReader, part: Part): Endpoint | null => {
  const given = reader.text(part, problems.notTextOrList);
  if (given === null) return null;
  return endpointOf(given) ?? reader.report(part, problems.notResolver(given));
};
