import type { Json } from '../../json/json.ts';
import type { Patch } from '../patch.ts';
import { compose, replace } from '../patch-kit/core.ts';
import { type Reply, type ReplyBody, textReply } from '../reply.ts';
import { choices } from './choices.ts';

const saying = (body: ReplyBody | null): Patch =>
  replace('rateLimited', (before) => (decision, call) => {
    const reply = before(decision, call);
    return reply.status === 429 ? { ...reply, body } : reply;
  });
const json = (value: Json): Patch => saying({ json: value });

/** Changes the response to a banned key. */
const whenBanned = (edit: (reply: Reply) => Reply): Patch =>
  replace('rateLimited', (before) => (decision, call) => {
    const reply = before(decision, call);
    return decision.verdict === 'banned' ? edit(reply) : reply;
  });

/** A key is banned for this long if it does not heed so many waits. */
const banAfter = (ignoredWaits: number, ms: number): Patch => replace('ban', () => ({ ignoredWaits, ms }));
const shortBan = banAfter(3, 60_000);

/** Choices about the body of a 429, and about bans. */
export const banDialects = [
  ...choices(
    'body-429',
    {
      '429-empty': ['A 429 has no body.', saying(null)],
      '429-text': ['A 429 is a JSON string.', json('Too many requests')],
      '429-without-a-status': [
        'A 429 is an object with other members.',
        json({ error: 'too_many_requests', wait: true }),
      ],
      '429-empty-object': ['A 429 is an empty object.', json({})],
    },
    { needs: 'rate-limit-key' },
  ),
  ...choices(
    'ban',
    {
      'no-bans': ['No key is banned.', replace('ban', () => null)],
      'ban-after-three': ['A key is banned for a minute after 3 requests during a wait.', shortBan],
      'ban-of-ten-minutes': [
        'A key is banned for ten minutes after 10 requests during a wait.',
        banAfter(10, 600_000),
      ],
      'banned-keys-are-forbidden': [
        'A key is banned after 3 requests during a wait, and gets 403.',
        compose(
          shortBan,
          whenBanned((reply) => ({ ...reply, status: 403, body: { json: { error: 'banned' } } })),
        ),
      ],
      'banned-keys-are-unauthorized': [
        'A key is banned after 3 requests during a wait, and gets 401.',
        compose(
          shortBan,
          whenBanned(({ headers: { 'retry-after': _wait, ...headers } }) => ({
            status: 401,
            headers: { ...headers, 'www-authenticate': 'Bearer' },
            body: { json: { code: 'banned', message: 'The key is banned.', status: 401n } },
          })),
        ),
      ],
      'banned-keys-are-locked': [
        'A key is banned after 3 requests during a wait, and gets 423 and an HTML page.',
        compose(
          shortBan,
          whenBanned(({ headers: { 'retry-after': _wait, ...headers } }) => ({
            ...textReply(423, 'text/html', '<html><h1>Locked</h1></html>'),
            headers: { ...headers, 'content-type': 'text/html' },
          })),
        ),
      ],
      'ban-beyond-the-reset': [
        'Retry-After is the end of a ban of ten minutes, X-RateLimit-Reset the end of the window.',
        compose(
          banAfter(5, 600_000),
          replace('admit', (before) => (call) => {
            const decision = before(call);
            const { windowState } = decision;
            return decision.verdict === 'banned'
              ? { ...decision, windowState: { ...windowState, resetAt: windowState.servedAt } }
              : decision;
          }),
        ),
      ],
    },
    { needs: 'rate-limit-key' },
  ),
];
