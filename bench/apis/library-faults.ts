import { at, type Call, type Faults, listed } from './fault.ts';

const valid = { title: 'Solaris', pages: 204, genre: 'novel' };
const add = (call: Call, changes: object = {}) => call('POST /books', { body: { ...valid, ...changes } });
const added = async (call: Call, changes: object = {}) => String(at((await add(call, changes)).json, 'id'));
const isAdded = async (call: Call, changes: object) => (await add(call, changes)).status < 300;
const isRefused = async (call: Call, changes: object) =>
  (await add(call)).status < 300 && (await add(call, changes)).status === 400;
const nobody = '7b1ad5f3-0c55-4a57-9f63-0fcf4ae5c2a1';
const isReviewed = async (call: Call, body: object) =>
  (
    await call(`POST /books/${await added(call)}/reviews`, {
      body: { stars: 4, reviewer: 'ann@example.com', ...body },
    })
  ).status < 300;
const items = async (call: Call, query = '') => listed(at((await call(`GET /books${query}`)).json, 'items'));

/** Mistakes of the library. */
export const faults: Faults = {
  'title-optional': [
    'rule',
    'A book without a title is accepted.',
    (call) => isAdded(call, { title: undefined }),
  ],
  'empty-title-accepted': ['rule', 'An empty title is accepted.', (call) => isAdded(call, { title: '' })],
  'long-title-accepted': [
    'rule',
    'A title of 121 characters is accepted.',
    (call) => isAdded(call, { title: 'x'.repeat(121) }),
  ],
  'zero-pages-accepted': ['rule', 'A book with 0 pages is accepted.', (call) => isAdded(call, { pages: 0 })],
  'any-genre-accepted': ['rule', 'Any genre is accepted.', (call) => isAdded(call, { genre: 'cooking' })],
  'any-day-accepted': [
    'rule',
    'Any text is accepted as a day.',
    (call) => isAdded(call, { publishedOn: 'soon' }),
  ],
  'many-tags-accepted': [
    'rule',
    'Six tags are accepted.',
    (call) => isAdded(call, { tags: ['a', 'b', 'c', 'd', 'e', 'f'] }),
  ],
  'negative-price-accepted': [
    'rule',
    'A negative price is accepted.',
    (call) => isAdded(call, { price: -1 }),
  ],
  'six-stars-accepted': ['rule', 'Six stars are accepted.', (call) => isReviewed(call, { stars: 6 })],
  'any-reviewer-accepted': [
    'rule',
    'Any text is accepted as an e-mail address.',
    (call) => isReviewed(call, { reviewer: 'ann' }),
  ],
  'any-limit-accepted': [
    'rule',
    'Limits of 0 and 101 are accepted.',
    async (call) => (await call('GET /books?limit=101')).status === 200,
  ],
  'title-limit-100': [
    'document',
    'A title of 120 characters is refused.',
    (call) => isRefused(call, { title: 'x'.repeat(120) }),
  ],
  'pages-limit-exclusive': [
    'document',
    'A book with 5000 pages is refused.',
    (call) => isRefused(call, { pages: 5000 }),
  ],
  'history-refused': ['document', 'One genre is refused.', (call) => isRefused(call, { genre: 'history' })],
  'null-day-refused': [
    'document',
    'A day of null is refused.',
    async (call) =>
      (await add(call, { publishedOn: '2020-01-01' })).status < 300 && isRefused(call, { publishedOn: null }),
  ],
  'four-tags-at-most': [
    'document',
    'Five tags are refused.',
    (call) => isRefused(call, { tags: ['a', 'b', 'c', 'd', 'e'] }),
  ],
  'plus-refused': [
    'document',
    'An e-mail address with a plus sign is refused.',
    async (call) =>
      (await isReviewed(call, {})) && !(await isReviewed(call, { reviewer: 'ann+a@example.com' })),
  ],
  'limit-100-refused': [
    'document',
    'A limit of 100 is refused.',
    async (call) => (await call('GET /books?limit=100')).status === 400,
  ],
  'poetry-filter-refused': [
    'document',
    'One genre cannot be filtered by.',
    async (call) => (await call('GET /books?genre=poetry')).status === 400,
  ],
  'delete-without-key': [
    'document',
    'Deletion needs no key.',
    async (call) => (await call(`DELETE /books/${nobody}`, { key: null })).status === 404,
  ],
  'empty-key-accepted': [
    'document',
    'An empty key is accepted.',
    async (call) =>
      (await call('GET /books', { headers: { Authorization: 'Bearer ' } })).status === 200 &&
      (await call('GET /books', { key: null, headers: { Authorization: 'Bearer' } })).status === 200,
  ],
  'key-prefix-accepted': [
    'document',
    'The beginning of the key is accepted.',
    async (call) => (await call('GET /books', { key: 'library-key-5' })).status === 200,
  ],
  'any-case-key': [
    'document',
    'The key in upper case is accepted.',
    async (call) => (await call('GET /books', { key: 'LIBRARY-KEY-5F0C1B7A9D' })).status === 200,
  ],
  'forbidden-without-key': [
    'document',
    'A request without a key gets 403.',
    async (call) => (await call('GET /books', { key: null })).status === 403,
  ],
  'bare-401': [
    'document',
    'The body of 401 has another shape.',
    async (call) => at((await call('GET /books', { key: null })).json, 'message') === undefined,
  ],
  'status-422-for-invalid': [
    'document',
    'Invalid requests get 422, which is not documented.',
    async (call) => (await add(call, { pages: 'many' })).status === 422,
  ],
  'invalid-is-500': [
    'document',
    'Invalid requests get 500.',
    async (call) => (await add(call, { pages: 'many' })).status === 500,
  ],
  'error-code-as-text': [
    'document',
    'The status in errors is a text.',
    async (call) => typeof at((await add(call, { pages: 'many' })).json, 'statusCode') === 'string',
  ],
  'pages-as-text': [
    'document',
    'Pages are a text.',
    async (call) => typeof at((await add(call)).json, 'pages') === 'string',
  ],
  'null-tags': [
    'document',
    'A book without tags has null tags.',
    async (call) => at((await add(call)).json, 'tags') === null,
  ],
  'date-with-space': [
    'document',
    'A time has a space instead of T.',
    async (call) => `${at((await add(call)).json, 'createdAt')}`.includes(' '),
  ],
  'empty-filter-fails': [
    'document',
    'A genre without books gets 500.',
    async (call) => (await call('GET /books?genre=poetry')).status === 500,
  ],
  'no-total': [
    'document',
    'Pages have no total.',
    async (call) => at((await call('GET /books')).json, 'total') === undefined,
  ],
  'quote-in-title-fails': [
    'document',
    'A title with an apostrophe gets 500.',
    async (call) => (await add(call, { title: "it's" })).status === 500,
  ],
  'created-is-200': ['document', 'A creation gets 200.', async (call) => (await add(call)).status === 200],
  'missing-is-500': [
    'document',
    'An unknown book gets 500.',
    async (call) => (await call(`GET /books/${nobody}`)).status === 500,
  ],
  'delete-returns-200': [
    'document',
    'A deletion gets 200.',
    async (call) => (await call(`DELETE /books/${await added(call)}`)).status === 200,
  ],
  'second-delete-fails': [
    'document',
    'Deleting twice gets 500.',
    async (call) => (await call(`DELETE /books/${nobody}`)).status === 500,
  ],
  'no-reviews-is-null': [
    'document',
    'A book without reviews has null instead of a list.',
    async (call) => (await call(`GET /books/${await added(call)}/reviews`)).json === null,
  ],
  'review-text-cut': [
    'document',
    'A review with a text is returned with 0 stars.',
    async (call) =>
      at(
        (
          await call(`POST /books/${await added(call)}/reviews`, {
            body: { stars: 4, reviewer: 'ann@example.com', text: 'Good.' },
          })
        ).json,
        'stars',
      ) === 0,
  ],
  'average-count': [
    'document',
    'The number of books is not an integer.',
    async (call) => Number(at((await call('GET /stats')).json, 'books')) % 1 !== 0,
  ],
  'genre-ignored': [
    'meaning',
    'The filter by genre is ignored.',
    async (call) => {
      await add(call);
      return (await items(call, '?genre=poetry')).length > 0;
    },
  ],
  'offset-ignored': [
    'meaning',
    'The offset is ignored.',
    async (call) => {
      await add(call);
      return (await items(call, '?offset=1000')).length > 0;
    },
  ],
  'limit-ignored': [
    'meaning',
    'The limit is ignored.',
    async (call) => {
      await add(call);
      await add(call);
      return (await items(call, '?limit=1')).length > 1;
    },
  ],
  'newest-missing': [
    'meaning',
    'The newest book is not in the list.',
    async (call) => {
      const id = await added(call);
      return !(await items(call, '?limit=100')).some((each) => at(each, 'id') === id);
    },
  ],
  'first-listed-twice': [
    'meaning',
    'The first book is listed twice.',
    async (call) => {
      await add(call);
      const [first, second] = await items(call);
      return first !== undefined && at(first, 'id') === at(second, 'id');
    },
  ],
  'not-stored': [
    'meaning',
    'A new book is not stored.',
    async (call) => (await call(`GET /books/${await added(call)}`)).status === 404,
  ],
  'price-lost': [
    'meaning',
    'The price of a new book is not stored.',
    async (call) => at((await call(`GET /books/${await added(call, { price: 12 })}`)).json, 'price') === 0,
  ],
  'wrong-location': [
    'meaning',
    'Location leads to no book.',
    async (call) => {
      const { headers } = await add(call);
      return (await call(`GET ${headers.get('Location')}`)).status === 404;
    },
  ],
  'replace-not-stored': [
    'meaning',
    'A replacement is not stored.',
    async (call) => {
      const id = await added(call);
      await call(`PUT /books/${id}`, { body: { ...valid, title: 'Eden' } });
      return at((await call(`GET /books/${id}`)).json, 'title') === 'Solaris';
    },
  ],
  'delete-does-nothing': [
    'meaning',
    'A deleted book can still be read.',
    async (call) => {
      const id = await added(call);
      await call(`DELETE /books/${id}`);
      return (await call(`GET /books/${id}`)).status === 200;
    },
  ],
  'reviews-of-all-books': [
    'meaning',
    'The reviews of a book are those of all books.',
    async (call) => {
      await isReviewed(call, {});
      return listed((await call(`GET /books/${await added(call)}/reviews`)).json).length > 0;
    },
  ],
  'review-of-no-book': [
    'meaning',
    'An unknown book can be reviewed.',
    async (call) =>
      (await call(`POST /books/${nobody}/reviews`, { body: { stars: 4, reviewer: 'ann@example.com' } }))
        .status === 201,
  ],
  'review-ids-repeat': [
    'meaning',
    'Every review has the id 1.',
    async (call) => {
      const book = await added(call);
      const body = { stars: 4, reviewer: 'ann@example.com' };
      await call(`POST /books/${book}/reviews`, { body });
      return at((await call(`POST /books/${book}/reviews`, { body })).json, 'id') === 1;
    },
  ],
};
