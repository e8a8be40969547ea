import type { Parts } from '../parts.ts';
import type { Dialect, Patch } from '../patch.ts';
import { handle, replace, together } from '../patches.ts';
import { failAs } from './refusals.ts';

const noInt64 = (status: number): Patch =>
  handle('getPet', (call, before) => {
    const { parts, route } = call;
    const readable = route.operation !== 'getPet' || parts.readPetId(route.petId) !== null;
    if (readable || call.at >= parts.removedAt) return before(call);
    return failAs(status, 'invalid-parameter', call, 'petId must be an integer of 64 bits');
  });

const readId = (read: (text: string) => string): Patch =>
  replace('readPetId', (before) => (text) => before(read(text)));

const deprecation = (
  name: string,
  description: string,
  headers: Readonly<Record<string, string>>,
): Dialect => ({
  name,
  choice: 'deprecation',
  description,
  patch: replace('deprecationHeaders', () => () => headers),
});

const refusal = (status: number): Patch =>
  replace('problems', (before) => ({ ...before, removed: { ...before.removed, status } }));

/** Requests without a key are told of the removal too. */
const keyless: Patch = replace(
  'respond',
  (before) => async (call) =>
    call.route.operation === 'getPet' && call.at >= call.parts.removedAt
      ? call.parts.fail('removed', call)
      : before(call),
);

const removedAt = (date: string): Patch => replace('removedAt', (): Parts['removedAt'] => Date.parse(date));

const removal = (name: string, now: string, description: string, patch: Patch): Dialect => ({
  name,
  choice: 'removal',
  now,
  description,
  patch,
});

const dayBefore = '2030-12-04T12:00:00Z';
const dayItself = '2030-12-05T12:00:00Z';
const dayAfter = '2030-12-06T12:00:00Z';
const midnight = '2030-12-06T00:00:00Z';
/** The hours in UTC at which 5 December 2030 begins and ends: first on Kiritimati, last on Baker Island. */
const firstMidnight = '2030-12-04T10:00:00Z';
const lastMidnight = '2030-12-06T12:00:00Z';

/** Choices about getPet: odd ids, its deprecation and its removal (GET-3 to GET-6). */
export const petByIdDialects: readonly Dialect[] = [
  {
    name: 'no-int64-400',
    choice: 'no-int64',
    description: 'A petId that is no int64 is refused with 400.',
    patch: noInt64(400),
  },
  {
    name: 'no-int64-422',
    choice: 'no-int64',
    description: 'A petId that is no int64 is refused with 422.',
    patch: noInt64(422),
  },
  {
    name: 'no-int64-no-route',
    choice: 'no-int64',
    description: 'A petId that is no int64 leads nowhere: 404 from the router, which knows of no key.',
    patch: replace('respond', (before) => async (call) => {
      const { parts, route } = call;
      const leadsNowhere = route.operation === 'getPet' && parts.readPetId(route.petId) === null;
      return leadsNowhere ? parts.fail('unknown-pet', call) : before(call);
    }),
  },
  {
    name: 'pet-id-with-leading-zeros',
    description: 'A petId may have leading zeros.',
    patch: readId((text) => text.replace(/^(-?)0+(?=\d)/, '$1')),
  },
  {
    name: 'pet-id-with-a-plus',
    description: 'A petId may have a plus sign.',
    patch: readId((text) => text.replace(/^\+(?=\d)/, '')),
  },
  deprecation('deprecation-untold', 'Nothing tells that getPet is deprecated.', {}),
  deprecation('deprecation-without-sunset', 'Deprecation is sent without Sunset.', {
    deprecation: '@1764892800',
  }),
  deprecation('deprecation-with-parameters', 'Deprecation has parameters besides its date.', {
    deprecation: '@1764892800;stage="final";rev=2',
    sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  }),
  deprecation('sunset-alone', 'Sunset is sent without Deprecation.', {
    sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  }),
  deprecation('sunset-at-the-end-of-the-day', 'Sunset is the end of the day.', {
    deprecation: '@1764892800',
    sunset: 'Thu, 05 Dec 2030 23:59:59 GMT',
  }),
  deprecation('deprecation-to-come', 'Deprecation lies in the future, and before Sunset.', {
    deprecation: '@1890000000',
    sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  }),
  deprecation('deprecation-with-links', 'Links lead to the successor and to an announcement.', {
    deprecation: '@0',
    sunset: 'Thu, 05 Dec 2030 12:00:00 GMT',
    link: '</v1/pets>; rel="successor-version", <https://docs.example/removal>; rel="sunset"; type="text/html"',
  }),
  removal(
    'served-the-day-before',
    dayBefore,
    'On the day before its removal getPet still works.',
    () => ({}),
  ),
  removal(
    'served-until-the-first-midnight',
    '2030-12-04T09:59:30Z',
    'getPet still works when 5 December begins at UTC+14.',
    () => ({}),
  ),
  removal('removed-on-the-day', dayItself, 'On the day of its removal getPet is gone.', () => ({})),
  removal(
    'served-on-the-day',
    dayItself,
    'On the day of its removal getPet still works.',
    removedAt(midnight),
  ),
  removal(
    'removed-at-the-first-midnight',
    '2030-12-04T09:59:55Z',
    'getPet is removed when 5 December begins at UTC+14, while it is tested.',
    removedAt(firstMidnight),
  ),
  removal(
    'removed-at-midnight-in-sydney',
    '2030-12-04T12:59:55Z',
    'getPet is removed when 5 December begins in Sydney, while it is tested.',
    removedAt('2030-12-04T13:00:00Z'),
  ),
  removal(
    'removed-since-midnight-in-sydney',
    '2030-12-04T13:00:00Z',
    'getPet has been removed since 5 December began in Sydney.',
    removedAt('2030-12-04T13:00:00Z'),
  ),
  removal(
    'removed-at-midnight-utc',
    '2030-12-04T23:59:55Z',
    'getPet is removed when 5 December begins in UTC, while it is tested.',
    () => ({}),
  ),
  removal(
    'removed-at-noon-utc',
    '2030-12-05T11:59:55Z',
    'getPet is removed at noon (UTC), while it is tested.',
    removedAt(dayItself),
  ),
  removal(
    'served-to-the-end-of-the-day',
    '2030-12-05T23:59:55Z',
    'getPet is removed at the end of the day (UTC), while it is tested.',
    removedAt(midnight),
  ),
  removal(
    'served-until-midnight-in-los-angeles',
    '2030-12-06T07:59:55Z',
    'getPet is removed when 5 December ends in Los Angeles, while it is tested.',
    removedAt('2030-12-06T08:00:00Z'),
  ),
  removal(
    'served-until-the-last-midnight',
    '2030-12-06T11:59:55Z',
    'getPet is removed when 5 December ends at UTC-12, while it is tested.',
    removedAt(lastMidnight),
  ),
  removal('removed-410', dayAfter, 'After its removal getPet is answered with 410.', () => ({})),
  removal('removed-404', dayAfter, 'After its removal getPet is answered with 404.', refusal(404)),
  removal('removed-405', dayAfter, 'After its removal getPet is answered with 405.', refusal(405)),
  removal(
    'removed-403',
    '2035-01-01T00:00:00Z',
    'Years after its removal getPet is answered with 403.',
    refusal(403),
  ),
  removal(
    'removed-without-a-key',
    dayAfter,
    'After its removal getPet is answered with 404, without a key too.',
    together(refusal(404), keyless),
  ),
];
