import fc from 'fast-check';
import { expect, test } from 'vitest';
import { conformingHeaders, parsedResponse, today } from '../../test/support/build.ts';
import { listPets } from '../check/requests.ts';
import type { WaitReason } from '../http/pacing-types.ts';
import { createTimeline } from './timeline.ts';

const shown = (remaining: number) => ({
  headers: { ...conformingHeaders, 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': String(remaining) },
});

const withoutHeaders = {
  headers: { 'X-RateLimit-Limit': null, 'X-RateLimit-Remaining': null, 'X-RateLimit-Reset': null },
};

const at = (ms: number, response = {}) => parsedResponse(listPets({}), response, { startedAt: today + ms });

test('responses of one interval -> one point with the lowest Remaining, for each account', () => {
  const timeline = createTimeline(today);
  timeline.observe(at(0, shown(59)), 'main');
  timeline.observe(at(20, shown(57)), 'main');
  timeline.observe(at(30, { ...shown(58), status: 429 }), 'main');
  timeline.observe(at(70, withoutHeaders), 'main');
  timeline.observe(at(10, withoutHeaders), 'anonymous');
  expect(timeline.read()).toEqual({
    intervalMs: 50,
    accounts: {
      main: [
        { at: 0, requests: 3, limited: 1, remaining: 57, limit: 60 },
        { at: 50, requests: 1, limited: 0, remaining: null, limit: null },
      ],
      anonymous: [{ at: 0, requests: 1, limited: 0, remaining: null, limit: null }],
    },
    waits: [],
  });
});

const usedUp: WaitReason = { kind: 'limit', slot: 'main', limit: 60 };
const after429: WaitReason = { kind: 'after-429', slot: 'main' };

test('a wait that goes on for the same reason -> one wait', () => {
  const timeline = createTimeline(today);
  const wait = (account: 'main' | 'anonymous', from: number, until: number, reason: WaitReason) =>
    timeline.wait({ account, from: today + from, until: today + until, reason: { ...reason } });
  wait('main', 100, 500, usedUp);
  wait('anonymous', 300, 700, usedUp);
  wait('main', 520, 900, usedUp);
  wait('main', 910, 1_000, after429);
  expect(timeline.read().waits).toEqual([
    { account: 'main', from: 100, until: 900, reason: usedUp },
    { account: 'anonymous', from: 300, until: 700, reason: usedUp },
    { account: 'main', from: 910, until: 1_000, reason: after429 },
  ]);
});

test('run of any length -> at most 200 points in order, each request in one of them', () => {
  const times = fc.array(fc.integer({ min: 0, max: 100_000_000 }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(times, (all) => {
      const timeline = createTimeline(today);
      for (const ms of all) timeline.observe(at(ms, shown(5)), 'main');
      const { intervalMs, accounts } = timeline.read();
      const points = accounts.main ?? [];
      expect(points.length).toBeLessThanOrEqual(200);
      expect(points.reduce((sum, { requests }) => sum + requests, 0)).toBe(all.length);
      expect(points.map((point) => point.at)).toEqual(
        [...new Set(all.map((ms) => Math.floor(ms / intervalMs) * intervalMs))].sort((a, b) => a - b),
      );
    }),
    { numRuns: 50 },
  );
});
