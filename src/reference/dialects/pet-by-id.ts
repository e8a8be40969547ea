import type { Parts } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { compose, replace, respondFirst } from '../patch-kit/core.ts';
import { respondWhen } from '../patch-kit/failures.ts';
import { int64IdOf } from '../patch-kit/paths.ts';
import { failAs, refusalStatus } from '../patch-kit/refusals.ts';
import { choices, independent } from './choices.ts';

const noInt64 = (status: number): Patch =>
  respondWhen(
    'getPet',
    (call) => int64IdOf(call) === null && call.at < call.parts.removedAt,
    (call) => failAs(status, 'invalid-parameter', call, 'petId must be an integer of 64 bits'),
  );

const readId = (read: (text: string) => string): Patch =>
  replace('readPetId', (before) => (text) => before(read(text)));

const deprecation = (headers: Readonly<Record<string, string>>): Patch =>
  replace('deprecationHeaders', () => () => headers);

const refusal = (status: number): Patch => refusalStatus('removed', status);

/** Requests without a key get the removal too. */
const keyless = respondFirst((call) =>
  call.route.operation === 'getPet' && call.at >= call.parts.removedAt
    ? call.parts.fail('removed', call)
    : null,
);

const removedAt = (date: string): Patch => replace('removedAt', (): Parts['removedAt'] => Date.parse(date));

const dayBefore = '2030-12-04T12:00:00Z';
const dayItself = '2030-12-05T12:00:00Z';
const dayAfter = '2030-12-06T12:00:00Z';
const midnight = '2030-12-06T00:00:00Z';
/** The hours in UTC at which 5 December 2030 begins and ends: first on Kiritimati, last on Baker Island. */
const firstMidnight = '2030-12-04T10:00:00Z';
const lastMidnight = '2030-12-06T12:00:00Z';

/** Choices about getPet: invalid ids, its deprecation, and its removal (GET-3 to GET-6). */
export const petByIdDialects = [
  ...choices('no-int64', {
    'no-int64-400': ['A petId that is not an int64 gets 400.', noInt64(400)],
    'no-int64-422': ['A petId that is not an int64 gets 422.', noInt64(422)],
    'no-int64-no-route': [
      'A petId that is not an int64 gets 404 from the router, without a key too.',
      respondFirst((call) =>
        call.route.operation === 'getPet' && int64IdOf(call) === null
          ? call.parts.fail('unknown-pet', call)
          : null,
      ),
    ],
  }),
  ...independent({
    'pet-id-with-leading-zeros': [
      'A petId may have leading zeros.',
      readId((text) => text.replace(/^(-?)0+(?=\d)/, '$1')),
    ],
    'pet-id-with-a-plus': ['A petId may have a plus sign.', readId((text) => text.replace(/^\+(?=\d)/, ''))],
  }),
  ...choices('deprecation', {
    'deprecation-untold': ['No header announces the deprecation of getPet.', deprecation({})],
    'deprecation-without-sunset': [
      'getPet sends Deprecation without Sunset.',
      deprecation({ deprecation: '@1764892800' }),
    ],
    'deprecation-with-parameters': [
      'Deprecation has parameters after its date.',
      deprecation({
        deprecation: '@1764892800;stage="final";rev=2',
        sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
      }),
    ],
    'sunset-alone': [
      'getPet sends Sunset without Deprecation.',
      deprecation({ sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' }),
    ],
    'sunset-at-the-end-of-the-day': [
      'Sunset is the end of the day.',
      deprecation({ deprecation: '@1764892800', sunset: 'Thu, 05 Dec 2030 23:59:59 GMT' }),
    ],
    'deprecation-to-come': [
      'Deprecation is in the future, before Sunset.',
      deprecation({ deprecation: '@1890000000', sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' }),
    ],
    'deprecation-with-links': [
      'Links lead to the successor and to an announcement.',
      deprecation({
        deprecation: '@0',
        sunset: 'Thu, 05 Dec 2030 12:00:00 GMT',
        link: '</v1/pets>; rel="successor-version", <https://docs.example/removal>; rel="sunset"; type="text/html"',
      }),
    ],
  }),
  ...choices(
    'removal',
    {
      'served-the-day-before': [
        'getPet still works on the day before its removal.',
        () => ({}),
        { now: dayBefore },
      ],
      'served-until-the-first-midnight': [
        'getPet still works when 5 December begins at UTC+14.',
        () => ({}),
        { now: '2030-12-04T09:59:30Z' },
      ],
      'removed-on-the-day': ['getPet is removed on the day of its removal.', () => ({}), { now: dayItself }],
      'served-on-the-day': [
        'getPet still works on the day of its removal.',
        removedAt(midnight),
        { now: dayItself },
      ],
      'removed-at-the-first-midnight': [
        'getPet is removed when 5 December begins at UTC+14, while it is tested.',
        removedAt(firstMidnight),
        { now: '2030-12-04T09:59:55Z' },
      ],
      'removed-at-midnight-in-sydney': [
        'getPet is removed when 5 December begins in Sydney, while it is tested.',
        removedAt('2030-12-04T13:00:00Z'),
        { now: '2030-12-04T12:59:55Z' },
      ],
      'removed-since-midnight-in-sydney': [
        'getPet has been removed since 5 December began in Sydney.',
        removedAt('2030-12-04T13:00:00Z'),
        { now: '2030-12-04T13:00:00Z' },
      ],
      'removed-at-midnight-utc': [
        'getPet is removed when 5 December begins in UTC, while it is tested.',
        () => ({}),
        { now: '2030-12-04T23:59:55Z' },
      ],
      'removed-at-noon-utc': [
        'getPet is removed at noon (UTC), while it is tested.',
        removedAt(dayItself),
        { now: '2030-12-05T11:59:55Z' },
      ],
      'served-to-the-end-of-the-day': [
        'getPet is removed at the end of the day (UTC), while it is tested.',
        removedAt(midnight),
        { now: '2030-12-05T23:59:55Z' },
      ],
      'served-until-midnight-in-los-angeles': [
        'getPet is removed when 5 December ends in Los Angeles, while it is tested.',
        removedAt('2030-12-06T08:00:00Z'),
        { now: '2030-12-06T07:59:55Z' },
      ],
      'served-until-the-last-midnight': [
        'getPet is removed when 5 December ends at UTC-12, while it is tested.',
        removedAt(lastMidnight),
        { now: '2030-12-06T11:59:55Z' },
      ],
      'removed-410': ['After its removal getPet returns 410.', () => ({})],
      'removed-404': ['After its removal getPet returns 404.', refusal(404)],
      'removed-405': ['After its removal getPet returns 405.', refusal(405)],
      'removed-403': [
        'Years after its removal getPet returns 403.',
        refusal(403),
        { now: '2035-01-01T00:00:00Z' },
      ],
      'removed-without-a-key': [
        'After its removal getPet returns 404, without a key too.',
        compose(refusal(404), keyless),
      ],
    },
    { now: dayAfter },
  ),
];
