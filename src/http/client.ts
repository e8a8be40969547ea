import { setMaxListeners } from 'node:events';
import { createAbsence } from './absence.ts';
import { createBodyLimit } from './body-limit.ts';
import type { Client, ClientOptions, NotSent, SendOptions, SendResult } from './client-types.ts';
import type { Answer, ApiRequest, Exchange, WantedConnection, WireRequest } from './exchange.ts';
import type { KeyEnd, PaceSlot, RequestKind } from './pacing.ts';
import { createRequestQueue, type Gate } from './request-queue.ts';
import { decideRetry, isTimeOut, type Next, noRetries, type RetryCounts } from './retry.ts';
import { createSilentOperations, createTimeoutBudget } from './timeout-budget.ts';
import { createTrafficCount } from './traffic.ts';
import { toWire } from './wire.ts';

const HANG_ALLOWANCE_MS = 30_000;
/** A request as it stays however often it is sent. */
interface Order {
  readonly request: ApiRequest;
  readonly slot: PaceSlot;
  readonly key: string;
  readonly options: SendOptions;
}

/** One sending of it. */
interface Attempt {
  readonly connection: WantedConnection;
  readonly again: boolean;
  readonly repeats: RetryCounts;
}

/**
 * The suite as a client: it keeps to the pace of each key, waits out 429s, repeats what failed for no fault of the server's, counts,
 * and gives up on a target that is dead or hangs. Requests that are not safe to repeat go on a fresh connection or a warm one. A server
 * may close a warm one too: then the request is sent once more, on a fresh one, as is everything of the kind from then on, so that a
 * reset is excused once and not again.
 */
export const createClient = (options: ClientOptions): Client => {
  const { clock, transport, timeoutMs } = options;
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const traffic = createTrafficCount();
  const hangs = createTimeoutBudget(options.hangAllowanceMs ?? HANG_ALLOWANCE_MS, timeoutMs);
  const absence = createAbsence(options.onNote ?? (() => undefined));
  const hungClasses = new Set<string>();
  const silentOperations = createSilentOperations();
  const ended: Record<PaceSlot, KeyEnd | null> = { main: null, 'rate-limit': null, anonymous: null };
  let hasResponded = false;
  let dead: NotSent | null = null;
  let hanging: NotSent | null = null;
  let sent = 0;
  let done = 0;
  let keyless = 0;

  const { pacing } = options;
  const bodyLimit = createBodyLimit(options.maxBodyBytes);
  const gate = (now: number, sentSoFar: number): Gate => {
    if (ending.signal.aborted) return { kind: 'refused', reason: { code: 'interrupted' } };
    if (dead !== null) return { kind: 'refused', reason: dead };
    if (options.budget !== null && sentSoFar >= options.budget)
      return { kind: 'refused', reason: { code: 'budget', budget: options.budget } };
    const hang = hangs.ask(now);
    if (hang !== 'refuse') return { kind: hang };
    hanging = { code: 'timeouts', detail: 'run' };
    return { kind: 'refused', reason: hanging };
  };
  const turns = createRequestQueue({
    clock,
    pacing,
    gate,
    concurrency: options.concurrency,
    onWait: options.onWait ?? (() => undefined),
    onEnded: (slot, reason) => {
      ended[slot] = reason;
    },
    signal: ending.signal,
  });

  const end = (): void => {
    options.signal?.removeEventListener('abort', end);
    ending.abort();
    turns.review();
  };
  if (options.signal?.aborted) ending.abort();
  options.signal?.addEventListener('abort', end, { once: true });

  const refusalOf =
    (slot: PaceSlot, { operation }: ApiRequest, { hangClass, expects429 = false }: SendOptions) =>
    (): NotSent | null => {
      if (hangClass !== undefined && hungClasses.has(hangClass)) return { code: 'timeouts', detail: 'kind' };
      if (silentOperations.isSilent(operation)) return { code: 'timeouts', detail: 'operation', operation };
      return expects429 && slot === 'rate-limit' && pacing.isShared(slot)
        ? { code: 'rate-limit', detail: 'others', key: slot }
        : null;
    };

  /** Sends once, when the turn has come, and tells everyone who needs to know. */
  const keys = Object.values(options.keys).filter((each) => each !== null);

  const attempt = async (
    { request, slot, key, options: send }: Order,
    { connection, again, repeats }: Attempt,
  ): Promise<{ exchange: Exchange; next: Next } | { refused: NotSent }> => {
    const asked = send.expects429 ?? false;
    const wire = toWire(request, options.baseUrl, key, options.version, keys);
    const paced = {
      slot,
      kind: requestKindOf(request),
      keyPlace: keyPlaceOf(request, key),
      expects429: asked,
      duringBackoff: send.duringBackoff ?? false,
    };
    const turn = await turns.next(paced, { again, refusal: refusalOf(slot, request, send) });
    if (turn.kind === 'refused') return { refused: turn.reason };
    sent = turn.number;
    if (slot === 'anonymous') keyless += 1;
    const startedAt = clock.now();
    hangs.started(turn.number, startedAt);
    const bodySent = bodyLimit.sending(wire.body);
    const settle = (answer: Answer | null): void => {
      bodySent(answer);
      turn.ended(answer?.ok ? answer.response : null, clock.now());
    };
    const transmit = async (): Promise<Answer> => {
      const line = send.line ?? (request.credential.ownConnection && `request ${turn.number}`);
      const onLine = line === undefined ? {} : { line };
      try {
        const sending = { timeoutMs, maxBodyBytes: bodyLimit.bytes(), connection, signal: ending.signal };
        return await transport.send(wire, { ...sending, ...onLine });
      } catch (error) {
        settle(null);
        hangs.ended(turn.number, clock.now(), false);
        throw error;
      }
    };
    try {
      const answer = await transmit();
      const exchange = toExchange(turn.number, request, wire, answer, startedAt, clock.now());
      settle(answer);
      note(exchange, send, asked);
      const next = decideRetry(exchange, repeats, {
        expects429: asked,
        reused: answer.ok ? answer.reused : answer.failure.reused,
        hasResponded,
        isDead: dead !== null,
        timeoutMs,
      });
      if (next.kind === 'done') dead ??= next.dead;
      if (next.kind === 'again' && next.repeats.refused > 1) absence.refused(startedAt);
      options.onExchange?.(exchange, { asked, final: next.kind === 'done' });
      return { exchange, next };
    } finally {
      done += 1;
      turns.done();
    }
  };

  const note = (exchange: Exchange, send: SendOptions, asked: boolean): void => {
    const timedOut = isTimeOut(exchange, timeoutMs);
    hangs.ended(exchange.id, exchange.startedAt + exchange.durationMs, timedOut);
    if (timedOut && send.hangClass !== undefined) hungClasses.add(send.hangClass);
    silentOperations.ended(exchange, timedOut);
    if (exchange.response !== null) {
      hasResponded = true;
      absence.responded(clock.now());
    }
    traffic.add(exchange, asked);
  };

  const send = async (request: ApiRequest, sendOptions: SendOptions = {}): Promise<SendResult> => {
    const slot = request.credential.charges ?? 'anonymous';
    const key = options.keys[request.credential.charges ?? 'main'];
    if (key === null && slot !== 'anonymous')
      return { kind: 'not-sent', reason: { code: 'no-key', detail: 'slot', key: slot } };
    const order: Order = { request, slot, key: key ?? '', options: sendOptions };
    let sending: Attempt = {
      connection: isRepeatable(request, sendOptions) ? 'any' : 'warm',
      again: false,
      repeats: noRetries,
    };
    for (;;) {
      const tried = await attempt(order, sending);
      if ('refused' in tried) return { kind: 'not-sent', reason: tried.refused };
      const { exchange, next } = tried;
      if (next.kind === 'undecided') return { kind: 'not-sent', reason: next.reason };
      if (next.kind === 'done') return resultOf(exchange);
      const connection = next.fresh ? 'fresh' : sending.connection;
      sending = { connection, again: true, repeats: next.repeats };
      if (next.waitMs > 0) await clock.sleep(next.waitMs, ending.signal).catch(() => undefined);
    }
  };

  return {
    send,
    state: () => ({ hasResponded, dead, hanging, ended: { ...ended }, sent, done, keyless }),
    traffic: traffic.read,
    estimate: (requests, slot = 'main') => pacing.estimate(slot, requests, clock.now()),
    isShared: pacing.isShared,
    end,
  };
};

/** What a request may cost depends on its operation, and that of a list on the length of the page. */
const requestKindOf = ({ operation, method, query }: ApiRequest): RequestKind => ({
  name: `${operation} ${method} ${query}`,
  safe: method === 'GET' || method === 'HEAD',
});

/**
 * Where and how a request without a valid key carries the key, with the key left out. Empty if the key is not in it: then nothing names a
 * caller.
 */
export const keyPlaceOf = ({ credential }: Pick<ApiRequest, 'credential'>, key: string): string => {
  if (credential.charges !== null || key === '') return '';
  const { headers, query = '' } = credential.present(key);
  const carried = [query, ...headers.map(([name, value]) => `${name}: ${value}`)].join(' ');
  const kind = carried.replaceAll(key, '{key}').replaceAll(encodeURIComponent(key), '{key}');
  return kind === carried ? '' : kind.trim();
};

const isRepeatable = ({ method, credential }: ApiRequest, send: SendOptions): boolean =>
  send.repeatable ?? (method === 'GET' || method === 'HEAD' || credential.charges === null);

const toExchange = (
  id: number,
  request: ApiRequest,
  wire: WireRequest,
  answer: Answer,
  startedAt: number,
  now: number,
): Exchange => {
  const sent = { id, request, wire, startedAt, durationMs: now - startedAt };
  return answer.ok
    ? { ...sent, response: answer.response, failure: null }
    : { ...sent, response: null, failure: answer.failure };
};

const resultOf = (exchange: Exchange): SendResult =>
  exchange.response === null ? { kind: 'no-answer', exchange } : { kind: 'answered', exchange };
