import { once } from 'node:events';
import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { listening } from '../../examples/listening.ts';
import type { BenchApi } from './fault.ts';
import { faults } from './rooms-faults.ts';

const key = 'rooms-3fd2c9';

type Has = (fault: string) => boolean;

const NewRoom = (has: Has) =>
  z.object({
    name: has('any-name-accepted') ? z.string() : z.string().regex(/^[A-Z][a-z]{1,19}( \d{1,3})?$/),
    capacity: z
      .number()
      .int()
      .min(has('no-capacity-accepted') ? 0 : 1)
      .max(has('capacity-bound-off') ? 499 : 500),
    floor: z
      .number()
      .int()
      .min(has('lowest-floor-refused') ? -1 : -2)
      .max(40),
    equipment: z
      .array(z.enum(has('board-refused') ? ['screen', 'phone'] : ['screen', 'phone', 'board']))
      .max(3)
      .optional(),
    accessible: has('accessible-required') ? z.boolean() : z.boolean().optional(),
  });
const Room = NewRoom(() => false)
  .required({ accessible: true, equipment: true })
  .extend({ id: z.string() });
const NewBooking = (has: Has) =>
  z.object({
    roomId: z.string(),
    from: z.iso.datetime({ offset: !has('offset-refused') }),
    to: has('any-end-accepted') ? z.string() : z.iso.datetime({ offset: true }),
    attendees: z
      .array(has('any-attendee-accepted') ? z.string() : z.email())
      .min(has('nobody-accepted') ? 0 : 1)
      .max(has('third-attendee-refused') ? 2 : 20),
    title: z.string().max(60).nullable(),
  });
const Booking = NewBooking(() => false).extend({ id: z.string() });
const Failure = z.object({ error: z.string() });

const json = <Schema extends z.ZodType>(schema: Schema) => ({ content: { 'application/json': { schema } } });
const failure = { description: 'Refused.', ...json(Failure) };
const security = [{ key: [] }];
const ofRoom = z.object({ roomId: z.string() });
const ofBooking = z.object({ bookingId: z.string() });

const routesOf = (has: Has) => ({
  listRooms: createRoute({
    method: 'get',
    path: '/rooms',
    operationId: 'listRooms',
    security,
    request: {
      query: z.object({
        take: z.coerce.number().int().min(1).max(50).optional(),
        accessible: z.enum(['true', 'false']).optional(),
      }),
    },
    responses: { 200: { description: 'Rooms.', ...json(z.array(Room)) }, 401: failure, 422: failure },
  }),
  addRoom: createRoute({
    method: 'post',
    path: '/rooms',
    operationId: 'addRoom',
    security,
    request: { body: { required: true, ...json(NewRoom(has)) } },
    responses: { 201: { description: 'Added.', ...json(Room) }, 401: failure, 409: failure, 422: failure },
  }),
  getRoom: createRoute({
    method: 'get',
    path: '/rooms/{roomId}',
    operationId: 'getRoom',
    security,
    request: { params: ofRoom },
    responses: { 200: { description: 'The room.', ...json(Room) }, 401: failure, 404: failure },
  }),
  addBooking: createRoute({
    method: 'post',
    path: '/bookings',
    operationId: 'addBooking',
    security,
    request: { body: { required: true, ...json(NewBooking(has)) } },
    responses: { 201: { description: 'Added.', ...json(Booking) }, 401: failure, 409: failure, 422: failure },
  }),
  getBooking: createRoute({
    method: 'get',
    path: '/bookings/{bookingId}',
    operationId: 'getBooking',
    security,
    request: { params: ofBooking },
    responses: { 200: { description: 'The booking.', ...json(Booking) }, 401: failure, 404: failure },
  }),
  cancelBooking: createRoute({
    method: 'delete',
    path: '/bookings/{bookingId}',
    operationId: 'cancelBooking',
    security,
    request: { params: ofBooking },
    responses: { 204: { description: 'Cancelled.' }, 401: failure, 404: failure },
  }),
});

type Room = z.infer<typeof Room>;
type Booking = z.infer<typeof Booking>;

const createApp = (names: ReadonlySet<string>) => {
  const has: Has = (fault) => names.has(fault);
  const app = new OpenAPIHono({
    defaultHook: (result, c) => {
      if (!result.success) return c.json({ error: has('refusal-without-text') ? 422 : 'invalid' }, 422);
    },
  });
  const routes = routesOf(has);
  const rooms = new Map<string, Room>();
  const bookings = new Map<string, Booking>();
  app.openAPIRegistry.registerComponent('securitySchemes', 'key', {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
  });
  app.onError((_problem, c) => {
    const isMalformed = _problem.message.startsWith('Malformed JSON');
    return c.json({ error: 'failed' }, isMalformed && !has('malformed-is-500') ? 422 : 500);
  });
  app.use('*', async (c, next) => {
    if (c.req.path === '/openapi.json') return next();
    const given =
      c.req.query('api_key') ??
      (has('key-as-bearer-accepted') ? c.req.header('Authorization')?.slice(7) : undefined);
    const isOpen =
      (has('rooms-without-key') && c.req.method === 'GET' && c.req.path.startsWith('/rooms/')) ||
      (has('longer-key-accepted') && given?.startsWith(key) === true);
    if (given === key || isOpen) return next();
    return c.json({ error: 'no key' }, 401);
  });
  app.openapi(routes.listRooms, (c) => {
    const { take = 20, accessible } = c.req.valid('query');
    const matching = [...rooms.values()].filter(
      (room) =>
        accessible === undefined || (has('accessible-ignored') ? true : `${room.accessible}` === accessible),
    );
    const shown = matching
      .toReversed()
      .slice(0, has('take-ignored') ? 50 : has('one-too-many') ? take + 1 : take);
    return c.json(
      has('capacity-missing') ? (shown.map(({ capacity: _, ...room }) => room) as Room[]) : shown,
      200,
    );
  });
  app.openapi(routes.addRoom, (c) => {
    const sent = c.req.valid('json');
    // Names are unique, which the document says with 409.
    if ([...rooms.values()].some(({ name }) => name === sent.name)) return c.json({ error: 'taken' }, 409);
    const id = `r${rooms.size + 1}`;
    const room: Room = {
      ...sent,
      equipment: sent.equipment ?? [],
      accessible: sent.accessible ?? false,
      id,
      ...(has('floor-shifted') ? { floor: sent.floor + 1 } : {}),
    };
    rooms.set(id, room);
    return c.json(has('id-missing') ? ({ ...room, id: undefined } as unknown as Room) : room, 201);
  });
  app.openapi(routes.getRoom, (c) => {
    const { roomId } = c.req.valid('param');
    const room = rooms.get(has('newest-room-for-any') ? `r${rooms.size}` : roomId);
    return room === undefined
      ? c.json({ error: 'no room' }, has('unknown-room-is-410') ? (410 as 404) : 404)
      : c.json(room, 200);
  });
  app.openapi(routes.addBooking, (c) => {
    const sent = c.req.valid('json');
    if (!rooms.has(sent.roomId) && !has('booking-of-no-room')) return c.json({ error: 'no such room' }, 422);
    if (Date.parse(sent.from) >= Date.parse(sent.to))
      return c.json({ error: 'the end is not after the start' }, 422);
    const booking: Booking = {
      ...sent,
      id: crypto.randomUUID(),
      ...(has('attendees-lost') ? { attendees: sent.attendees.slice(0, 1) } : {}),
    };
    bookings.set(booking.id, has('stored-without-title') ? { ...booking, title: null } : booking);
    return c.json(booking, 201);
  });
  app.openapi(routes.getBooking, (c) => {
    const booking = bookings.get(c.req.valid('param').bookingId);
    return booking === undefined ? c.json({ error: 'no booking' }, 404) : c.json(booking, 200);
  });
  app.openapi(routes.cancelBooking, (c) => {
    const { bookingId } = c.req.valid('param');
    if (has('cancel-always-204')) return c.body(null, 204);
    return bookings.delete(bookingId) ? c.body(null, 204) : c.json({ error: 'no booking' }, 404);
  });
  app.doc31('/openapi.json', { openapi: '3.1.0', info: { title: 'Rooms', version: '0.3.0' } });
  return app;
};

/** Rooms and bookings, with a key in the query. The document is generated by @hono/zod-openapi. */
export const rooms: BenchApi = {
  name: 'rooms',
  framework: 'Hono',
  key,
  authenticate: (sent) => ({ query: `api_key=${encodeURIComponent(sent)}` }),
  document: async () => (await createApp(new Set()).request('/openapi.json')).json() as Promise<object>,
  faults,
  serve: async (names) => {
    const server = serve({ fetch: createApp(names).fetch, port: 0, hostname: '127.0.0.1' }) as Server;
    if (!server.listening) await once(server, 'listening');
    const { baseUrl, close } = await listening(server);
    return { baseUrl: baseUrl.replace('/v1', ''), close };
  },
};
