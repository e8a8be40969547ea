import { afterAll, describe, expect, test } from 'vitest';
import type { KeyGrant } from '../src/reference/keys.ts';
import { type Listening, listen } from '../src/reference/listen.ts';
import { createReference } from '../src/reference/reference.ts';
import { systemClock } from '../src/time/clock.ts';
import { randomFrom } from '../src/util/random.ts';
import { cleanUp, type Ended, startRun } from './support/command.ts';
import { alarms } from './support/run-in-words.ts';

/** Runs take long while other tests run. */
const timeoutMs = 300_000;
const main = 'main-key-of-these-tests';
const spare = 'spare-key-of-these-tests';
const window = { limit: 120, seconds: 6 };
const spareWindow = { limit: 300, seconds: 6 };
const grants: readonly KeyGrant[] = [
  { key: main, plan: 'business', window },
  { key: spare, plan: 'business', window: spareWindow },
];
const runs = [1, 2, 3];
/** Requests may arrive this long after a 429, because they were sent before it was read. */
const transitMs = 500;
/** Between two requests of one window that are so close, Remaining shows what others sent. */
const soonMs = 1_000;
/** A run must notice other clients if they send at least this many requests during it. */
const noticeable = 100;
/** A longer Retry-After means that the key is banned. */
const longestWaitMs = 1_000 * (window.seconds + 1);

/** A request with a key that the server received. Times in milliseconds since the Unix epoch. */
interface Arrival {
  readonly run: number;
  readonly key: string | null;
  readonly at: number;
  readonly refusedAt: number;
  /** Null: no 429. */
  readonly retryAfterMs: number | null;
}

/** One reference server with a socket for each run, to distinguish the runs. */
const serveRuns = async () => {
  const arrivals: Arrival[] = [];
  const reference = createReference({
    clock: systemClock,
    keys: grants,
    random: randomFrom(1),
    seedPets: 12,
  });
  const fetchOf =
    (run: number) =>
    async (request: Request): Promise<Response> => {
      const at = systemClock.now();
      const key = grants.find((grant) => request.headers.get('authorization') === `Bearer ${grant.key}`)?.key;
      const response = await reference.fetch(request);
      const retryAfter = response.status === 429 ? response.headers.get('retry-after') : null;
      const retryAfterMs = retryAfter === null ? null : 1_000 * Number(retryAfter);
      arrivals.push({ run, key: key ?? null, at, refusedAt: systemClock.now(), retryAfterMs });
      return response;
    };
  const listening = await Promise.all(
    runs.map((run) => listen({ ...reference, fetch: fetchOf(run) }, { host: '127.0.0.1', port: 0 })),
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
        at > earlier.refusedAt + transitMs &&
        at < earlier.refusedAt + earlier.retryAfterMs - transitMs,
    ),
  );

const runTogether = async (words: readonly string[]) => {
  const { arrivals, listening } = await serveRuns();
  const start = ({ baseUrl }: Listening, index: number): Promise<Ended> =>
    startRun(['--base-url', baseUrl, '--api-key', main, '--seed', `${index + 1}`, ...words]).ended;
  try {
    return { arrivals, ended: await Promise.all(listening.map(start)) };
  } finally {
    await Promise.all(listening.map((each) => each.close()));
  }
};

/** The number of requests of other runs with the API key that a run can notice: it sent one itself soon before and after each. */
const fromOthers = (arrivals: readonly Arrival[], run: number): number => {
  const withMain = arrivals.filter(({ key }) => key === main);
  const own = withMain.filter((each) => each.run === run).map(({ at }) => at);
  const isBetween = (at: number): boolean => {
    const before = own.findLast((each) => each <= at) ?? Number.NEGATIVE_INFINITY;
    const after = own.find((each) => each > at) ?? Number.POSITIVE_INFINITY;
    return after - before < soonMs;
  };
  return withMain.filter((each) => each.run !== run && isBetween(each.at)).length;
};

/** How long a run takes for this many requests with its share of each window. */
const shareMs = (requests: number, { limit, seconds }: typeof window): number =>
  (1_000 * seconds * runs.length * requests) / limit;

const noticed = ({ out, err }: Ended): number => (out + err).split('Others use the API key').length - 1;

afterAll(cleanUp);

describe('three concurrent runs on one server', () => {
  test.each([
    { setting: 'with one API key', words: ['--budget', '150'] },
    { setting: 'with one API key, declared as shared', words: ['--budget', '150', '--shared-key'] },
    {
      setting: 'with one API key and one rate limit key',
      words: ['--only', 'LIST', '--only', 'RATE-6', '--runs', '5', '--rate-limit-key', spare],
    },
  ])('$setting -> no alarm, and each run gets its share', { timeout: timeoutMs }, async (each) => {
    const { arrivals, ended } = await runTogether(each.words);
    expect(sentDuringRetryAfter(arrivals)).toEqual([]);
    const isDeclared = each.words.includes('--shared-key');
    // While runs use up the limit of one key, another run may have used up a window of the other key a moment ago.
    const most = each.words.includes(spare) ? runs.length : 0;
    const limited = arrivals.filter(({ key, retryAfterMs }) => key === main && retryAfterMs !== null);
    expect(limited.length).toBeLessThanOrEqual(most);
    expect(arrivals.filter(({ retryAfterMs }) => (retryAfterMs ?? 0) > longestWaitMs)).toEqual([]);
    for (const [index, run] of ended.entries()) {
      const { report, code } = run;
      if (report === undefined) throw new Error(`There is no report: ${run.err}`);
      expect([alarms(report), code]).toEqual([[], 0]);
      if (!each.words.includes(spare)) expect(report.traffic.rateLimitedUnasked).toBe(0);
      const others = fromOthers(arrivals, runs[index] ?? 0);
      expect(noticed(run)).toBeLessThanOrEqual(isDeclared ? 0 : 1);
      if (others >= noticeable && !isDeclared) expect(noticed(run), `${others} of others`).toBe(1);
      const withSpare = arrivals.filter(({ key, run: of }) => key === spare && of === runs[index]).length;
      const share = shareMs(report.traffic.requests - withSpare, window) + shareMs(withSpare, spareWindow);
      expect(report.durationMs).toBeLessThan(2 * share);
    }
  });
});
