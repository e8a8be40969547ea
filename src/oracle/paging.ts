import type { Breach } from '../finding/finding.ts';
import type { ProblemOf } from '../finding/problem.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import { listedPets } from './pet.ts';
import type { ServerModel } from './rule.ts';

type Page = Omit<Extract<ProblemOf<'missing-from-list'>, { in: 'page' }>, 'rule' | 'in'>;

/** Number of missing animals whose creations are shown. */
const maxCreations = 3;

/**
 * Returns the problem of a page that is not full and lacks animals of the run. The evidence has the creations of the missing animals, and
 * of the listed ones as passing counterparts.
 */
export const missingFromPage = (
  { wanted, listed, most, status }: Page,
  { creationsOf }: Pick<ServerModel, 'creationsOf'>,
): Pick<Breach, 'problem' | 'origin' | 'beside' | 'about'> => {
  const ids = new Set(listed);
  const isListed = ({ id }: Page['wanted'][number]) => ids.has(id);
  const missing = wanted.filter((animal) => !isListed(animal));
  const origin = missing.slice(0, maxCreations).flatMap(({ id }) => creationsOf(id));
  const [first] = origin;
  return {
    problem: {
      rule: 'missing-from-list',
      in: 'page',
      wanted: wanted.map(({ id, at }) => ({ id, at })),
      listed,
      most,
      status,
    },
    origin,
    beside: wanted.filter(isListed).flatMap(({ id }) => creationsOf(id)),
    ...(first === undefined ? {} : { about: { kind: 'creation', exchange: first } }),
  };
};

/** Values that mean that no page follows. */
const endValues: ReadonlySet<string> = new Set([
  ...['', '0', '-1', 'null', 'none', 'nil', 'undefined', 'false', 'no', '""'],
]);

/** Names of headers that refer to the next page: X-Next-Cursor, X-Has-More, x-ms-continuation, … */
const nextPageName = /(?:^|-)(?:next|more|cursor|continuation)(?:-|$)|has-?(?:next|more)|continuationtoken/;
const previousPageName = /(?:^|-)(?:prev|previous|before|start|self|current)(?:-|$)/;

/** Names of headers with the total number of animals, or of pages. */
const itemCountName = /(?:^|-)(?:total|total-(?:count|items|elements|records|results)|count-total)$/;
const pageCountName = /(?:^|-)(?:total-pages|pages|page-count|pages-count)$/;
const pageNumberName = /(?:^|-)(?:page|current-page|page-number)$/;

/** The links of a Link header (RFC 8288): a target in angle brackets, then parameters, whose values may be quoted. */
const link = /<[^>]*>((?:\s*;\s*[^\s=;,]+\s*(?:=\s*(?:"(?:[^"\\]|\\.)*"|[^\s";,]*))?)*)/g;
const parameter = /;\s*([^\s=;,]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";,]*))/g;

const relationsOf = (parameters: string): readonly string[] => {
  const all = [...parameters.matchAll(parameter)];
  const [, , quoted, plain] = all.find(([, name = '']) => name.toLowerCase() === 'rel') ?? [];
  return (quoted ?? plain ?? '').toLowerCase().split(/\s+/);
};

const linksToNext = (value: string): boolean =>
  [...value.matchAll(link)].some(([, parameters = '']) => relationsOf(parameters).includes('next'));

/** Tells whether a range ends before the total, as in `items 0-9/57`. */
const isPartOf = (value: string): boolean => {
  const [, last, total] = /-(\d+)\s*\/\s*(\d+)\s*$/.exec(value) ?? [];
  return last !== undefined && total !== undefined && Number(total) > Number(last) + 1;
};

/** Names of headers with a JSON object, for example `X-Pagination`. */
const paginationName = /(?:^|-)pagination$/;
const saysMore = /"has_?(?:next|more)\w*"\s*:\s*true|"next\w*"\s*:\s*(?:[1-9]|"[^"])/i;

const numberIn = (value: string): number => (/^\d+$/.test(value) ? Number(value) : 0);

/**
 * Tells whether the headers of a list say that more animals follow. `limit` is a maximum, so a page may be shorter (LIST-8). The document
 * does not specify paging, so all common headers count.
 */
export const moreFollows = (response: ParsedResponse): boolean => {
  const headers = response.exchange.response.headers.map(
    ([name, value]) => [name.toLowerCase(), value.trim()] as const,
  );
  const listed = listedPets(response)?.length ?? 0;
  const page = Math.max(
    1,
    ...headers.filter(([name]) => pageNumberName.test(name)).map(([, value]) => numberIn(value)),
  );
  return headers.some(([name, value]) => {
    if (name === 'link') return linksToNext(value);
    if (name === 'content-range') return isPartOf(value);
    if (paginationName.test(name)) return saysMore.test(value);
    if (itemCountName.test(name)) return numberIn(value) > listed;
    if (pageCountName.test(name)) return numberIn(value) > page;
    return nextPageName.test(name) && !previousPageName.test(name) && !endValues.has(value.toLowerCase());
  });
};

/** Returns the names of paging headers (LIST-10). */
export const pagingHeadersOf = ({ exchange: { response } }: ParsedResponse): readonly string[] => {
  const names = response.headers.map(([name]) => name.toLowerCase());
  const isPaging = (name: string): boolean =>
    name === 'link' ||
    name === 'content-range' ||
    [itemCountName, pageCountName, pageNumberName, paginationName, nextPageName].some((pattern) =>
      pattern.test(name),
    );
  return [...new Set(names.filter(isPaging))].toSorted();
};

/** Tells whether a list must have all animals: it is shorter than the limit, and no header says that more follow. */
export const isWhole = (response: ParsedResponse, limit: number): boolean => {
  const pets = response.status === 200 ? listedPets(response) : null;
  return pets !== null && pets.length < limit && !moreFollows(response);
};
