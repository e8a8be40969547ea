import { at, type Call, type Faults, listed } from './fault.ts';

const names = ['Aare', 'Birs', 'Carona', 'Doubs', 'Emme', 'Furka'];
const add = async (call: Call, changes: object = {}) => {
  for (const name of names) {
    const reply = await call('POST /rooms', { body: { name, capacity: 8, floor: 2, ...changes } });
    if (reply.status !== 409) return reply;
  }
  throw new Error('every name is taken');
};
const added = async (call: Call, changes: object = {}) => String(at((await add(call, changes)).json, 'id'));
const isRefused = async (call: Call, changes: object) =>
  (await add(call)).status === 201 && (await add(call, changes)).status === 422;
const isAdded = async (call: Call, changes: object) => (await add(call, changes)).status === 201;
const book = async (call: Call, changes: object = {}) =>
  call('POST /bookings', {
    body: {
      roomId: await added(call),
      from: '2031-03-01T09:00:00Z',
      to: '2031-03-01T10:00:00Z',
      attendees: ['ann@example.com'],
      title: 'Plan',
      ...changes,
    },
  });
const isBooked = async (call: Call, changes: object) => (await book(call, changes)).status === 201;

/** Mistakes of the rooms. */
export const faults: Faults = {
  'any-name-accepted': ['rule', 'Any name is accepted.', (call) => isAdded(call, { name: '!' })],
  'no-capacity-accepted': ['rule', 'A capacity of 0 is accepted.', (call) => isAdded(call, { capacity: 0 })],
  'any-end-accepted': [
    'rule',
    'Any text is accepted as an end, unless it is an earlier time.',
    (call) => isBooked(call, { to: 'later' }),
  ],
  'any-attendee-accepted': [
    'rule',
    'Any text is accepted as an attendee.',
    (call) => isBooked(call, { attendees: ['ann'] }),
  ],
  'nobody-accepted': [
    'rule',
    'A booking without attendees is accepted.',
    (call) => isBooked(call, { attendees: [] }),
  ],
  'capacity-bound-off': [
    'document',
    'A capacity of 500 is refused.',
    (call) => isRefused(call, { capacity: 500 }),
  ],
  'lowest-floor-refused': [
    'document',
    'The lowest floor is refused.',
    (call) => isRefused(call, { floor: -2 }),
  ],
  'board-refused': [
    'document',
    'One kind of equipment is refused.',
    (call) => isRefused(call, { equipment: ['board'] }),
  ],
  'accessible-required': [
    'document',
    'An optional member is required.',
    async (call) => (await isAdded(call, { accessible: true })) && !(await isAdded(call, {})),
  ],
  'offset-refused': [
    'document',
    'A time with an offset is refused.',
    async (call) =>
      (await isBooked(call, {})) && !(await isBooked(call, { from: '2031-03-01T09:00:00+01:00' })),
  ],
  'third-attendee-refused': [
    'document',
    'Three attendees are refused.',
    async (call) =>
      (await isBooked(call, {})) &&
      !(await isBooked(call, { attendees: ['a@example.com', 'b@example.com', 'c@example.com'] })),
  ],
  'refusal-without-text': [
    'document',
    'The error of 422 is a number.',
    async (call) => at((await add(call, { floor: 'x' })).json, 'error') === 422,
  ],
  'malformed-is-500': [
    'document',
    'Malformed JSON gets 500.',
    async (call) => (await call('POST /rooms', { body: '{"' })).status === 500,
  ],
  'key-as-bearer-accepted': [
    'document',
    'The key is accepted as a bearer token.',
    async (call) =>
      (await call('GET /rooms', { key: null, headers: { Authorization: 'Bearer rooms-3fd2c9' } })).status ===
      200,
  ],
  'rooms-without-key': [
    'document',
    'A room can be read without a key.',
    async (call) => (await call(`GET /rooms/${await added(call)}`, { key: null })).status === 200,
  ],
  'longer-key-accepted': [
    'document',
    'A key with more characters is accepted.',
    async (call) => (await call('GET /rooms', { key: 'rooms-3fd2c9x' })).status === 200,
  ],
  'capacity-missing': [
    'document',
    'Listed rooms have no capacity.',
    async (call) => {
      await add(call);
      return at(listed((await call('GET /rooms')).json)[0], 'capacity') === undefined;
    },
  ],
  'id-missing': [
    'document',
    'A new room has no id.',
    async (call) => at((await add(call)).json, 'id') === undefined,
  ],
  'unknown-room-is-410': [
    'document',
    'An unknown room gets 410.',
    async (call) => (await call('GET /rooms/none')).status === 410,
  ],
  'accessible-ignored': [
    'meaning',
    'The filter of accessible rooms is ignored.',
    async (call) => {
      await add(call, { accessible: false });
      return listed((await call('GET /rooms?accessible=true')).json).some(
        (each) => at(each, 'accessible') === false,
      );
    },
  ],
  'take-ignored': [
    'meaning',
    'The number of rooms to list is ignored.',
    async (call) => {
      await add(call);
      await add(call);
      return listed((await call('GET /rooms?take=1')).json).length > 1;
    },
  ],
  'one-too-many': [
    'meaning',
    'Lists have one room too many.',
    async (call) => {
      await add(call);
      await add(call);
      return listed((await call('GET /rooms?take=1')).json).length > 1;
    },
  ],
  'floor-shifted': [
    'meaning',
    'A new room is one floor too high.',
    async (call) => at((await add(call)).json, 'floor') === 3,
  ],
  'newest-room-for-any': [
    'meaning',
    'Every id gets the newest room.',
    async (call) => {
      const id = await added(call);
      await add(call);
      return at((await call(`GET /rooms/${id}`)).json, 'id') !== id;
    },
  ],
  'booking-of-no-room': [
    'meaning',
    'A room that does not exist can be booked.',
    (call) => isBooked(call, { roomId: 'none' }),
  ],
  'attendees-lost': [
    'meaning',
    'Only the first attendee is stored.',
    async (call) =>
      listed(at((await book(call, { attendees: ['a@example.com', 'b@example.com'] })).json, 'attendees'))
        .length === 1,
  ],
  'stored-without-title': [
    'meaning',
    'The title of a booking is lost.',
    async (call) =>
      at((await call(`GET /bookings/${at((await book(call)).json, 'id')}`)).json, 'title') === null,
  ],
  'cancel-always-204': [
    'meaning',
    'A cancelled booking can still be read.',
    async (call) => {
      const id = at((await book(call)).json, 'id');
      await call(`DELETE /bookings/${id}`);
      return (await call(`GET /bookings/${id}`)).status === 200;
    },
  ],
};
