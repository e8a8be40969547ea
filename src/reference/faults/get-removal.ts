import type { Call } from '../parts.ts';
import type { Fault, Patch } from '../patch.ts';
import { editReply, handle, perServer, replace, setHeader, setStatus } from '../patches.ts';
import { jsonReply } from '../reply.ts';

const removedOn = (date: string): Patch => replace('removedAt', () => Date.parse(date));

/** Counts the requests for getPet that a server gets, from 1 on. */
const countingGets = (make: (count: () => number) => Patch): Patch =>
  perServer(() => {
    let count = 0;
    return make(() => {
      count += 1;
      return count;
    });
  });

/** Mistakes that remove getPet before its time. */
const earlyRemovalFaults: readonly Fault[] = [
  {
    name: 'removed-when-deprecated',
    requirement: 'GET-4',
    companions: ['GEN-1', 'GET-1', 'GET-2'],
    description: 'The deprecated operation is gone already: 410 to every id.',
    patch: replace('removedAt', () => 0),
  },
  {
    name: 'deprecated-operation-finds-nothing',
    requirement: 'GET-4',
    companions: ['GET-1'],
    description:
      'The deprecated operation is still routed but no longer connected to the store: 404 to every id.',
    patch: replace('find', () => () => undefined),
  },
  {
    name: 'removal-a-month-early',
    requirement: 'GET-4',
    companions: ['GEN-1', 'GET-1', 'GET-2'],
    description: 'The operation is removed on 5 November 2030.',
    patch: removedOn('2030-11-05'),
    now: '2030-11-20',
  },
  {
    name: 'removal-day-and-month-swapped',
    requirement: 'GET-4',
    companions: ['GEN-1', 'GET-1', 'GET-2'],
    description: '05/12/2030 is read with the month first: the operation is removed on 12 May 2030.',
    patch: removedOn('2030-05-12'),
    now: '2030-07-01',
  },
  {
    name: 'removal-compared-by-year',
    requirement: 'GET-4',
    companions: ['GEN-1', 'GET-1', 'GET-2'],
    description: 'Only the year of the removal counts: the operation is removed on 1 January 2030.',
    patch: removedOn('2030-01-01'),
    now: '2030-02-10',
  },
  {
    name: 'removed-on-3-december',
    requirement: 'GET-4',
    companions: ['GEN-1', 'GET-1', 'GET-2'],
    description: 'The operation is removed two days early, on 3 December 2030.',
    patch: removedOn('2030-12-03'),
    now: '2030-12-03T12:00:00Z',
  },
  {
    name: 'deprecated-operation-redirects',
    requirement: 'GET-4',
    companions: ['GEN-1', 'GET-1'],
    description: 'In place of the animal comes a redirection to the list, the replacement.',
    patch: editReply({ operation: 'getPet', status: 200 }, (reply) => ({
      status: 301,
      headers: { ...reply.headers, location: '/v1/pets?status=available' },
      body: null,
    })),
  },
  {
    name: 'deprecated-operation-browns-out',
    requirement: 'GET-4',
    companions: ['GEN-1', 'GET-1', 'GET-2'],
    description: 'Every third request for the deprecated operation gets 410, as a reminder.',
    patch: countingGets((count) =>
      handle('getPet', (call, before) =>
        count() % 3 === 0 ? call.parts.fail('removed', call) : before(call),
      ),
    ),
  },
  {
    name: 'deprecated-operation-asks-for-consent',
    requirement: 'GET-4',
    companions: ['GEN-1', 'GET-1', 'GET-2'],
    description: 'The deprecated operation is served only with a header of its own, else 403.',
    patch: handle('getPet', (call, before) =>
      call.request.headers.has('x-allow-deprecated')
        ? before(call)
        : jsonReply(403, {
            code: 'deprecated',
            message: 'Send X-Allow-Deprecated to use a deprecated operation',
            status: 403n,
          }),
    ),
  },
];

/** The call as it would have been before the removal. */
const asBefore = (call: Call): Call => ({ ...call, at: Math.min(call.at, call.parts.removedAt - 1) });

/** Mistakes that keep getPet after its removal. */
const lateRemovalFaults: readonly Fault[] = [
  {
    name: 'never-removed',
    requirement: 'GET-5',
    companions: [],
    description: 'The operation is announced as removed and goes on serving.',
    patch: replace('removedAt', () => Number.POSITIVE_INFINITY),
    now: '2030-12-07',
  },
  {
    name: 'removed-on-8-december',
    requirement: 'GET-5',
    companions: [],
    description: 'The operation still serves on 7 December 2030: its removal is released three days late.',
    patch: removedOn('2030-12-08'),
    now: '2030-12-07',
  },
  {
    name: 'removal-month-counted-from-zero',
    requirement: 'GET-5',
    companions: [],
    description: 'Months are counted from zero, so that the removal falls on 5 January 2031.',
    patch: removedOn('2031-01-05'),
    now: '2030-12-20',
  },
  {
    name: 'removal-a-year-late',
    requirement: 'GET-5',
    companions: [],
    description: 'The operation is removed on 5 December 2031.',
    patch: removedOn('2031-12-05'),
    now: '2031-06-01',
  },
  {
    name: 'removed-in-decembers-only',
    requirement: 'GET-5',
    companions: [],
    description:
      'Year, month and day are compared one by one, so that the operation is back in January 2031.',
    patch: handle('getPet', (call, before) => {
      const today = new Date(call.at);
      const removed = today.getUTCFullYear() >= 2030 && today.getUTCMonth() >= 11 && today.getUTCDate() >= 5;
      return before(removed ? call : asBefore(call));
    }),
    now: '2031-01-10',
  },
  {
    name: 'removed-on-half-of-the-instances',
    requirement: 'GET-5',
    companions: [],
    description: 'Half of the instances run the old release: every second request is still served.',
    patch: countingGets((count) =>
      handle('getPet', (call, before) => before(count() % 2 === 0 ? asBefore(call) : call)),
    ),
    now: '2030-12-08',
  },
  {
    name: 'removal-spares-the-newest',
    requirement: 'GET-5',
    companions: [],
    description:
      'The ten newest animals are still served from a cache that stands before the removed operation.',
    patch: handle('getPet', (call, before) => {
      const { operation } = call.route;
      const id = operation === 'getPet' ? call.parts.readPetId(call.route.petId) : null;
      const isCached = call.world.pets.slice(-10).some((pet) => pet.id === id);
      return before(isCached ? asBefore(call) : call);
    }),
    now: '2031-03-01',
  },
  {
    name: 'removal-spares-the-oldest',
    requirement: 'GET-5',
    companions: [],
    description:
      'Animals of the archive are served by a service of its own, which is not told of the removal.',
    patch: handle('getPet', (call, before) => {
      const { operation } = call.route;
      const id = operation === 'getPet' ? call.parts.readPetId(call.route.petId) : null;
      const isArchived = call.world.pets.slice(0, 5).some((pet) => pet.id === id);
      return before(isArchived ? asBefore(call) : call);
    }),
    now: '2030-12-12',
  },
  {
    name: 'removal-answered-with-200',
    requirement: 'GET-5',
    companions: [],
    description: 'The removed operation answers 200, with an Error that says that it is gone.',
    patch: setStatus(200, { operation: 'getPet', status: 410 }),
    now: '2032-02-29',
  },
];

const announce = (headers: Readonly<Record<string, string>>): Patch =>
  replace('deprecationHeaders', (before) => (call) => ({ ...before(call), ...headers }));

/** Mistakes in announcing the removal. */
const announcementFaults: readonly Fault[] = [
  {
    name: 'sunset-as-an-iso-date',
    requirement: 'GET-6',
    companions: [],
    description: 'Sunset is an ISO 8601 date instead of an HTTP-date.',
    patch: announce({ sunset: '2030-12-05T00:00:00Z' }),
  },
  {
    name: 'sunset-a-month-late',
    requirement: 'GET-6',
    companions: [],
    description: 'Sunset names 5 January 2031: months are counted from zero.',
    patch: announce({ sunset: 'Sun, 05 Jan 2031 00:00:00 GMT' }),
  },
  {
    name: 'sunset-on-another-weekday',
    requirement: 'GET-6',
    companions: [],
    description: 'Sunset names a Sunday, as it was when the text was written; 5 December 2030 is a Thursday.',
    patch: announce({ sunset: 'Sun, 05 Dec 2030 00:00:00 GMT' }),
  },
  {
    name: 'deprecation-says-true',
    requirement: 'GET-6',
    companions: [],
    description: 'Deprecation is true, as in drafts of the standard.',
    patch: announce({ deprecation: 'true' }),
  },
  {
    name: 'announced-on-every-answer',
    requirement: 'GET-6',
    companions: [],
    description: 'Deprecation is sent by a filter in front of all operations.',
    patch: setHeader('deprecation', '@1764892800'),
  },
  {
    name: 'deprecation-in-milliseconds',
    requirement: 'GET-6',
    companions: [],
    description: 'Deprecation counts milliseconds, and so lies thousands of years after Sunset.',
    patch: announce({ deprecation: '@1764892800000' }),
  },
];

/** Mistakes in deprecating and removing getPet. */
export const getRemovalFaults: readonly Fault[] = [
  ...earlyRemovalFaults,
  ...lateRemovalFaults,
  ...announcementFaults,
];
