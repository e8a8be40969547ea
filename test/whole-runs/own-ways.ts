/** Servers that conform: they write values, choose ids, list, and filter in a way of their own. */
import { type Choice, type Item, things } from './things-server.ts';

const text = { type: 'string', minLength: 1, maxLength: 40 };
const words = (value: unknown) => `${value}`.toLowerCase().split(/[^a-z0-9]+/);
const limit = { type: 'integer', minimum: 1, maximum: 100, default: 20 };

const sizeIn = (query: URLSearchParams) => Number(query.get('limit') ?? 20) || 20;

/** Newest first: `before` leads to older messages, `after` to newer ones. */
const history = (items: readonly Item[], query: URLSearchParams) => {
  const newest = items.toReversed();
  const at = (name: string) => newest.findIndex(({ id }) => `${id}` === query.get(name));
  const some = query.has('after')
    ? newest.slice(0, Math.max(0, at('after')))
    : query.has('before')
      ? newest.slice(at('before') + 1)
      : newest;
  const things = some.slice(0, sizeIn(query));
  return {
    things,
    prevCursor: things[0] === undefined ? null : `${things[0].id}`,
    nextCursor: some.length > things.length ? `${things.at(-1)?.id}` : null,
  };
};

/** At least this rating, at most this price, archived things too, and names with one of the words. */
const search = (items: readonly Item[], query: URLSearchParams) =>
  items.filter(
    ({ rating, price, archived, title }) =>
      Number(rating) >= Number(query.get('rating') ?? 0) &&
      Number(price) <= Number(query.get('price') ?? Number.POSITIVE_INFINITY) &&
      (archived !== true || query.get('archived') === 'true') &&
      (!query.has('title') || words(query.get('title')).some((word) => words(title).includes(word))),
  );

const yearOf = ({ born }: Item) => `${born}`.split('/').toReversed().join('');

export const ownWays: readonly Choice[] = [
  {
    name: 'writes values in its own way, and does not show a code',
    members: {
      slug: text,
      phone: { type: 'string', pattern: '^[+]?[0-9][0-9 ()-]{5,18}[0-9]$' },
      code: { ...text, writeOnly: true },
      at: { type: 'string', format: 'time' },
    },
    required: ['slug', 'phone', 'code'],
    serve: things({
      store: ({ code: _, ...sent }) => ({
        ...sent,
        slug: words(sent.slug).join('-'),
        phone: `${sent.phone}`.replaceAll(/[^+0-9]/g, ''),
        at: `${sent.at}`.slice(0, 5),
      }),
    }),
  },
  {
    name: 'sets state and version at creation, and takes them from an update',
    members: {
      state: { type: 'string', enum: ['solved', 'new', 'open'] },
      version: { type: 'integer', minimum: 0 },
    },
    serve: things({ store: (sent) => ({ ...sent, state: 'new', version: 0 }) }),
  },
  {
    name: 'lists what was published',
    serve: things({
      store: (sent) => ({ ...sent, status: 'draft' }),
      list: () => [{ id: 1_000_000, name: 'Published', status: 'published' }],
    }),
  },
  {
    name: 'has filters that are bounds or searches',
    members: {
      title: text,
      rating: { type: 'integer', minimum: 1, maximum: 5 },
      price: { type: 'number', minimum: 0, maximum: 500 },
      archived: { type: 'boolean', default: false },
    },
    required: ['title', 'rating', 'price'],
    query: {
      title: { type: 'string' },
      rating: { type: 'integer', minimum: 1, maximum: 5 },
      price: { type: 'number' },
      archived: { type: 'boolean' },
    },
    serve: things({ list: search }),
  },
  {
    name: 'counts places from 1',
    query: { limit, start: { type: 'integer', minimum: 1 } },
    serve: things({
      list: (items, query) => {
        const start = (Number(query.get('start') ?? 1) || 1) - 1;
        return { things: items.slice(start, start + sizeIn(query)), total: items.length };
      },
    }),
  },
  {
    name: 'has cursors in two directions',
    query: { limit, before: { type: 'string' }, after: { type: 'string' } },
    serve: things({ list: history }),
  },
  {
    name: 'searches nearby, and takes the size of a page',
    members: {
      lat: { type: 'number', minimum: -90, maximum: 90 },
      size: { type: 'integer', minimum: 1, maximum: 60 },
    },
    required: ['lat', 'size'],
    query: {
      lat: { type: 'number' },
      page: { type: 'integer', minimum: 0, default: 0 },
      size: { type: 'integer', minimum: 1, maximum: 200, default: 20 },
    },
    serve: things({
      list: (items, query) => {
        const [lat, page, size] = ['lat', 'page', 'size'].map((name) => Number(query.get(name)) || 0);
        const near = items.toSorted(
          (a, b) => Math.abs(Number(a.lat) - (lat ?? 0)) - Math.abs(Number(b.lat) - (lat ?? 0)),
        );
        return { content: near.slice((page ?? 0) * (size || 20), ((page ?? 0) + 1) * (size || 20)) };
      },
    }),
  },
  {
    name: 'merges things with one code',
    members: { code: { type: 'string', pattern: '^[A-Z]{3}$', examples: ['ABC'] } },
    required: ['code'],
    serve: things({
      nextId: (items, last, { code }) => items.find((item) => item.code === code)?.id ?? last + 1,
    }),
  },
  {
    name: 'takes the ids of clients',
    members: { id: { type: 'integer', minimum: 1, maximum: 1_000_000, examples: [10] } },
    required: ['id'],
    serve: things({ nextId: (_, last, { id }) => (typeof id === 'number' ? id : last + 1) }),
  },
  {
    name: 'has one default thing',
    members: { isDefault: { type: 'boolean' } },
    serve: things({
      created: ({ id, isDefault }, items) => {
        for (const [key, item] of isDefault === true ? items : [])
          if (key !== id) items.set(key, { ...item, isDefault: false });
      },
    }),
  },
  {
    name: 'sorts days by year, month, and day',
    members: { born: { type: 'string', pattern: '^(0[1-9]|[12][0-9])/(0[1-9]|1[0-2])/(19|20)[0-9]{2}$' } },
    required: ['born'],
    query: { sort: { type: 'string', enum: ['+born', '-born'] } },
    serve: things({
      list: (items, query) => {
        const sign = query.get('sort') === '-born' ? -1 : 1;
        return query.has('sort')
          ? items.toSorted((a, b) => sign * yearOf(a).localeCompare(yearOf(b)))
          : items;
      },
    }),
  },
  { name: 'keeps responses for five seconds, and says how old they are', serve: things({ cacheMs: 5_000 }) },
];
