import type { Json } from '../../json/json.ts';
import type { KeyGrant, Window } from '../keys.ts';
import type { Standing } from '../limiter.ts';
import type { Call } from '../parts.ts';
import type { Dialect, Patch } from '../patch.ts';
import { editReply, perServer, removeHeaders, replace, setHeader, together } from '../patches.ts';
import { type Reply, type ReplyBody, textReply } from '../reply.ts';

const dialect =
  (choice: string) =>
  (name: string, description: string, patch: Patch): Dialect => ({
    name,
    choice,
    needs: 'rate-limit-key',
    description,
    patch,
  });
const retryAfter = dialect('retry-after');
const shown = dialect('window-shown');
const counted = dialect('counted');
const anonymous = dialect('anonymous');
const body = dialect('body-429');
const ban = dialect('ban');

const aDate = replace(
  'retryAfter',
  () => (retryAt) => new Date(Math.ceil(retryAt / 1000) * 1000).toUTCString(),
);

/** `edit` gets whole seconds. */
const seconds = (edit: (seconds: number) => string): Patch =>
  replace('retryAfter', () => (retryAt, now) => edit(Math.max(1, Math.ceil((retryAt - now) / 1000))));

const longest = (standings: readonly Standing[]): Standing =>
  standings.reduce((a, b) => (b.window.seconds > a.window.seconds ? b : a));
const shortest = (standings: readonly Standing[]): Standing =>
  standings.reduce((a, b) => (b.window.seconds < a.window.seconds ? b : a));

/** The headers show now one of the windows, now the other; `isOfDay` gets how many answers came before. */
const eitherWindow = (isOfDay: (answers: number) => boolean): Patch =>
  perServer(() => {
    let answers = -1;
    return replace('shown', () => (standings) => {
      answers += 1;
      return isOfDay(answers) ? longest(standings) : shortest(standings);
    });
  });

/** The headers show one of the windows, in a 429 for another one as well. */
const onlyWindow = (pick: (standings: readonly Standing[]) => Standing): Patch =>
  together(
    replace('shown', () => pick),
    replace('admit', (before) => (call) => {
      const admission = before(call);
      const { parts, world, at } = call;
      const limiters = world.accounts.get(parts.caller(call))?.limiters ?? [];
      if (admission.verdict !== 'limited' || limiters.length === 0) return admission;
      return { ...admission, standing: pick(limiters.map((limiter) => limiter.standing(at))) };
    }),
  );

/** Charges only some requests of callers with a key. */
const onlyCounts = (counts: (call: Call) => boolean): Patch =>
  replace('counts', (before) => (call) => before(call) && (call.grant === null || counts(call)));

const isRead = ({ request }: Call): boolean => request.method === 'GET';

/** Nothing else is ever refused for a limit; the headers show all callers with a key where they stand. */
const onlyLimits = (limits: (call: Call) => boolean): Patch =>
  together(
    onlyCounts(limits),
    replace('admit', (before) => (call) => {
      const admission = before(call);
      const isFree = call.grant !== null && !limits(call) && admission.verdict === 'limited';
      return isFree ? { ...admission, verdict: 'admitted' } : admission;
    }),
  );

/** A creation is counted once its animal is added. */
const countedOnceServed = editReply({ operation: 'createPet', status: 201 }, (reply, call) => {
  const { parts, world, at } = call;
  const limiters = world.accounts.get(parts.caller(call))?.limiters ?? [];
  for (const limiter of limiters) limiter.spend(at);
  const standing = parts.shown(limiters.map((limiter) => limiter.standing(at)));
  return { ...reply, headers: { ...reply.headers, ...parts.rateLimitHeaders(standing, call) } };
});

/** Whether a router takes the path: one that knows digits only takes no negative petId. */
const isRouted = ({ parts, route, world }: Call): boolean => {
  if (route.operation !== 'getPet') return true;
  const id = parts.readPetId(route.petId);
  return id !== null && (id >= 0n || world.petsById.has(id));
};

/** How many requests from an address the headers show to be allowed, which is no plan's figure. */
const ofAddress = 100;

const validParameters = ({ parts, route, url }: Call): boolean =>
  route.operation !== 'listPets' ||
  (parts.readLimit(url.searchParams.getAll('limit')).ok &&
    parts.readStatus(url.searchParams.getAll('status')).ok);

const windowsOf = (applies: (grant: KeyGrant | null) => boolean, windows: readonly Window[]): Patch =>
  replace('windows', (before) => (grant) => (applies(grant) ? windows : before(grant)));

const notCounted: Patch = replace('counts', (before) => (call) => call.grant !== null && before(call));

/** Callers without a valid key are never limited: the headers show them the same figures each time. */
const constant = (remaining: string): Patch =>
  together(
    notCounted,
    replace('rateLimitHeaders', (before) => (standing, call) => {
      const headers = before(standing, call);
      if (call.grant !== null) return headers;
      return { ...headers, 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': remaining };
    }),
  );

const ownAccounts = replace('caller', (before) => (call) => {
  const presented = call.grant === null ? call.parts.credential(call) : null;
  return presented === null ? before(call) : `invalid ${presented}`;
});

const saying = (body: ReplyBody | null): Patch =>
  replace('rateLimited', (before) => (admission, call) => {
    const reply = before(admission, call);
    return reply.status === 429 ? { ...reply, body } : reply;
  });
const json = (value: Json): Patch => saying({ json: value });

/** What a banned key is answered with. */
const whenBanned = (edit: (reply: Reply) => Reply): Patch =>
  replace('rateLimited', (before) => (admission, call) => {
    const reply = before(admission, call);
    return admission.verdict === 'banned' ? edit(reply) : reply;
  });

const shortBan = replace('ban', () => ({ ignoredWaits: 3, ms: 60_000 }));

/** Choices about rate limits (RATE-2 to RATE-14). */
export const limitDialects: readonly Dialect[] = [
  retryAfter('retry-after-as-a-date', 'Retry-After is an HTTP-date.', aDate),
  retryAfter(
    'retry-after-generous',
    'Retry-After is half a minute longer than needed.',
    seconds((wait) => String(wait + 30)),
  ),
  retryAfter(
    'retry-after-at-least-a-minute',
    'Retry-After is never less than a minute.',
    seconds((wait) => String(Math.max(60, wait))),
  ),
  retryAfter(
    'retry-after-with-leading-zeros',
    'Retry-After has leading zeros.',
    seconds((wait) => String(wait).padStart(5, '0')),
  ),
  {
    name: 'reset-rounded-down',
    description: 'The fraction of a second is cut from Reset.',
    patch: replace('rateLimitHeaders', (before) => (standing, call) => ({
      ...before(standing, call),
      'x-ratelimit-reset': String(Math.floor(standing.resetAt / 1000)),
    })),
  },
  {
    name: 'reset-a-second-late',
    description: 'Reset is a second after the limit resets.',
    patch: replace(
      'rateLimitHeaders',
      (before) => (standing, call) => before({ ...standing, resetAt: standing.resetAt + 1_000 }, call),
    ),
  },
  {
    name: 'date-of-two-seconds',
    description: 'Date is brought up to date every second second.',
    patch: setHeader('date', (_, { at }) => new Date(Math.floor(at / 2_000) * 2_000).toUTCString()),
  },
  shown(
    'headers-of-the-day',
    'The headers show the limit per day.',
    replace('shown', () => longest),
  ),
  shown(
    'headers-of-the-minute',
    'The headers show the limit per minute, however little remains of the day.',
    replace('shown', () => shortest),
  ),
  shown(
    'headers-of-the-day-in-each-429',
    'The headers show the limit per day and how much remains of it, in a 429 for the minute as well.',
    onlyWindow(longest),
  ),
  {
    ...shown(
      'headers-of-the-minute-in-each-429',
      'The headers show the limit per minute and how much remains of it, in a 429 for the day as well.',
      onlyWindow(shortest),
    ),
    needs: 'exhaust-daily',
  },
  shown(
    'headers-of-nodes-in-turn',
    'Nine answers show the limit per minute, the next nine that per day.',
    eitherWindow((answers) => Math.floor(answers / 9) % 2 === 1),
  ),
  shown(
    'headers-of-either-window',
    'The headers show the limit per minute or per day, with no rule to it.',
    eitherWindow((answers) => (answers * 7_919) % 13 < 5),
  ),
  shown(
    'headers-of-the-day-but-for-the-first-of-a-minute',
    'The first answer of a minute shows its limit, the others that of the day; answers carry no Date.',
    together(
      replace('shown', () => (standings) => {
        const { window, remaining } = shortest(standings);
        return remaining === window.limit - 1 ? shortest(standings) : longest(standings);
      }),
      removeHeaders(['date']),
    ),
  ),
  counted(
    'counted-by-authorization-header',
    'Requests are counted by the whole Authorization header: with the scheme in lower case by themselves.',
    replace('caller', (before) => (call) => {
      const lowerCase = call.request.headers.get('authorization')?.startsWith('bearer ') ?? false;
      return `${before(call)}${lowerCase ? ' in lower case' : ''}`;
    }),
  ),
  counted(
    'creations-counted-only',
    'Only requests to add an animal count.',
    onlyCounts(({ route }) => route.operation === 'createPet'),
  ),
  counted(
    'each-request-charged-as-two',
    'Each request takes two from the limit, as Remaining shows.',
    replace('limiter', (before) => (window) => {
      const limiter = before(window);
      const spend = (now: number) => {
        limiter.spend(now);
        limiter.spend(now);
      };
      return { ...limiter, spend };
    }),
  ),
  counted(
    'served-creations-counted-only',
    'Only animals that are added count, and only creations are refused.',
    together(
      onlyLimits(({ route }) => route.operation === 'createPet'),
      replace('counts', (before) => (call) => call.grant === null && before(call)),
      countedOnceServed,
    ),
  ),
  counted('reads-counted-only', 'Only reads count.', onlyCounts(isRead)),
  counted(
    'reads-limited-only',
    'Only reads count, and only reads are refused: creations are served, and told what remains for reads.',
    onlyLimits(isRead),
  ),
  counted(
    'orders-not-counted',
    'Requests for orders do not count.',
    onlyCounts(({ route }) => route.operation !== 'listOrders'),
  ),
  counted(
    'unknown-resources-not-counted',
    'Requests for what does not exist do not count.',
    onlyCounts(({ route }) => route.operation !== null),
  ),
  counted(
    'bad-parameters-not-counted',
    'Lists with invalid parameters do not count.',
    onlyCounts(validParameters),
  ),
  counted(
    'operations-limited-apart',
    'Each operation has the limit of the plan to itself.',
    replace('caller', (before) => (call) => `${before(call)} ${call.route.operation}`),
  ),
  counted(
    'ids-that-no-route-takes-counted-by-address',
    'A petId that is not read as an id, or is negative as no id there is, is refused before the key is looked at for the limit: it is counted by address, for which the limit is another.',
    together(
      replace('caller', (before) => (call) => (isRouted(call) ? before(call) : 'address')),
      replace('rateLimitHeaders', (before) => (standing, call) => {
        const headers = before(standing, call);
        if (isRouted(call)) return headers;
        const remaining = `${Math.min(ofAddress, Number(headers['x-ratelimit-remaining']))}`;
        return { ...headers, 'x-ratelimit-limit': `${ofAddress}`, 'x-ratelimit-remaining': remaining };
      }),
      // What no route takes is not found, whatever another dialect says of a petId.
      editReply(
        { operation: 'getPet', status: [400, 422], when: (_, call) => !isRouted(call) },
        (reply, call) => {
          const { status, body: notFound } = call.parts.fail('unknown-pet', call);
          return { ...reply, status, body: notFound };
        },
      ),
    ),
  ),
  anonymous('anonymous-not-counted', 'Requests without a valid key do not count.', notCounted),
  anonymous('anonymous-shown-a-full-limit', 'Without a valid key 60 of 60 remain, always.', constant('60')),
  anonymous(
    'anonymous-shown-nothing',
    'Without a valid key 0 of 60 remain, and the answer is 401.',
    constant('0'),
  ),
  anonymous(
    'anonymous-limited-early',
    'Without a valid key 60 requests a minute are answered.',
    windowsOf((grant) => grant === null, [{ limit: 60, seconds: 60 }]),
  ),
  {
    name: 'invalid-keys-apart',
    description: 'Requests with an invalid key are charged to that key.',
    patch: ownAccounts,
  },
  {
    name: 'enterprise-quota',
    description: 'An Enterprise key has a quota of 77 requests a minute and 7,777 a day.',
    patch: windowsOf(
      (grant) => grant?.plan === 'enterprise' && !grant.window,
      [
        { limit: 77, seconds: 60 },
        { limit: 7_777, seconds: 86_400 },
      ],
    ),
  },
  body('429-empty', 'A 429 has no body.', saying(null)),
  body('429-text', 'A 429 is a JSON string.', json('Too many requests')),
  body(
    '429-without-a-status',
    'A 429 is an object of other members.',
    json({ error: 'too_many_requests', wait: true }),
  ),
  body('429-empty-object', 'A 429 is an empty object.', json({})),
  ban(
    'no-bans',
    'No key is ever banned.',
    replace('ban', () => null),
  ),
  ban(
    'ban-after-three',
    'A key is banned for a minute after three requests during a wait.',
    replace('ban', () => ({ ignoredWaits: 3, ms: 60_000 })),
  ),
  ban(
    'ban-of-ten-minutes',
    'A key is banned for ten minutes after ten requests during a wait.',
    replace('ban', () => ({ ignoredWaits: 10, ms: 600_000 })),
  ),
  ban(
    'banned-keys-are-forbidden',
    'A key is banned after three requests during a wait, and gets 403 until the ban is over.',
    together(
      shortBan,
      whenBanned((reply) => ({ ...reply, status: 403, body: { json: { error: 'banned' } } })),
    ),
  ),
  ban(
    'banned-keys-are-unauthorized',
    'A key is banned after three requests during a wait, and gets 401 until the ban is over.',
    together(
      shortBan,
      whenBanned(({ headers: { 'retry-after': _wait, ...headers } }) => ({
        status: 401,
        headers: { ...headers, 'www-authenticate': 'Bearer' },
        body: { json: { code: 'banned', message: 'The key is banned.', status: 401n } },
      })),
    ),
  ),
  ban(
    'banned-keys-are-locked',
    'A key is banned after three requests during a wait, and gets 423 and an HTML page until the ban is over.',
    together(
      shortBan,
      whenBanned(({ headers: { 'retry-after': _wait, ...headers } }) => ({
        ...textReply(423, 'text/html', '<html><h1>Locked</h1></html>'),
        headers: { ...headers, 'content-type': 'text/html' },
      })),
    ),
  ),
  ban(
    'ban-beyond-the-reset',
    'The Retry-After of a ban of ten minutes is its end, while X-RateLimit-Reset is that of the limit.',
    together(
      replace('ban', () => ({ ignoredWaits: 5, ms: 600_000 })),
      replace('admit', (before) => (call) => {
        const admission = before(call);
        const { standing } = admission;
        return admission.verdict === 'banned'
          ? { ...admission, standing: { ...standing, resetAt: standing.servedAt } }
          : admission;
      }),
    ),
  ),
];
