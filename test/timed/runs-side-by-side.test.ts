import { describe, expect, test } from 'vitest';
import type { KeyGrant } from '../../src/reference/keys.ts';
import type { Listening } from '../../src/reference/listen.ts';
import { systemClock } from '../../src/time/clock.ts';
import { type Ended, startRun } from '../support/command.ts';
import { mainKey, spareKey } from '../support/counting-server.ts';
import { alarms } from '../support/run-in-words.ts';
import { serveOnSocket, testReference } from '../support/servers.ts';

/** Runs take long while other tests run. */
const timeoutMs = 300_000;
const window = { limit: 120, seconds: 4 };
const spareWindow = { limit: 200, seconds: 4 };
const grants: readonly KeyGrant[] = [
  { key: mainKey, plan: 'business', window },
  { key: spareKey, plan: 'business', window: spareWindow },
];
const runs = [1, 2, 3];
/** Requests may arrive this long after a 429, because they were sent before it was read. */
const transitMs = 500;
/** A longer Retry-After means that the key is banned. */
const longestWaitMs = 1_000 * (window.seconds + 1);

/** A request that the server received. Times in milliseconds since the Unix epoch. */
interface Arrival {
  readonly run: number;
  readonly key: string | null;
  readonly at: number;
  readonly answeredAt: number;
  /** Of the window, in Unix seconds. */
  readonly reset: number;
  readonly remaining: number;
  /** Null: no 429. */
  readonly retryAfterMs: number | null;
}

/** One reference server with a socket for each run, to distinguish the runs. */
const serveRuns = async () => {
  const arrivals: Arrival[] = [];
  const reference = testReference({ keys: grants });
  const fetchOf =
    (run: number) =>
    async (request: Request): Promise<Response> => {
      const at = systemClock.now();
      const key = grants.find((grant) => request.headers.get('authorization') === `Bearer ${grant.key}`)?.key;
      const response = await reference.fetch(request);
      const retryAfter = response.status === 429 ? response.headers.get('retry-after') : null;
      const retryAfterMs = retryAfter === null ? null : 1_000 * Number(retryAfter);
      const reset = Number(response.headers.get('x-ratelimit-reset'));
      const remaining = Number(response.headers.get('x-ratelimit-remaining'));
      arrivals.push({
        run,
        key: key ?? null,
        at,
        answeredAt: systemClock.now(),
        reset,
        remaining,
        retryAfterMs,
      });
      return response;
    };
  const listening = await Promise.all(
    runs.map((run) => serveOnSocket({ ...reference, fetch: fetchOf(run) })),
  );
  return { arrivals, listening };
};

/** Requests with a key during a Retry-After that the same run received for that key. */
const sentDuringRetryAfter = (arrivals: readonly Arrival[]): readonly Arrival[] =>
  arrivals.filter(({ run, key, at }) =>
    arrivals.some(
      (earlier) =>
        earlier.run === run &&
        key !== null &&
        earlier.key === key &&
        earlier.retryAfterMs !== null &&
        at > earlier.answeredAt + transitMs &&
        at < earlier.answeredAt + earlier.retryAfterMs - transitMs,
    ),
  );

const runTogether = async (words: readonly string[]) => {
  const { arrivals, listening } = await serveRuns();
  const start = ({ baseUrl }: Listening, index: number): Promise<Ended> =>
    startRun(['--base-url', baseUrl, '--api-key', mainKey, '--seed', `${index + 1}`, ...words]).ended;
  return { arrivals, ended: await Promise.all(listening.map(start)) };
};

/**
 * Requests that got a 429 although the run could know that its window had ended: by the Remaining of a response that it had read, less its
 * requests since then. Nobody can know what others send meanwhile.
 */
const sentPastRemaining = (arrivals: readonly Arrival[]): readonly Arrival[] =>
  arrivals.filter(({ run, key, at, reset, retryAfterMs }) => {
    if (retryAfterMs === null) return false;
    const own = arrivals.filter((each) => each.run === run && each.key === key && each.reset === reset);
    const read = own.findLast(({ answeredAt }) => answeredAt + transitMs < at);
    if (read === undefined) return false;
    return read.remaining <= own.filter((each) => each.at > read.answeredAt && each.at < at).length;
  });

/** How long a run takes for this many requests with its share of each window. */
const shareMs = (requests: number, { limit, seconds }: typeof window): number =>
  (1_000 * seconds * runs.length * requests) / limit;

const noticed = ({ out, err }: Ended): number => (out + err).split('Others use the API key').length - 1;

// When each run sends, only the machine decides: the scenarios on the virtual clock count the 429s, also with one API key.
describe('three concurrent runs on one server', () => {
  test.each([
    { setting: 'with one API key, declared as shared', words: ['--budget', '150', '--shared-key'] },
    {
      setting: 'with one API key and one rate limit key',
      words: ['--only', 'LIST-6', '--only', 'RATE-6', '--runs', '5', '--rate-limit-key', spareKey],
    },
  ])('$setting -> no alarm, and each run gets its share', { timeout: timeoutMs }, async (each) => {
    const { arrivals, ended } = await runTogether(each.words);
    expect(sentDuringRetryAfter(arrivals)).toEqual([]);
    const isDeclared = each.words.includes('--shared-key');
    expect(sentPastRemaining(arrivals.filter(({ key }) => key === mainKey))).toEqual([]);
    expect(arrivals.filter(({ retryAfterMs }) => (retryAfterMs ?? 0) > longestWaitMs)).toEqual([]);
    for (const [index, run] of ended.entries()) {
      const { report, code } = run;
      if (report === undefined) throw new Error(`There is no report: ${run.err}`);
      expect([alarms(report), code]).toEqual([[], 0]);
      expect(noticed(run)).toBeLessThanOrEqual(isDeclared ? 0 : 1);
      const withSpare = arrivals.filter(({ key, run: of }) => key === spareKey && of === runs[index]).length;
      const share = shareMs(report.traffic.requests - withSpare, window) + shareMs(withSpare, spareWindow);
      expect(report.durationMs).toBeLessThan(2 * share);
    }
  });
});
