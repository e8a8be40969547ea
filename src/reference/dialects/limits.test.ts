import { expect } from 'vitest';
import { limiterDialects } from './limiters.ts';
import { limitDialects } from './limits.ts';
import {
  after,
  bodyOf,
  each,
  eachTakesEffect,
  headerOf,
  type Look,
  statusOf,
  textOf,
  times,
  wait,
} from './testing.ts';

const tiny = { key: 'key-tiny' };
const get = statusOf('GET /pets', tiny);
const exhausted = (look: Look): Look => after(times(3, get), look);
const retryAfter = exhausted(headerOf('retry-after', 'GET /pets', tiny));
const shown = (name: string, key: string | null = 'key-tiny', line = 'GET /pets') =>
  headerOf(`x-ratelimit-${name}`, line, { key });
const remaining = shown('remaining');
const reset: Look = async (server) => Number(await shown('reset')(server)) - server.now / 1_000;

/** Sixteen minutes of sixty requests: what remains of the day is less than a minute's. */
const soon: Look = async (server) => {
  for (let minute = 0; minute < 16; minute += 1) {
    await server.burst(60, { key: 'key-free' });
    server.now += 60_000;
  }
};
const shownDay: Look = async (server) =>
  new Date(Number(await shown('reset', 'key-free')(server)) * 1_000).toISOString();

eachTakesEffect(limiterDialects, [
  // Three requests in ten seconds, one of them four seconds after the others.
  [
    'sliding-window',
    each(get, get, wait(4_000), get, get, wait(6_000), get, get, get),
    [200, 200, undefined, 200, 429, undefined, 200, 200, 429],
  ],
  ['sliding-window-of-the-newest', each(get, wait(4_000), get, reset, get), [200, undefined, 200, 10, 429]],
  [
    'token-bucket',
    each(get, get, get, wait(4_000), get, get, reset),
    [200, 200, 200, undefined, 200, 429, 10],
  ],
  [
    'token-by-token',
    each(get, get, get, wait(4_000), get, get, reset),
    [200, 200, 200, undefined, 200, 429, 3],
  ],
  [
    'window-from-the-first-request',
    each(wait(4_000), get, get, get, wait(9_999), get, wait(1), get),
    [undefined, 200, 200, 200, undefined, 429, undefined, 200],
  ],
  [
    'weighted-windows',
    each(get, get, get, get, wait(13_400), get, get, reset),
    [200, 200, 200, 429, undefined, 200, 429, expect.closeTo(3.6, 1)],
  ],
  ['days-of-another-zone', each(soon, shownDay), [undefined, '2026-03-01T15:00:00.000Z']],
  ['days-sliding', each(soon, shownDay), [undefined, '2026-03-02T12:00:00.000Z']],
]);

const body = exhausted(each(statusOf('GET /pets', tiny), textOf('GET /pets', tiny)));
const post = shown('remaining', 'key-tiny', 'POST /pets');
const created = headerOf('x-ratelimit-remaining', 'POST /pets', {
  ...tiny,
  body: '{"name":"Rex","categoryId":1}',
});
const noKey = { key: null };
const lowerCase = headerOf('x-ratelimit-remaining', 'GET /pets', {
  ...noKey,
  headers: { authorization: 'bearer key-tiny' },
});
const anonymous = each(shown('limit', null), shown('remaining', null), shown('remaining', null));
const banned = (requests: number): Look => after(times(3 + requests, get), bodyOf('GET /pets', tiny));
const codeOf =
  (look: Look, field = 'code'): Look =>
  async (server) =>
    Object(await look(server))[field];

eachTakesEffect(limitDialects, [
  ['retry-after-as-a-date', retryAfter, 'Sun, 01 Mar 2026 12:00:10 GMT'],
  ['retry-after-generous', retryAfter, '40'],
  ['retry-after-at-least-a-minute', retryAfter, '60'],
  ['retry-after-with-leading-zeros', retryAfter, '00010'],
  [
    'reset-rounded-down',
    after([wait(500), ...times(50, get)], shown('reset')),
    String(Date.parse('2026-03-01T12:01:00Z') / 1_000),
  ],
  ['reset-a-second-late', reset, 11],
  [
    'date-of-two-seconds',
    after([wait(1_000)], headerOf('date', 'GET /pets')),
    'Sun, 01 Mar 2026 12:00:00 GMT',
  ],
  ['headers-of-the-day', each(shown('limit', 'key-free'), shown('remaining', 'key-free')), ['1000', '998']],
  ['headers-of-the-minute', after([soon], shown('limit', 'key-free')), '60'],
  [
    'headers-of-the-day-in-each-429',
    after(
      times(60, statusOf('GET /pets', { key: 'key-free' })),
      each(statusOf('GET /pets', { key: 'key-free' }), shown('remaining', 'key-free')),
    ),
    [429, '940'],
  ],
  [
    'headers-of-the-minute-in-each-429',
    after(
      [soon, async (server) => server.burst(40, { key: 'key-free' })],
      each(shown('remaining', 'key-free'), statusOf('GET /pets', { key: 'key-free' })),
    ),
    ['20', 429],
  ],
  [
    'headers-of-nodes-in-turn',
    each(...times(10, shown('limit', 'key-free'))),
    [...Array(9).fill('60'), '1000'],
  ],
  [
    'headers-of-either-window',
    each(...times(6, shown('limit', 'key-free'))),
    ['1000', '1000', '1000', '60', '60', '60'],
  ],
  [
    'headers-of-the-day-but-for-the-first-of-a-minute',
    each(...times(3, shown('limit', 'key-free'))),
    ['60', '1000', '1000'],
  ],
  ['counted-by-authorization-header', each(remaining, lowerCase, remaining), ['2', '2', '1']],
  ['creations-counted-only', each(remaining, post, remaining), ['3', '2', '2']],
  [
    'each-request-charged-as-two',
    each(shown('remaining', 'key-free'), shown('remaining', 'key-free')),
    ['58', '56'],
  ],
  ['served-creations-counted-only', each(remaining, post, created, remaining), ['3', '3', '2', '2']],
  ['reads-counted-only', each(remaining, post, remaining), ['2', '2', '1']],
  [
    'reads-limited-only',
    each(remaining, post, get, get, get, statusOf('POST /pets', tiny)),
    ['2', '2', 200, 200, 429, 400],
  ],
  ['orders-not-counted', each(shown('remaining', 'key-tiny', 'GET /store/orders'), remaining), ['3', '2']],
  ['unknown-resources-not-counted', each(shown('remaining', 'key-tiny', 'GET /x'), remaining), ['3', '2']],
  [
    'bad-parameters-not-counted',
    each(shown('remaining', 'key-tiny', 'GET /pets?limit=x'), remaining),
    ['3', '2'],
  ],
  ['operations-limited-apart', each(remaining, post, remaining), ['2', '2', '1']],
  [
    'ids-that-no-route-takes-counted-by-address',
    each(remaining, shown('remaining', 'key-tiny', 'GET /pets/x'), remaining),
    ['2', '2', '1'],
  ],
  ['anonymous-not-counted', anonymous, ['10000', '10000', '10000']],
  ['anonymous-shown-a-full-limit', anonymous, ['60', '60', '60']],
  ['anonymous-shown-nothing', anonymous, ['60', '0', '0']],
  [
    'anonymous-limited-early',
    after(times(60, statusOf('GET /pets', noKey)), statusOf('GET /pets', noKey)),
    429,
  ],
  ['invalid-keys-apart', each(shown('remaining', 'a'), shown('remaining', 'b')), ['9999', '9999']],
  ['enterprise-quota', shown('limit', 'key-enterprise'), '77'],
  ['429-empty', body, [429, '']],
  ['429-text', body, [429, '"Too many requests"']],
  ['429-without-a-status', body, [429, '{"error":"too_many_requests","wait":true}']],
  ['429-empty-object', body, [429, '{}']],
  ['no-bans', codeOf(banned(60)), 'rate_limited'],
  [
    'ban-after-three',
    each(codeOf(banned(3)), wait(59_000), get, wait(1_000), get),
    ['banned', undefined, 429, undefined, 200],
  ],
  [
    'ban-of-ten-minutes',
    each(codeOf(banned(10)), wait(599_000), get, wait(1_000), get),
    ['banned', undefined, 429, undefined, 200],
  ],
  ['banned-keys-are-forbidden', each(after(times(6, get), get), wait(60_000), get), [403, undefined, 200]],
  ['banned-keys-are-unauthorized', each(after(times(6, get), get), wait(60_000), get), [401, undefined, 200]],
  ['banned-keys-are-locked', each(after(times(6, get), get), wait(60_000), get), [423, undefined, 200]],
  [
    'ban-beyond-the-reset',
    each(codeOf(banned(5)), headerOf('retry-after', 'GET /pets', tiny), reset),
    ['banned', '600', 10],
  ],
]);
