import { at, type Call, type Faults, listed } from './fault.ts';

const valid = { name: 'Ada', email: 'ada@example.com' };
const address = { city: 'Bern', zip: '3011', country: 'CH' };
const create = (call: Call, changes: object = {}) =>
  call('POST /contacts', { body: { ...valid, ...changes } });
const created = async (call: Call, changes: object = {}) =>
  String(at((await create(call, changes)).json, 'id'));
const isCreated = async (call: Call, changes: object) => (await create(call, changes)).status === 201;
const isRefused = async (call: Call, changes: object) =>
  (await create(call)).status === 201 && (await create(call, changes)).status === 400;
const list = async (call: Call, query = '') =>
  listed(at((await call(`GET /contacts${query}`)).json, 'contacts'));
const group = (call: Call) => call('PUT /groups/team', { body: { title: 'Team' } });

/** Mistakes of the contacts. */
export const faults: Faults = {
  'any-zip-accepted': [
    'rule',
    'Any zip code is accepted.',
    (call) => isCreated(call, { address: { ...address, zip: 'x' } }),
  ],
  'any-email-accepted': [
    'rule',
    'Any text is accepted as an e-mail address.',
    (call) => isCreated(call, { email: 'nobody' }),
  ],
  'any-birthday-accepted': [
    'rule',
    'Any text is accepted as a birthday.',
    (call) => isCreated(call, { birthday: 'in May' }),
  ],
  'any-consent-accepted': ['rule', 'Any consent is accepted.', (call) => isCreated(call, { consent: [] })],
  'high-score-accepted': ['rule', 'A score above 1 is accepted.', (call) => isCreated(call, { score: 1.5 })],
  'large-pages-accepted': [
    'rule',
    'Pages of 101 are accepted.',
    async (call) => (await call('GET /contacts?pageSize=101')).status === 200,
  ],
  'put-not-validated': [
    'rule',
    'Replacements are hardly validated.',
    async (call) =>
      (await call(`PUT /contacts/${await created(call)}`, { body: { ...valid, email: 'nobody' } })).status ===
      200,
  ],
  'italy-refused': [
    'document',
    'One country is refused.',
    (call) => isRefused(call, { address: { ...address, country: 'IT' } }),
  ],
  'name-bound-off': [
    'document',
    'A name of 60 characters is refused.',
    (call) => isRefused(call, { name: 'x'.repeat(60) }),
  ],
  'address-required': [
    'document',
    'An optional address is required.',
    async (call) => (await isCreated(call, { address })) && !(await isCreated(call, {})),
  ],
  'long-name-fails': [
    'document',
    'A long name gets 500.',
    async (call) => (await create(call, { name: 'x'.repeat(60) })).status === 500,
  ],
  'problem-status-200': [
    'document',
    'The status in problems is wrong.',
    async (call) => at((await create(call, { name: 7 })).json, 'status') === 200,
  ],
  'problem-as-json': [
    'document',
    'Problems have another media type.',
    async (call) =>
      `${(await create(call, { name: 7 })).headers.get('Content-Type')}`.startsWith('application/json'),
  ],
  'malformed-is-500': [
    'document',
    'Malformed JSON gets 500.',
    async (call) => (await call('POST /contacts', { body: '{"' })).status === 500,
  ],
  'any-password-accepted': [
    'document',
    'Any password is accepted.',
    async (call) => (await call('GET /contacts', { key: 'desk:x' })).status === 200,
  ],
  'groups-without-key': [
    'document',
    'Groups need no key.',
    async (call) => {
      await group(call);
      return (await call('GET /groups/team', { key: null })).status === 200;
    },
  ],
  'score-as-text': [
    'document',
    'Scores are texts.',
    async (call) => typeof at((await create(call, { score: 0.5 })).json, 'score') === 'string',
  ],
  'no-location': [
    'document',
    'A creation has no Location.',
    async (call) => (await create(call)).headers.get('Location') === null,
  ],
  'country-in-lower-case': [
    'document',
    'Countries are in lower case.',
    async (call) => at((await create(call, { address })).json, 'address', 'country') === 'ch',
  ],
  'group-is-202': ['document', 'A new group gets 202.', async (call) => (await group(call)).status === 202],
  'group-without-slug': [
    'document',
    'Groups have no slug.',
    async (call) => {
      await group(call);
      return at((await call('GET /groups/team')).json, 'slug') === undefined;
    },
  ],
  'deleted-listed': [
    'meaning',
    'Deleted contacts are listed.',
    async (call) => {
      const id = await created(call);
      await call(`DELETE /contacts/${id}`);
      return (await list(call, '?pageSize=100')).some((each) => at(each, 'id') === id);
    },
  ],
  'no-next-page': [
    'meaning',
    'There is never a next page.',
    async (call) => {
      await create(call);
      await create(call);
      return at((await call('GET /contacts?pageSize=1')).json, 'nextPageToken') === null;
    },
  ],
  'address-dropped': [
    'meaning',
    'The address of a new contact is lost.',
    async (call) => at((await create(call, { address })).json, 'address') === undefined,
  ],
  'put-merges': [
    'meaning',
    'A replacement keeps the old e-mail address.',
    async (call) => {
      const id = await created(call);
      await call(`PUT /contacts/${id}`, { body: { ...valid, email: 'eve@example.com' } });
      return at((await call(`GET /contacts/${id}`)).json, 'email') === valid.email;
    },
  ],
  'delete-forgotten': [
    'meaning',
    'A contact that was deleted is unchanged.',
    async (call) => {
      const id = await created(call);
      await call(`DELETE /contacts/${id}`);
      return at((await call(`GET /contacts/${id}`)).json, 'deletedAt') === null;
    },
  ],
};
