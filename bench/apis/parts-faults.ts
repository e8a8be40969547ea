import { at, type Call, type Faults, listed, type Reply } from './fault.ts';

const valid = { name: 'Bolt', price: 2.5, stock: 7 };
const deliver = (call: Call, changes: object = {}) =>
  call('POST /deliveries', { body: { ...valid, ...changes } });
const delivered = async (call: Call, changes: object = {}) =>
  String(at((await deliver(call, changes)).json, 'number'));
const items = async (call: Call, query: string) =>
  listed(at((await call(`GET /parts?${query}`)).json, 'items'));
const prices = async (call: Call, query: string) =>
  (await items(call, query)).map((item) => Number(at(item, 'price')));
const three = async (call: Call) => {
  for (const [name, price] of [
    ['Nut', 3],
    ['Axle', 9],
    ['Belt', 1],
  ] as const)
    await deliver(call, { name, price });
};
const tagOf = ({ headers }: Reply): string => headers.get('ETag') ?? '';

/** Mistakes of the spare parts. */
export const faults: Faults = {
  'default-limit-ignored': [
    'document',
    'The default page size is not that of the document.',
    async (call) => {
      for (let turn = 0; turn < 7; turn += 1) await deliver(call);
      return (await items(call, '')).length === 7;
    },
  ],
  'descending-ignored': [
    'document',
    'The descending order is ignored.',
    async (call) => {
      await three(call);
      return (await prices(call, 'sort=-price'))[0] === 3;
    },
  ],
  'sort-by-name-ignored': [
    'document',
    'One of the orders is ignored.',
    async (call) => {
      await three(call);
      return at((await items(call, 'sort=name'))[0], 'name') === 'Nut';
    },
  ],
  'bound-ignored': [
    'meaning',
    'The least price is ignored.',
    async (call) => {
      await three(call);
      return (await prices(call, 'minPrice=5')).length === 3;
    },
  ],
  'pages-skip-one': [
    'meaning',
    'Each page after the first lacks a part.',
    async (call) => {
      await three(call);
      return (await prices(call, 'limit=1&offset=1'))[0] === 1;
    },
  ],
  'listed-stock-wrong': [
    'meaning',
    'Lists show another stock.',
    async (call) => {
      await deliver(call);
      return at((await items(call, ''))[0], 'stock') === 0;
    },
  ],
  'total-of-page': [
    'meaning',
    'The total is wrong.',
    async (call) => {
      await deliver(call);
      return at((await call('GET /parts')).json, 'total') === 2;
    },
  ],
  'deliveries-collide': [
    'meaning',
    'Deliveries at once get the same number.',
    async (call) => {
      const [one, two] = await Promise.all([delivered(call), delivered(call)]);
      return one === two;
    },
  ],
  'names-cut': [
    'meaning',
    'Names are cut after 60 characters.',
    async (call) => at((await deliver(call, { name: 'x'.repeat(80) })).json, 'name') === 'x'.repeat(60),
  ],
  'letters-lost': [
    'meaning',
    'Letters that are not ASCII are lost.',
    async (call) => at((await deliver(call, { name: 'Ö' })).json, 'name') === '?',
  ],
  'nothing-in-stock': [
    'meaning',
    'A stock of 0 becomes 1.',
    async (call) => at((await deliver(call, { stock: 0 })).json, 'stock') === 1,
  ],
  'other-default': [
    'document',
    'An absent state is not the default of the document.',
    async (call) => at((await deliver(call)).json, 'state') === 'used',
  ],
  'if-match-ignored': [
    'document',
    'If-Match is ignored.',
    async (call) =>
      (
        await call(`PATCH /parts/${await delivered(call)}`, {
          body: { stock: 1 },
          headers: { 'If-Match': '"other"' },
        })
      ).status === 200,
  ],
  'tag-never-changes': [
    'document',
    'The ETag stays the same.',
    async (call) => {
      const code = await delivered(call);
      const before = tagOf(await call(`GET /parts/${code}`));
      await call(`PATCH /parts/${code}`, { body: { stock: 1 } });
      return tagOf(await call(`GET /parts/${code}`)) === before;
    },
  ],
  'change-hits-all': [
    'meaning',
    'A change changes every part.',
    async (call) => {
      const [one, two] = [await delivered(call), await delivered(call)];
      await call(`PATCH /parts/${one}`, { body: { stock: 99 } });
      return at((await call(`GET /parts/${two}`)).json, 'stock') === 99;
    },
  ],
  'drop-takes-neighbor': [
    'meaning',
    'A deletion deletes the part before it, too.',
    async (call) => {
      const [one, two] = [await delivered(call), await delivered(call)];
      await call(`DELETE /parts/${two}`);
      return (await call(`GET /parts/${one}`)).status === 404;
    },
  ],
  'dropped-can-be-changed': [
    'meaning',
    'A deleted part can be changed.',
    async (call) => {
      const code = await delivered(call);
      await call(`DELETE /parts/${code}`);
      return (await call(`PATCH /parts/${code}`, { body: { stock: 1 } })).status === 200;
    },
  ],
  'dropped-is-400': [
    'meaning',
    'A deleted part gets 400.',
    async (call) => {
      const code = await delivered(call);
      await call(`DELETE /parts/${code}`);
      return (await call(`GET /parts/${code}`)).status === 400;
    },
  ],
  'search-without-key': [
    'document',
    'One operation needs no key.',
    async (call) => (await call('POST /search', { body: { text: 'x' }, key: null })).status === 200,
  ],
};
