import type { Parameter } from '../../src/check/document.ts';
import type { Json, JsonObject } from '../../src/check/index.ts';
import { sameJson } from '../../src/check/json.ts';
import { hasNext, type Listed, listAll, objectsIn, pageOf } from './listing.ts';
import type { OperationUnderTest } from './operations.ts';
import { defaultsIn, usualAlternative } from './ordinary.ts';
import { firstOffsetOf, firstPageOf, pagingOf } from './relations.ts';
import { type GeneratedRequest, keyOf } from './request.ts';
import { idOf, itemsIn } from './resource-shapes.ts';
import { type CollectionUnderTest, createIn, parentOf, sendTo } from './resources.ts';
import { isSuccess } from './responses.ts';
import { breachList, type Scenario, settled } from './scenario.ts';

/** RES-6: a page has no more resources than its size, and the next page begins elsewhere. */
export const pages: Scenario = async (collection, [exercised]) => {
  const { document, context } = collection;
  const { size, offset, page } = pagingOf(exercised.operation, document.root);
  if (size === null) return;
  const created = await createIn(collection);
  await createIn(collection);
  if (size.name in created.resource) return;
  const look = (more: GeneratedRequest['values'] = {}) =>
    pageOf(collection, exercised, { [keyOf(size)]: 1n, ...more });
  const first = await look();
  if (!isSuccess(first.response)) return;
  if (first.items.length > 1) return breachList(collection, first, 'too many', `${size.name}=1`);
  if (first.items.length === 1) context.passed();
  const other = offset ?? page;
  if (other === null || first.items.length === 0) return;
  const number = page === null ? 1 : (firstPageOf(page, document.root) ?? 1);
  const start = offset === null ? null : firstOffsetOf(offset, document.root);
  if (offset !== null && start === null) return;
  const next = (start ?? number) + 1;
  const later = await look({ [keyOf(other)]: BigInt(next) });
  const firstAgain = await look(offset === null ? { [keyOf(other)]: BigInt(number) } : {});
  const [one, two, again] = [first, later, firstAgain].map(({ items }) => items[0]);
  // Without a stable order, pages may overlap.
  if (one === undefined || again === undefined || !sameJson(one, again)) return;
  if (two !== undefined && sameJson(one, two))
    breachList(collection, later, 'page repeated', `${other.name}=${next}`, [first.response]);
};

/** How a walk over pages goes from one to the next. */
interface Step {
  readonly size: Parameter;
  /** The values of the query for a page; null: there is no next one. */
  next(turn: number, before: Listed | null, seen: number): GeneratedRequest['values'] | null;
}

const tokenNames = /^(page_?token|cursor|next_?token|continuation_?token|starting_?after|after)$/i;

/** The token of the next page in a response: not that of another page. Null: there is none, or it is an address. */
const tokenIn = (json: Json | undefined, isTwoWay: boolean): Json | null => {
  const all = objectsIn(json ?? null, 2).flatMap((each) => Object.entries(each));
  const named = all.filter(
    ([name, value]) =>
      (isTwoWay ? /end/i : /next|cursor/i).test(name) &&
      !/prev|start|before|first|current|self/i.test(name) &&
      (typeof value === 'string' || typeof value === 'bigint'),
  );
  const [, token = null] = named.find(([name]) => /next|end/i.test(name)) ?? named[0] ?? [];
  return typeof token === 'string' && (token === '' || /^(https?:|\/)/.test(token)) ? null : token;
};

const stepOf = ({ operation: list, document: { root } }: OperationUnderTest): Step | null => {
  const { size, offset, page } = pagingOf(list, root);
  const token = list.parameters.find(({ name, in: place }) => place === 'query' && tokenNames.test(name));
  if (size === null) return null;
  const start = offset === null ? null : firstOffsetOf(offset, root);
  if (offset !== null && start === null) return null;
  if (offset !== null && start !== null)
    return { size, next: (_, __, seen) => (seen === 0 ? {} : { [keyOf(offset)]: BigInt(start + seen) }) };
  const first = page === null ? null : firstPageOf(page, root);
  if (page !== null)
    return first === null
      ? null
      : { size, next: (turn) => (turn === 0 ? {} : { [keyOf(page)]: BigInt(turn + first) }) };
  if (token === undefined) return null;
  // With `before` and `after`, only the end of a page (`endCursor`) says which way it leads.
  const isTwoWay = list.parameters.some(({ name }) => /before/i.test(name));
  return {
    size,
    next: (turn, before) => {
      if (turn === 0) return {};
      const next = tokenIn(before?.response.json, isTwoWay);
      const sent = new URLSearchParams(before?.response.exchange.request.query);
      // A cursor may be that of the page itself.
      return next === null || sent.get(token.name) === `${next}` ? null : { [keyOf(token)]: next };
    },
  };
};

/** Reads all pages of a size. Null: a page cannot be read. */
const walk = async (
  collection: CollectionUnderTest,
  exercised: OperationUnderTest,
  step: Step,
  { most, pages }: { readonly most: number; readonly pages: number },
): Promise<Listed | null> => {
  const found = await parentOf(collection);
  let before: Listed | null = null;
  let items: readonly JsonObject[] = [];
  for (let turn = 0; turn < pages; turn += 1) {
    const place = step.next(turn, before, items.length);
    if (place === null) break;
    const values = { [keyOf(step.size)]: BigInt(most), ...place };
    const response = await sendTo(collection, exercised, found, { values });
    const shown = itemsIn(response.json);
    if (!isSuccess(response) || shown === null) return null;
    items = [...items, ...shown];
    // A server may have a largest page of its own, and a page may leave out what is hidden.
    if (turn === 0 && shown.length < most && most > mostUsual) return null;
    before = { items, isComplete: shown.length < most && !hasNext(response), response };
    if (shown.length === 0 || (before.isComplete && turn > 0)) break;
  }
  return before;
};

/** No more pages than this are read. */
const mostPages = 5;
/** Few servers have a smaller page than this as their largest one. */
const mostUsual = 10;

/** RES-6: all pages together have each resource once. */
export const pagesAreWhole: Scenario = async (collection, [exercised]) => {
  const step = stepOf(exercised);
  if (step === null) return;
  for (let turn = 0; turn < 3; turn += 1) await createIn(collection);
  const idsOf = (listed: Listed | null) => (listed?.items ?? []).map((item) => idOf(item, collection));
  const whole = await listAll(collection);
  const ids = idsOf(whole);
  if (whole?.isComplete !== true || ids.length < 3 || ids.includes(null)) return;
  const most = Math.max(1, Math.ceil(ids.length / (mostPages - 1)));
  const walked = await walk(collection, exercised, step, { most, pages: mostPages });
  const again = idsOf(await listAll(collection));
  // Without a stable order, or if a new resource comes first, pages may differ from the whole list.
  if (walked === null || !sameIds(ids, again.slice(0, ids.length))) return;
  const seen = idsOf(walked);
  const about = `${step.size.name}=${most}`;
  if (seen.some((id, index) => seen.findIndex((other) => sameJson(id, other)) !== index))
    return breachList(collection, walked, 'on two pages', about);
  if (walked.isComplete && !ids.every((id) => seen.some((other) => sameJson(id, other))))
    return breachList(collection, walked, 'missing from pages', about);
  collection.context.passed();
};

const sameIds = (one: readonly (Json | null)[], two: readonly (Json | null)[]): boolean =>
  one.length === two.length && one.every((id, index) => sameJson(id, two[index] ?? null));

/** RES-6: without a page size, the default of the document applies. */
export const usesDefaultSize: Scenario = async (collection, [exercised]) => {
  const step = stepOf(exercised);
  if (step === null || step.size.required) return;
  const { size } = step;
  const usual = Number(defaultsIn(usualAlternative(size.schema, exercised.document.root))[0] ?? 0);
  if (!(usual >= 1)) return;
  const about = `the default ${size.name} ${usual}`;
  const ask = (query: GeneratedRequest['values']) => pageOf(collection, exercised, query);
  const page = await ask({});
  if (!isSuccess(page.response) || page.items.length === 0) return;
  if (page.items.length > usual) return breachList(collection, page, 'too many', about);
  if (page.items.length === usual) return collection.context.passed();
  // Either response may be one of a moment ago.
  const { sized, again } = await settled(
    collection,
    async () => ({ sized: await ask({ [keyOf(size)]: BigInt(usual) }), again: await ask({}) }),
    (now) => now.again.items.length >= Math.min(now.sized.items.length, usual),
  );
  if (
    isSuccess(sized.response) &&
    isSuccess(again.response) &&
    again.items.length < Math.min(sized.items.length, usual) &&
    sized.items.length <= usual
  )
    breachList(collection, again, 'missing from pages', about);
};
