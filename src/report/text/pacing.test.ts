import { expect, test } from 'vitest';
import type { RunNote, WaitReason } from '../../http/pacing-types.ts';
import { noteText, waitText } from './pacing.ts';

test.each<[WaitReason, string]>([
  [{ kind: 'limit', slot: 'main', limit: 1_000 }, 'rate limit of 1,000 requests reached (API key)'],
  [{ kind: 'after-429', slot: 'rate-limit' }, 'after a 429 (rate-limit key)'],
  [
    { kind: 'own-count', slot: 'main', limit: 60, per: 'minute', unseen: true },
    '60 requests a minute, sent evenly: no header shows what is left (API key)',
  ],
  [
    { kind: 'own-count', slot: 'anonymous', limit: 1_000, per: 'day', unseen: false },
    '1,000 requests a day (requests without a valid key)',
  ],
])('wait %o -> %s', (reason, text) => {
  expect(waitText(reason)).toBe(text);
});

const unseen = { kind: 'limit-unseen', slot: 'main', planIsUnknown: true } as const;

test.each<[RunNote, string]>([
  [
    { ...unseen, headers: 'absent', perMinute: null },
    'No usable rate-limit headers (API key): sending at full speed',
  ],
  [
    { ...unseen, headers: 'gaps', perMinute: 60 },
    'Some responses have no usable rate-limit headers (API key): sending at most 60 requests a minute while none shows what is left (--plan names another limit)',
  ],
  [
    { kind: 'slowed-down', slot: 'main', perSecond: 1 },
    'Unexpected 429 (API key): slowing down to 1 request/s',
  ],
  [
    { kind: 'not-found', baseUrl: 'http://127.0.0.1:1/v1' },
    'GET /pets returned 404: is the API served under http://127.0.0.1:1/v1? Ctrl-C ends the run.',
  ],
])('note %o -> %s', (note, text) => {
  expect(noteText(note)).toBe(text);
});
