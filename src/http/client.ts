import { setMaxListeners } from 'node:events';
import { createBodyLimit } from './body-limit.ts';
import type {
  Client,
  ClientOptions,
  Gate,
  NotSent,
  RequestQueue,
  SendOptions,
  SendPermit,
  SendResult,
} from './client-types.ts';
import type { ApiRequest, ConnectionPreference, Exchange, TransportResult, WireRequest } from './exchange.ts';
import { pacedRequest } from './paced-request.ts';
import type { KeyEnd, PacedRequest, PaceSlot } from './pacing-types.ts';
import { createRequestQueue } from './request-queue.ts';
import {
  createAbsence,
  decideRetry,
  isLongSilence,
  noRetries,
  type RetryCounts,
  type RetryDecision,
} from './retry.ts';
import { createSilentOperations, createTimeoutBudget } from './timeout-budget.ts';
import { createTrafficCount } from './traffic.ts';
import { toWire } from './wire.ts';

/** Total milliseconds that a run may lose to time-outs. */
export const MAX_TOTAL_TIMEOUT_MS = 30_000;

type State = ReturnType<typeof createState>;

/** What all attempts of a request have in common. */
interface QueuedRequest {
  readonly request: ApiRequest;
  readonly paced: PacedRequest;
  readonly key: string;
  readonly options: SendOptions;
}

interface Delivery {
  readonly connection: ConnectionPreference;
  readonly isRetry: boolean;
  readonly retries: RetryCounts;
}

type Permitted = Extract<SendPermit, { kind: 'go' }>;

/**
 * Creates a client that paces the requests of each key, waits after a 429, and counts requests. It stops if the target is gone or hangs.
 * It retries a request if the failure may not be the server's fault. A request that is not safe to repeat uses a fresh or recently used
 * connection. A server may still close a recently used one. Then one retry on a fresh connection follows, and a second reset counts.
 */
export const createClient = (options: ClientOptions): Client => {
  const state = createState(options);
  const queue = createQueue(state);
  const end = (): void => {
    options.signal?.removeEventListener('abort', end);
    state.ending.abort();
    queue.recheck();
  };
  if (options.signal?.aborted) state.ending.abort();
  options.signal?.addEventListener('abort', end, { once: true });
  const { pacing, clock } = options;
  return {
    send: (request, sendOptions = {}) => send(state, queue, request, sendOptions),
    state: () => state,
    latestRequest: queue.latest,
    traffic: state.traffic.read,
    estimate: (requests) => pacing.estimate('main', requests, clock.now()),
    isShared: pacing.isShared,
    countsUp: pacing.countsUp,
    end,
  };
};

const createState = (options: ClientOptions) => {
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const timeouts = createTimeoutBudget(MAX_TOTAL_TIMEOUT_MS, options.timeoutMs);
  const { sendsAlone = timeouts.sendsAlone } = options;
  return {
    options,
    ending,
    traffic: createTrafficCount(),
    timeouts,
    get sendsAlone() {
      return sendsAlone();
    },
    timedOutGroups: new Set<string>(),
    silentOperations: createSilentOperations(),
    absence: createAbsence(options.onNote ?? (() => undefined)),
    bodyLimit: createBodyLimit(options.maxBodyBytes),
    /** Operations whose long bodies end in time, so that the client does not read the rest of them again. */
    endingOperations: new Set<string>(),
    ended: { main: null, 'rate-limit': null, anonymous: null } as Record<PaceSlot, KeyEnd | null>,
    hasResponded: false,
    unreachableReason: null as NotSent | null,
    timeoutReason: null as NotSent | null,
    sent: 0,
    done: 0,
    unauthenticated: 0,
  };
};

const createQueue = (state: State): RequestQueue => {
  const { clock, pacing, concurrency, onWait = () => undefined, createQueue: create } = state.options;
  return (create ?? createRequestQueue)({
    clock,
    pacing,
    gate: (now, sentSoFar) => gateOf(state, now, sentSoFar),
    concurrency,
    onWait,
    onEnded: (slot, reason) => {
      state.ended[slot] = reason;
    },
    signal: state.ending.signal,
  });
};

const gateOf = (state: State, now: number, sentSoFar: number): Gate => {
  const { budget } = state.options;
  if (state.ending.signal.aborted) return { kind: 'refused', reason: { code: 'interrupted' } };
  if (state.unreachableReason !== null) return { kind: 'refused', reason: state.unreachableReason };
  if (budget !== null && sentSoFar >= budget) return { kind: 'refused', reason: { code: 'budget', budget } };
  const permission = state.timeouts.ask(now);
  if (permission === 'go') return { kind: 'go', isAlone: state.sendsAlone };
  if (permission === 'response') return { kind: 'response' };
  state.timeoutReason = { code: 'timeouts', detail: 'run' };
  return { kind: 'refused', reason: state.timeoutReason };
};

const send = async (
  state: State,
  queue: RequestQueue,
  request: ApiRequest,
  options: SendOptions,
): Promise<SendResult> => {
  const slot = request.credential.chargedTo ?? 'anonymous';
  const key = state.options.keys[slot === 'anonymous' ? 'main' : slot];
  if (key === null && slot !== 'anonymous' && request.credential.needsNoKey !== true)
    return { kind: 'not-sent', exchanges: [], reason: { code: 'no-key', detail: 'slot', key: slot } };
  const paced = pacedRequest(request, slot, key ?? '', options);
  const queued = { request, paced, key: key ?? '', options };
  let attempt: Delivery = {
    connection: isRepeatable(request, options) ? 'any' : 'recently-used',
    isRetry: false,
    retries: noRetries,
  };
  const exchanges: Exchange[] = [];
  for (;;) {
    const sent = await sendOnce(state, queue, queued, attempt);
    if ('refused' in sent) return { kind: 'not-sent', exchanges, reason: sent.refused };
    const { exchange, next } = sent;
    exchanges.push(exchange);
    if (next.kind === 'given-up') return { kind: 'not-sent', exchanges, reason: next.reason };
    if (next.kind === 'done') return resultOf(exchange, exchanges);
    const connection = next.fresh ? 'fresh' : attempt.connection;
    attempt = { connection, isRetry: true, retries: next.retries };
    if (next.waitMs > 0)
      await state.options.clock.sleep(next.waitMs, state.ending.signal).catch(() => undefined);
  }
};

/** Sends a request once, as soon as the queue permits it. */
const sendOnce = async (state: State, queue: RequestQueue, queued: QueuedRequest, attempt: Delivery) => {
  const { baseUrl, version, keys, headers } = state.options;
  const valid = Object.values(keys).filter((each) => each !== null);
  const wire = toWire(queued.request, baseUrl, queued.key, version, valid, headers);
  const refusal = () => refusalOf(state, queued);
  const permit = await queue.next(queued.paced, { isRetry: attempt.isRetry, refusal });
  if (permit.kind === 'refused') return { refused: permit.reason };
  state.sent += 1;
  if (queued.paced.slot === 'anonymous') state.unauthenticated += 1;
  try {
    const { exchange, reused } = await transmit(state, queued, attempt, wire, permit);
    const next = afterExchange(state, queued, attempt, exchange, reused);
    queued.options.observe?.(exchange);
    return { exchange, next };
  } finally {
    state.done += 1;
    queue.done();
  }
};

/** Returns why a waiting request must not be sent any more, or null. */
const refusalOf = (
  { timedOutGroups, silentOperations, sendsAlone, options }: State,
  { request, paced: { slot, expects429 }, options: { timeoutGroup, expectsSuccess } }: QueuedRequest,
): NotSent | null => {
  if (timeoutGroup !== undefined && timedOutGroups.has(timeoutGroup) && !sendsAlone)
    return { code: 'timeouts', detail: 'kind' };
  if (silentOperations.isSilent(request, expectsSuccess))
    return { code: 'timeouts', detail: 'operation', operation: request.operation };
  return expects429 && slot === 'rate-limit' && options.pacing.isShared(slot)
    ? { code: 'rate-limit', detail: 'others', key: slot }
    : null;
};

/** Puts the request on the wire, and reports its end to pacing, time-out budget, and body limit. */
const transmit = async (
  state: State,
  { request, options }: QueuedRequest,
  { connection }: Delivery,
  wire: WireRequest,
  permit: Permitted,
): Promise<{ readonly exchange: Exchange; readonly reused: boolean }> => {
  const { clock, transport, timeoutMs } = state.options;
  const startedAt = clock.now();
  state.timeouts.started(permit.number, startedAt);
  const bodySent = state.bodyLimit.sending(wire.body);
  const dedicatedConnection = request.credential.dedicatedConnection && `request ${permit.number}`;
  const connectionId = options.connectionId ?? dedicatedConnection;
  try {
    const result = await transport.send(wire, {
      timeoutMs,
      maxBodyBytes: state.bodyLimit.bytes(),
      awaitsEnd: !state.endingOperations.has(request.operation),
      connection,
      signal: state.ending.signal,
      ...(connectionId === undefined ? {} : { connectionId }),
    });
    const exchange = toExchange(permit.number, request, wire, result, startedAt, clock.now());
    bodySent(result);
    if (result.ok && result.response.cutAt !== undefined) state.endingOperations.add(request.operation);
    const heard = permit.ended(exchange, clock.now());
    if (heard !== undefined) await heard;
    return { exchange, reused: result.ok ? result.reused : result.failure.reused };
  } catch (error) {
    bodySent(null);
    permit.ended(null, clock.now());
    state.timeouts.ended(permit.number, clock.now(), false);
    throw error;
  }
};

/** Counts an exchange and decides about a retry. */
const afterExchange = (
  state: State,
  { paced: { expects429 }, options: { timeoutGroup, expectsSuccess } }: QueuedRequest,
  { retries }: Delivery,
  exchange: Exchange,
  reused: boolean,
): RetryDecision => {
  const { timeoutMs, clock } = state.options;
  const wasSilent = isLongSilence(exchange, timeoutMs);
  state.timeouts.ended(exchange.id, exchange.startedAt + exchange.durationMs, wasSilent);
  if (exchange.response !== null) {
    state.hasResponded = true;
    state.absence.responded(clock.now());
  }
  state.traffic.add(exchange, expects429);
  const { hasResponded, unreachableReason } = state;
  const isUnreachable = unreachableReason !== null;
  const next = decideRetry(exchange, retries, { expects429, reused, hasResponded, isUnreachable, timeoutMs });
  // A retry decides what a silence means, so it must not be refused because of that silence.
  const hasTimedOut = wasSilent && next.kind !== 'retry';
  if (hasTimedOut && timeoutGroup !== undefined) state.timedOutGroups.add(timeoutGroup);
  state.silentOperations.ended(exchange, hasTimedOut, expectsSuccess);
  if (next.kind === 'done') state.unreachableReason ??= next.unreachableReason;
  if (next.kind === 'retry' && next.retries.refused > 1) state.absence.refused(exchange.startedAt);
  return next;
};

const isRepeatable = ({ method, credential }: ApiRequest, { repeatable }: SendOptions): boolean =>
  repeatable ?? (method === 'GET' || method === 'HEAD' || credential.chargedTo === null);

const toExchange = (
  id: number,
  request: ApiRequest,
  wire: WireRequest,
  result: TransportResult,
  startedAt: number,
  now: number,
): Exchange => {
  const sent = { id, request, wire, startedAt, durationMs: now - startedAt };
  return result.ok
    ? { ...sent, response: result.response, failure: null }
    : { ...sent, response: null, failure: result.failure };
};

const resultOf = (exchange: Exchange, exchanges: readonly Exchange[]): SendResult =>
  exchange.response === null
    ? { kind: 'no-response', exchange, exchanges }
    : { kind: 'responded', exchange, exchanges };
