import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { counter, handle, replace, withState } from '../patch-kit/core.ts';
import { respondWhen } from '../patch-kit/failures.ts';
import { int64IdOf } from '../patch-kit/paths.ts';
import { errorReply, mergeReply, refuseAs, setHeader, setStatus } from '../patch-kit/responses.ts';
import type { Pet } from '../pet.ts';
import { family } from './family.ts';

const removedOn = (date: string): Patch => replace('removedAt', () => Date.parse(date));

/** Mistakes that remove getPet before its time. */
const earlyRemovalFaults = family(
  'GET-4',
  {
    'removed-when-deprecated': [
      'The deprecated operation is already removed: 410 for every id.',
      replace('removedAt', () => 0),
    ],
    'deprecated-operation-finds-nothing': [
      'The deprecated operation is no longer connected to the store: 404 for every id.',
      replace('find', () => () => undefined),
      { companions: ['GET-1'] },
    ],
    'removal-a-month-early': [
      'The operation is removed on 5 November 2030.',
      removedOn('2030-11-05'),
      { now: '2030-11-20' },
    ],
    'removal-day-and-month-swapped': [
      'The server reads 05/12/2030 with the month first: the operation is removed on 12 May 2030.',
      removedOn('2030-05-12'),
      { now: '2030-07-01' },
    ],
    'removal-compared-by-year': [
      'The server compares only the year: the operation is removed on 1 January 2030.',
      removedOn('2030-01-01'),
      { now: '2030-02-10' },
    ],
    'removed-on-3-december': [
      'The operation is removed two days early, on 3 December 2030.',
      removedOn('2030-12-03'),
      { now: '2030-12-03T12:00:00Z' },
    ],
    'deprecated-operation-redirects': [
      'getPet redirects to the list, its replacement.',
      mergeReply(
        { operation: 'getPet', status: 200 },
        { status: 301, headers: { location: '/v1/pets?status=available' }, body: null },
      ),
      { companions: ['GEN-1', 'GET-1'] },
    ],
    'deprecated-operation-browns-out': [
      'Every third request for the deprecated operation gets 410, as a reminder.',
      withState(() => {
        const gets = counter();
        return respondWhen('getPet', () => gets() % 3 === 0, refuseAs('removed'));
      }),
    ],
    'deprecated-operation-asks-for-consent': [
      'The deprecated operation requires an undocumented header, otherwise 403.',
      respondWhen(
        'getPet',
        ({ request }) => !request.headers.has('x-allow-deprecated'),
        errorReply(403, 'deprecated', 'Send X-Allow-Deprecated to use a deprecated operation'),
      ),
    ],
  },
  { companions: ['GEN-1', 'GET-1', 'GET-2'] },
);

/** Serves some requests as before the removal. */
const notRemovedFor = (when: (call: Call) => boolean): Patch =>
  handle('getPet', (call, before) =>
    before(when(call) ? { ...call, at: Math.min(call.at, call.parts.removedAt - 1) } : call),
  );

const notRemovedAmong = (served: (pets: readonly Pet[]) => readonly Pet[]): Patch =>
  notRemovedFor((call) => served(call.state.pets).some(({ id }) => id === int64IdOf(call)));

/** Mistakes that keep getPet after its removal. */
const lateRemovalFaults = family(
  'GET-5',
  {
    'never-removed': [
      'The operation still works after its removal.',
      replace('removedAt', () => Number.POSITIVE_INFINITY),
    ],
    'removed-on-8-december': [
      'The operation still works on 7 December 2030: its removal is released three days late.',
      removedOn('2030-12-08'),
    ],
    'removal-month-counted-from-zero': [
      'Months are counted from zero: the operation is removed on 5 January 2031.',
      removedOn('2031-01-05'),
      { now: '2030-12-20' },
    ],
    'removal-a-year-late': [
      'The operation is removed on 5 December 2031.',
      removedOn('2031-12-05'),
      { now: '2031-06-01' },
    ],
    'removed-in-decembers-only': [
      'The server compares year, month, and day separately: the operation is back in January 2031.',
      notRemovedFor(({ at }) => {
        const today = new Date(at);
        return today.getUTCFullYear() < 2030 || today.getUTCMonth() < 11 || today.getUTCDate() < 5;
      }),
      { now: '2031-01-10' },
    ],
    'removed-on-half-of-the-instances': [
      'Half of the instances run the old release: every second request still works.',
      withState(() => {
        const gets = counter();
        return notRemovedFor(() => gets() % 2 === 0);
      }),
      { now: '2030-12-08' },
    ],
    'removal-spares-the-newest': [
      'A cache in front of the removed operation still returns the ten newest animals.',
      notRemovedAmong((pets) => pets.slice(-10)),
      { now: '2031-03-01' },
    ],
    'removal-spares-the-oldest': [
      'A separate service for archived animals does not know of the removal.',
      notRemovedAmong((pets) => pets.slice(0, 5)),
      { now: '2030-12-12' },
    ],
    'removal-answered-with-200': [
      'The removed operation returns an Error with the status 200.',
      setStatus(200, { operation: 'getPet', status: 410 }),
      { now: '2032-02-29' },
    ],
  },
  { now: '2030-12-07' },
);

const announce = (headers: Readonly<Record<string, string>>): Patch =>
  replace('deprecationHeaders', (before) => (call) => ({ ...before(call), ...headers }));

/** Mistakes in announcing the removal. */
const announcementFaults = family('GET-6', {
  'sunset-as-an-iso-date': [
    'Sunset is an ISO 8601 date instead of an HTTP-date.',
    announce({ sunset: '2030-12-05T00:00:00Z' }),
  ],
  'sunset-a-month-late': [
    'Sunset is 5 January 2031: months are counted from zero.',
    announce({ sunset: 'Sun, 05 Jan 2031 00:00:00 GMT' }),
  ],
  'sunset-on-another-weekday': [
    'Sunset has the wrong weekday: 5 December 2030 is a Thursday.',
    announce({ sunset: 'Sun, 05 Dec 2030 00:00:00 GMT' }),
  ],
  'deprecation-says-true': [
    'Deprecation is true, as in drafts of the standard.',
    announce({ deprecation: 'true' }),
  ],
  'announced-on-every-answer': [
    'A filter in front of all operations sends Deprecation.',
    setHeader('deprecation', '@1764892800'),
  ],
  'deprecation-in-milliseconds': [
    'Deprecation is in milliseconds: thousands of years after Sunset.',
    announce({ deprecation: '@1764892800000' }),
  ],
});

/** Mistakes in deprecating and removing getPet. */
export const getRemovalFaults = [...earlyRemovalFaults, ...lateRemovalFaults, ...announcementFaults];
