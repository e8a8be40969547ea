import { suite } from '../../../suites/index.ts';
import { defaultSettings } from '../../config/resolve.ts';
import type { Header } from '../../http/exchange.ts';
import type { Watched } from '../../judge/findings.ts';
import { closeJudgement, openJudgement } from '../../judge/outcome.ts';
import { createPlay, type Play } from '../../judge/play.ts';
import type { Scenario } from '../../judge/scenarios.ts';
import type { ApiDocument } from '../../openapi/document.ts';
import { counter } from '../../reference/patch-kit/core.ts';
import type { RunResult } from '../../run/run.ts';
import { createVirtualClock, type VirtualClock } from '../../time/virtual-clock.ts';
import { randomFrom } from '../../util/random.ts';
import type { ClientRequest, ClientResponse, TestClient } from './client.ts';

const key = 'key-5up3r-s3cret-of-the-client';
const baseUrl = 'http://127.0.0.1/v1';
const startMs = Date.parse('2026-03-01T12:00:00.400Z');
/** The longest time of a scenario. */
const timeoutMs = 40_000;
/** A message takes so long from one side to the other. */
const latencyMs = 1;

/** Sends a request to a play. The clock is held while its server works. */
const sender =
  (play: Play, clock: VirtualClock) =>
  async (
    { method, path, headers = [], body }: ClientRequest,
    connection: object = {},
  ): Promise<ClientResponse> => {
    await clock.sleep(latencyMs);
    const url = path.startsWith('http') ? path : `${baseUrl}${path}`;
    const release = clock.hold();
    const visit = play.recorder.visit({ method, url, headers, body: body ?? null }, connection);
    try {
      const reply = await visit.reply;
      visit.end(true);
      return { status: reply.status, header: (name) => reply.headers[name] ?? null };
    } catch (error) {
      visit.end(false);
      throw error;
    } finally {
      release();
    }
  };

/** Plays one scenario with a client, until it ends, enough was seen, or time is over. */
const playWith = async (client: TestClient, scenario: Scenario, options: PlayContext): Promise<Watched> => {
  const clock = createVirtualClock(startMs);
  const random = randomFrom(options.seed);
  const over = Promise.withResolvers<boolean>();
  const play = createPlay({
    ...options,
    scenario,
    key,
    random,
    clock: clock.inside,
    onArrival: () => {
      if (play.isOver()) over.resolve(false);
    },
  });
  const stop = new AbortController();
  const tools = {
    baseUrl,
    key,
    random,
    clock: { now: clock.now, sleep: (ms: number) => clock.sleep(ms, stop.signal) },
    send: async (request: ClientRequest, connection?: object) => {
      stop.signal.throwIfAborted();
      return sender(play, clock)(request, connection);
    },
  };
  void clock.sleep(timeoutMs, stop.signal).then(
    () => over.resolve(false),
    () => undefined,
  );
  const ended = client(tools).then(
    () => true,
    () => true,
  );
  const hasEnded = await Promise.race([ended, over.promise]);
  const watched = play.watched(hasEnded);
  stop.abort(new Error('over'));
  return watched;
};

interface PlayContext {
  readonly document: ApiDocument;
  readonly seed: number;
  readonly nextId: () => number;
}

/** Judges a client of the self-test in scenarios, each played as often as it may be. */
export const judgeTestClient = async (
  client: TestClient,
  scenarios: readonly Scenario[],
  { document, seed }: Pick<PlayContext, 'document' | 'seed'>,
): Promise<RunResult> => {
  const clock = createVirtualClock(startMs);
  const nextId = counter();
  const starts = scenarios.flatMap((scenario) => Array.from({ length: scenario.times ?? 1 }, () => scenario));
  const watched = await Promise.all(
    starts.map((scenario, at) => playWith(client, scenario, { document, seed: seed + at, nextId })),
  );
  const unused: readonly Header[] = [];
  const run = await openJudgement(
    defaultSettings,
    {
      clock,
      random: randomFrom(seed),
      signal: new AbortController().signal,
      watch: () => {},
      suite,
      document,
      isReported: false,
      target: {
        baseUrl,
        keys: { main: key, 'rate-limit': null },
        plans: { main: null, 'rate-limit': null },
        reference: true,
        transport: {
          send: async () => ({
            ok: true,
            response: { status: 204, headers: unused, body: new Uint8Array() },
            reused: false,
          }),
          close: async () => {},
        },
        close: async () => {},
      },
    },
    false,
  );
  const forms = [...new Set(scenarios.flatMap(({ form }) => form ?? []))];
  return closeJudgement(run, { watched, forms, testsServer: false, interrupted: false });
};
