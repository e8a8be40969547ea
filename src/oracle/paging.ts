import type { ParsedResponse } from '../http/parsed-response.ts';
import type { Breach } from './finding.ts';
import { listedPets } from './pet.ts';
import type { ListProblem } from './problems/lists.ts';
import type { ServerModel } from './rule.ts';

type Page = Omit<Extract<ListProblem, { in: 'page' }>, 'rule' | 'in'>;

/** The creations of so many missing animals are shown. */
const mostCreations = 3;

/**
 * What is wrong with a page that is not full and lacks some of the animals that the run created: with the creations of those that are
 * missing, and beside them of those that are not.
 */
export const missingFromPage = (
  { wanted, listed, most, status }: Page,
  { creationsOf }: Pick<ServerModel, 'creationsOf'>,
): Pick<Breach, 'problem' | 'origin' | 'beside' | 'about'> => {
  const ids = new Set(listed);
  const isListed = ({ id }: Page['wanted'][number]) => ids.has(id);
  const missing = wanted.filter((animal) => !isListed(animal));
  const origin = missing.slice(0, mostCreations).flatMap(({ id }) => creationsOf(id));
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

/** Values with which a header says that nothing follows. */
const nothing: ReadonlySet<string> = new Set([
  ...['', '0', '-1', 'null', 'none', 'nil', 'undefined', 'false', 'no', '""'],
]);

/** Header names that lead to the next page, or say that there is one: X-Next-Cursor, X-Has-More, x-ms-continuation, … */
const leadsOn = /(?:^|-)(?:next|more|cursor|continuation)(?:-|$)|has-?(?:next|more)|continuationtoken/;
const leadsBack = /(?:^|-)(?:prev|previous|before|start|self|current)(?:-|$)/;

/** Header names that give the number of all animals, or of all pages. */
const ofItems = /(?:^|-)(?:total|total-(?:count|items|elements|records|results)|count-total)$/;
const ofPages = /(?:^|-)(?:total-pages|pages|page-count|pages-count)$/;
const ofPage = /(?:^|-)(?:page|current-page|page-number)$/;

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

/** `items 0-9/57`: a range that ends before the total. */
const isPartOf = (value: string): boolean => {
  const [, last, total] = /-(\d+)\s*\/\s*(\d+)\s*$/.exec(value) ?? [];
  return last !== undefined && total !== undefined && Number(total) > Number(last) + 1;
};

/** A header that holds an object of figures, as `X-Pagination` does. */
const ofFigures = /(?:^|-)pagination$/;
const saysMore = /"has_?(?:next|more)\w*"\s*:\s*true|"next\w*"\s*:\s*(?:[1-9]|"[^"])/i;

const numberIn = (value: string): number => (/^\d+$/.test(value) ? Number(value) : 0);

/**
 * Tells whether the headers of a list say that more animals follow: `limit` is a maximum, so a page may be shorter (LIST-8). In whatever
 * way: the document does not specify paging.
 */
export const moreFollows = (response: ParsedResponse): boolean => {
  const headers = response.exchange.response.headers.map(
    ([name, value]) => [name.toLowerCase(), value.trim()] as const,
  );
  const listed = listedPets(response)?.length ?? 0;
  const page = Math.max(
    1,
    ...headers.filter(([name]) => ofPage.test(name)).map(([, value]) => numberIn(value)),
  );
  return headers.some(([name, value]) => {
    if (name === 'link') return linksToNext(value);
    if (name === 'content-range') return isPartOf(value);
    if (ofFigures.test(name)) return saysMore.test(value);
    if (ofItems.test(name)) return numberIn(value) > listed;
    if (ofPages.test(name)) return numberIn(value) > page;
    return leadsOn.test(name) && !leadsBack.test(name) && !nothing.has(value.toLowerCase());
  });
};

/** Names of the headers that have to do with paging (LIST-10). */
export const pagingHeadersOf = ({ exchange: { response } }: ParsedResponse): readonly string[] => {
  const names = response.headers.map(([name]) => name.toLowerCase());
  const isPaging = (name: string): boolean =>
    name === 'link' ||
    name === 'content-range' ||
    [ofItems, ofPages, ofPage, ofFigures, leadsOn].some((pattern) => pattern.test(name));
  return [...new Set(names.filter(isPaging))].toSorted();
};

/** Tells whether a list shows every animal that it should: it has fewer than it may have, and nothing says that more follow. */
export const isWhole = (response: ParsedResponse, limit: number): boolean => {
  const pets = response.status === 200 ? listedPets(response) : null;
  return pets !== null && pets.length < limit && !moreFollows(response);
};
