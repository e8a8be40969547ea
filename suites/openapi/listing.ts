import { type ApiResponse, isJsonObject, type Json, type JsonObject } from '../../src/check/index.ts';
import { parseJson } from '../../src/check/json.ts';
import type { Found } from './existing.ts';
import type { OperationUnderTest } from './operations.ts';
import { firstOffsetOf, firstPageOf, pagingOf } from './relations.ts';
import { type GeneratedRequest, keyOf } from './request.ts';
import { itemsIn } from './resource-shapes.ts';
import { type CollectionUnderTest, parentOf, sendTo } from './resources.ts';
import { isSuccess } from './responses.ts';

/** Everything in a collection, as far as the document makes plain how to get it. */
export interface Listed {
  readonly items: readonly JsonObject[];
  readonly isComplete: boolean;
  readonly response: ApiResponse;
}

/** One page of a list, with these values in its query. */
export const pageOf = async (
  collection: CollectionUnderTest,
  exercised: OperationUnderTest,
  values: GeneratedRequest['values'],
): Promise<Pick<Listed, 'items' | 'response'>> => {
  const response = await sendTo(collection, exercised, await parentOf(collection), { values });
  return { response, items: itemsIn(response.json) ?? [] };
};

const mostPages = 8;
/** A list of such a length may be cut off there. */
const roundLengths: readonly number[] = [10, 15, 20, 25, 30, 50, 100, 200, 250, 500, 1000];

/** Lists a collection with the largest page, and goes on to the pages after it. Null: its list is not plain. */
export const listAll = async (
  collection: CollectionUnderTest,
  query: GeneratedRequest['values'] = {},
  parent?: Found,
): Promise<Listed | null> => {
  const { document, helperAs, list } = collection;
  const exercised = helperAs(list);
  if (exercised === null || list === null) return null;
  const found = parent ?? (await parentOf(collection));
  const { size, offset, page } = pagingOf(list, document.root);
  const largest = size === null ? null : largestOf(size.schema);
  const start = offset === null ? 0 : (firstOffsetOf(offset, document.root) ?? 0);
  let items: readonly JsonObject[] = [];
  let before: ApiResponse | null = null;
  for (let turn = 0; turn < mostPages; turn += 1) {
    const values = {
      ...query,
      ...(size === null || largest === null ? {} : { [keyOf(size)]: BigInt(largest) }),
      ...(turn > 0 && offset !== null ? { [keyOf(offset)]: BigInt(start + items.length) } : {}),
      ...(turn > 0 && offset === null && page !== null
        ? { [keyOf(page)]: BigInt(turn + (firstPageOf(page, document.root) ?? 1)) }
        : {}),
    };
    const response: ApiResponse = await sendTo(collection, exercised, found, { values });
    // HAL has no list on a page without resources.
    const isEmpty = before !== null && totalIn(response) !== null;
    const shown = itemsIn(response.json) ?? (isEmpty ? [] : null);
    if (!isSuccess(response) || shown === null) return null;
    if (shown.length === 0 && before !== null) return { items, isComplete: true, response: before };
    items = [...items, ...shown];
    const isLast = !roundLengths.includes(shown.length) && (largest === null || shown.length < largest);
    const isAll = (totalIn(response) ?? 0n) <= BigInt(items.length);
    const isComplete = shown.length === 0 || (isLast && isAll && !hasNext(response));
    if (isComplete || (offset === null && page === null)) return { items, isComplete, response };
    before = response;
  }
  return null;
};

const totals = ['total', 'totalcount', 'totalitems', 'totalelements', 'totalresults'];

/** An object, and the objects in it, without items of lists. */
export const objectsIn = (json: Json, levels = 3): readonly JsonObject[] =>
  !isJsonObject(json) || levels === 0
    ? []
    : [json, ...Object.values(json).flatMap((member) => objectsIn(member, levels - 1))];

/** What a response says of a list: members of its object, and of the one in `X-Pagination`, which marshmallow servers send. */
const paginationIn = ({
  json,
  header,
}: Pick<ApiResponse, 'json' | 'header'>): readonly (readonly [string, Json])[] => {
  const [text = ''] = header('x-pagination');
  const parsed = parseJson(text);
  return [json ?? null, parsed.ok ? parsed.value : null]
    .flatMap((each) => objectsIn(each))
    .flatMap((each) => Object.entries(each));
};

/** The total of a list, in its object, in one within, or in a header. Null: it has none. */
export const totalIn = (response: Pick<ApiResponse, 'json' | 'header'>): bigint | null => {
  for (const [name, value] of paginationIn(response))
    if (totals.includes(name.toLowerCase().replaceAll(/[^a-z]/g, '')) && typeof value === 'bigint')
      return value;
  const [count = ''] = response.header('x-total-count');
  return /^\d+$/.test(count) ? BigInt(count) : null;
};

/** A link, or a member such as `nextPageToken` or `hasMore`, says that there is more. */
export const hasNext = (response: Pick<ApiResponse, 'json' | 'header'>): boolean =>
  response.header('link').some((link) => /rel="?next/i.test(link)) ||
  paginationIn(response).some(
    ([name, value]) =>
      /next|cursor|more/i.test(name) &&
      !/prev|start|before/i.test(name) &&
      value !== null &&
      value !== false &&
      value !== '',
  );

const usualLargest = 100;

const largestOf = (schema: unknown): number => {
  const maximum =
    typeof schema === 'object' && schema !== null && 'maximum' in schema
      ? Number(schema.maximum)
      : usualLargest;
  return Number.isSafeInteger(maximum) && maximum > 0 ? Math.min(maximum, usualLargest) : usualLargest;
};
