import { at, type Call, type Faults, listed } from './fault.ts';

const valid = { subject: 'The printer is on fire', priority: 'high' };
const open = (call: Call, changes: object = {}) => call('POST /tickets', { body: { ...valid, ...changes } });
const opened = async (call: Call, changes: object = {}) => Number(at((await open(call, changes)).json, 'id'));
const isOpened = async (call: Call, changes: object) => (await open(call, changes)).status === 201;
const isRefused = async (call: Call, changes: object) =>
  (await open(call)).status === 201 && (await open(call, changes)).status === 400;
const list = async (call: Call, query = '') => listed((await call(`GET /tickets${query}`)).json);
const missing = 987654321;
const comment = async (call: Call, body: object) =>
  call(`POST /tickets/${await opened(call)}/comments`, { body });

/** Mistakes of the helpdesk. */
export const faults: Faults = {
  'two-characters-accepted': [
    'rule',
    'A subject of 2 characters is accepted.',
    (call) => isOpened(call, { subject: 'ab' }),
  ],
  'any-body-accepted': [
    'rule',
    'A body that is a list is accepted.',
    (call) => isOpened(call, { body: [[]] }),
  ],
  'any-priority-accepted': [
    'rule',
    'Any priority is accepted.',
    (call) => isOpened(call, { priority: 'whenever' }),
  ],
  'any-assignee-accepted': [
    'rule',
    'Any text is accepted as an assignee.',
    (call) => isOpened(call, { assignee: 'nobody' }),
  ],
  'many-labels-accepted': [
    'rule',
    'Four labels are accepted.',
    (call) => isOpened(call, { labels: ['aa', 'bb', 'cc', 'dd'] }),
  ],
  'any-label-accepted': [
    'rule',
    'Any label is accepted.',
    (call) => isOpened(call, { labels: ['NOT A LABEL'] }),
  ],
  'fraction-accepted': [
    'rule',
    'A fraction of minutes is accepted.',
    (call) => isOpened(call, { minutes: 1.5 }),
  ],
  'nothing-required': [
    'rule',
    'A ticket without members is accepted.',
    async (call) => (await call('POST /tickets', { body: {} })).status === 201,
  ],
  'unknown-members-accepted': [
    'rule',
    'Unknown members are accepted.',
    (call) => isOpened(call, { colour: 'red' }),
  ],
  'unknown-members-in-patch': [
    'rule',
    'Unknown members of a change are accepted.',
    async (call) =>
      (await call(`PATCH /tickets/${await opened(call)}`, { body: { colour: 'red' } })).status === 200,
  ],
  'any-page-accepted': [
    'rule',
    'Letters are accepted as a page.',
    async (call) => (await call('GET /tickets?page=first')).status === 200,
  ],
  'any-sort-accepted': [
    'rule',
    'Any order is accepted.',
    async (call) => (await call('GET /tickets?sort=color')).status === 200,
  ],
  'empty-comment-accepted': [
    'rule',
    'An empty comment is accepted.',
    async (call) => (await comment(call, { text: '' })).status === 201,
  ],
  'subject-limit-exclusive': [
    'document',
    'A subject of 80 characters is refused.',
    (call) => isRefused(call, { subject: 'x'.repeat(80) }),
  ],
  'emoji-refused': [
    'document',
    'An emoji in the subject is refused.',
    (call) => isRefused(call, { subject: 'fire 🔥' }),
  ],
  'urgent-refused': [
    'document',
    'One priority is refused.',
    (call) => isRefused(call, { priority: 'urgent' }),
  ],
  'null-assignee-refused': [
    'document',
    'An assignee of null is refused.',
    (call) => isRefused(call, { assignee: null }),
  ],
  'subdomain-refused': [
    'document',
    'An address at a subdomain is refused.',
    (call) => isRefused(call, { assignee: 'a@b.example.com' }),
  ],
  'offset-refused': [
    'document',
    'A time with an offset is refused.',
    (call) => isRefused(call, { dueAt: '2031-01-01T00:00:00+02:00' }),
  ],
  'no-labels-refused': [
    'document',
    'An empty list of labels is refused.',
    (call) => isRefused(call, { labels: [] }),
  ],
  'minutes-bound-off': ['document', '480 minutes are refused.', (call) => isRefused(call, { minutes: 480 })],
  'page-bound-off': [
    'document',
    'A page of 50 is refused.',
    async (call) => (await call('GET /tickets?per_page=50')).status === 400,
  ],
  'no-error-code': [
    'document',
    'Errors have no code.',
    async (call) => at((await call('GET /tickets', { key: null })).json, 'code') === undefined,
  ],
  'health-down': [
    'document',
    'The health is not one of the documented values.',
    async (call) => at((await call('GET /health')).json, 'status') === 'unknown',
  ],
  'key-in-query-accepted': [
    'document',
    'The key is accepted in the query.',
    async (call) => (await call('GET /tickets?api_key=desk_9c41e07b55aa', { key: null })).status === 200,
  ],
  'list-without-key': [
    'document',
    'The list needs no key.',
    async (call) => (await call('GET /tickets', { key: null })).status === 200,
  ],
  'any-key-accepted': [
    'document',
    'Any key is accepted.',
    async (call) => (await call('GET /tickets', { key: 'x' })).status === 200,
  ],
  'patch-with-any-key': [
    'document',
    'Changes are accepted with any key.',
    async (call) =>
      (await call(`PATCH /tickets/${await opened(call)}`, { key: 'x', body: { priority: 'low' } })).status ===
      200,
  ],
  'malformed-is-500': [
    'document',
    'Malformed JSON gets 500.',
    async (call) => (await call('POST /tickets', { body: '{"' })).status === 500,
  ],
  'letters-as-id-fail': [
    'document',
    'Letters as an id get 500.',
    async (call) => (await call('GET /tickets/abc')).status === 500,
  ],
  'status-missing': [
    'document',
    'Tickets have no status.',
    async (call) => at((await open(call)).json, 'status') === undefined,
  ],
  'status-capital': [
    'document',
    'The status begins with a capital.',
    async (call) => at((await open(call)).json, 'status') === 'Open',
  ],
  'id-as-text': [
    'document',
    'Ids are texts.',
    async (call) => typeof at((await open(call)).json, 'id') === 'string',
  ],
  'no-total-header': [
    'document',
    'X-Total-Count is missing.',
    async (call) => (await call('GET /tickets')).headers.get('X-Total-Count') === null,
  ],
  'total-header-text': [
    'document',
    'X-Total-Count is not a number.',
    async (call) => (await call('GET /tickets')).headers.get('X-Total-Count') === 'many',
  ],
  'invalid-is-409': [
    'document',
    'Invalid tickets get 409.',
    async (call) => (await open(call, { priority: 7 })).status === 409,
  ],
  'html-after-creation': [
    'document',
    'A creation returns HTML.',
    async (call) => `${(await open(call)).headers.get('Content-Type')}`.includes('html'),
  ],
  'no-comments-is-404': [
    'meaning',
    'A ticket without comments has no list of them.',
    async (call) => (await call(`GET /tickets/${await opened(call)}/comments`)).status === 404,
  ],
  'internal-as-number': [
    'document',
    'internal is a number.',
    async (call) => at((await comment(call, { text: 'a' })).json, 'internal') === 0,
  ],
  'time-in-seconds': [
    'document',
    'The time of a comment is a number.',
    async (call) => typeof at((await comment(call, { text: 'a' })).json, 'at') === 'number',
  ],
  'ids-repeat': [
    'meaning',
    'From the third ticket on, ids repeat.',
    async (call) => {
      for (let turn = 0; turn < 4; turn += 1) await open(call);
      const id = await opened(call);
      return id === (await opened(call));
    },
  ],
  'subject-cut': [
    'meaning',
    'Subjects are cut after 40 characters.',
    async (call) => at((await open(call, { subject: 'x'.repeat(60) })).json, 'subject') === 'x'.repeat(40),
  ],
  'filter-inverted': [
    'meaning',
    'The filter returns all other tickets.',
    async (call) => {
      await open(call);
      return (await list(call, '?priority=low')).some((each) => at(each, 'priority') === 'high');
    },
  ],
  'page-ignored': [
    'meaning',
    'Every page is the first one.',
    async (call) => {
      await open(call);
      return (await list(call, '?page=1000')).length > 0;
    },
  ],
  'size-ignored': [
    'meaning',
    'The page size is ignored.',
    async (call) => {
      await open(call);
      await open(call);
      return (await list(call, '?per_page=1')).length > 1;
    },
  ],
  'refused-is-stored': [
    'meaning',
    'A refused ticket is stored.',
    async (call) => {
      await open(call, { subject: 'refused', priority: 'x' });
      return (await list(call, '?per_page=50&sort=-id')).some((each) => at(each, 'subject') === 'refused');
    },
  ],
  'first-instead-of-404': [
    'meaning',
    'An unknown id gets the first ticket.',
    async (call) => {
      await open(call);
      return (await call(`GET /tickets/${missing}`)).status === 200;
    },
  ],
  'refused-patch-is-stored': [
    'meaning',
    'A refused change is stored.',
    async (call) => {
      const id = await opened(call);
      await call(`PATCH /tickets/${id}`, { body: { subject: 'x' } });
      return at((await call(`GET /tickets/${id}`)).json, 'subject') === 'x';
    },
  ],
  'patch-resets': [
    'meaning',
    'A change of one member resets others.',
    async (call) => {
      const id = await opened(call, { body: 'Help!' });
      await call(`PATCH /tickets/${id}`, { body: { priority: 'low' } });
      return at((await call(`GET /tickets/${id}`)).json, 'body') === '';
    },
  ],
  'patch-does-nothing': [
    'meaning',
    'A change is not stored.',
    async (call) => {
      const id = await opened(call);
      await call(`PATCH /tickets/${id}`, { body: { priority: 'low' } });
      return at((await call(`GET /tickets/${id}`)).json, 'priority') === 'high';
    },
  ],
  'delete-removes-another': [
    'meaning',
    'Another ticket than the requested one is deleted.',
    async (call) => {
      await open(call);
      const id = await opened(call);
      await call(`DELETE /tickets/${id}`);
      return (await call(`GET /tickets/${id}`)).status === 200;
    },
  ],
  'delete-keeps-list': [
    'meaning',
    'A deleted ticket is still listed.',
    async (call) => {
      const id = await opened(call);
      await call(`DELETE /tickets/${id}`);
      return (await list(call, '?per_page=50&sort=-id')).some((each) => at(each, 'id') === id);
    },
  ],
  'comments-of-nothing': [
    'meaning',
    'An unknown ticket has comments.',
    async (call) => (await call(`GET /tickets/${missing}/comments`)).status === 200,
  ],
  'comment-lost': [
    'meaning',
    'A comment is not stored.',
    async (call) => {
      const id = await opened(call);
      await call(`POST /tickets/${id}/comments`, { body: { text: 'a' } });
      return listed((await call(`GET /tickets/${id}/comments`)).json).length === 0;
    },
  ],
};
