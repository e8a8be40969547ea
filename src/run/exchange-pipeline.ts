import { CaseSkipped } from '../check/case-skipped.ts';
import type { SendOptions } from '../check/context.ts';
import { isCreation, kindOfResource, mayHaveCreated } from '../check/creations.ts';
import type { CheckName } from '../finding/check-name.ts';
import { type Finding, isBreach } from '../finding/finding.ts';
import type { Expectation, Probe } from '../finding/probe.ts';
import type { LossCode } from '../finding/reason.ts';
import type { Client, SendResult } from '../http/client-types.ts';
import type { Exchange, FailedExchange } from '../http/exchange.ts';
import { type ParsedResponse, parseResponse } from '../http/parsed-response.ts';
import type { Operation } from '../openapi/document.ts';
import { type Sent, withContext } from '../oracle/breach-context.ts';
import { judge, judgeNoResponse } from '../oracle/oracle.ts';
import type { Clock } from '../time/clock.ts';
import { createExclusiveLock, type ExclusiveLock } from '../util/exclusive-lock.ts';
import type { CreationAllowance, Stage } from './creation-allowance.ts';
import type { CrashTracker } from './harmful-requests.ts';
import type { LearningServerModel } from './server-model.ts';

/** Where the findings of one attempt at a case go, and every exchange with them. */
export interface Attempt {
  readonly check: CheckName;
  readonly findings: Finding[];
  /** What was sent, in the order of the responses. */
  readonly sent: Sent[];
  /** Exchanges so far; a request that is sent again because it got no connection counts once. */
  exchanges: number;
  /** What the case was lost to; null: it was not. */
  lostTo: LossCode | null;
  /** No other case sends requests meanwhile, so only its own can cause what happens. */
  readonly alone?: boolean;
  /** Absent, or true: the plan of the run counts its requests. False: it repeats a failing case. */
  readonly isPlanned?: boolean;
  /** Which creations it may use; absent: the usual ones. */
  readonly stage?: Stage;
}

/** Sends probes for attempts at cases. Every exchange is judged as soon as it is complete, and updates the server model. */
export interface ExchangePipeline {
  send(probe: Probe, attempt: Attempt, options?: SendOptions): Promise<ParsedResponse>;
  /** Waits until nothing is in flight, for an attempt that is made alone. Returns the function that lets the others go on. */
  stopOthers(): Promise<() => void>;
}

interface Options {
  readonly client: Pick<Client, 'send' | 'state'>;
  readonly serverModel: LearningServerModel;
  readonly creations: CreationAllowance;
  readonly crashTracker: CrashTracker;
  readonly clock: Clock;
  /** Ends the run. */
  readonly signal: AbortSignal;
  /** Waits until nothing of other workers is in flight. Returns the function that lets them go on. Absent: there are none. */
  readonly stopOtherWorkers?: () => Promise<() => void>;
  /** Keeps an exchange for the reports. */
  keep(exchange: Exchange, check: CheckName, findings: readonly Finding[]): void;
  /** Sees every response in the order of arrival, before the rules for a single response do. */
  monitor(response: ParsedResponse, probe: Probe, how: { readonly expects429: boolean }): readonly Finding[];
}

interface State extends Options {
  readonly lock: ExclusiveLock;
  /** The number of requests that were passed to the client. */
  sequence: number;
}

/** A request of an attempt, with the responses that it got so far. */
interface PendingRequest {
  readonly probe: Probe;
  readonly attempt: Attempt;
  readonly options: SendOptions;
  readonly sequence: number;
  readonly responses: ParsedResponse[];
}

/** It never reached the server. */
const hadNoConnection = ({ failure }: FailedExchange): boolean =>
  failure.kind === 'refused' || failure.kind === 'unreachable';

const isSuccess = ({ statuses }: Expectation): boolean =>
  statuses.some((status) => status === 200 || status === 201);

const isMeantToBeRefused = ({ statuses }: Expectation): boolean => !statuses.includes(201);

/** The requirement that the server should refuse the request by; null: it is meant to create, or may. */
const refusedUnder = ({ serverModel }: State, { request, inputSpace, expects }: Probe): string | null => {
  const expected = expects.find(isMeantToBeRefused)?.requirement;
  if (expected !== undefined) return expected;
  // A server that accepts any body may still check keys. Other APIs may need none.
  if (request.credential.chargedTo === null && serverModel.store) return 'AUTH-1';
  return inputSpace === 'undocumented' || inputSpace === 'no-operation' ? 'GEN-4' : null;
};

/** A pipeline over one client. */
export const createExchangePipeline = (options: Options) => {
  const state: State = { ...options, lock: createExclusiveLock(), sequence: 0 };
  const pipeline: ExchangePipeline = {
    send: (probe, attempt, sendOptions = {}) => send(state, probe, attempt, sendOptions),
    stopOthers: async () => {
      // First: while this process waits for others, it must not keep them waiting.
      const letOthersGoOn = await state.stopOtherWorkers?.();
      const release = await state.lock.acquire(true);
      return () => {
        release();
        letOthersGoOn?.();
      };
    },
  };
  return {
    ...pipeline,
    /** Waits until nothing of this process is in flight. Returns the function that lets it go on. */
    stop: () => state.lock.acquire(true),
  };
};

const send = async (state: State, probe: Probe, attempt: Attempt, options: SendOptions) => {
  if (attempt.alone) {
    await settle(state);
    return sendNow(state, probe, attempt, options);
  }
  const release = await state.lock.acquire(false);
  try {
    return await sendNow(state, probe, attempt, options);
  } finally {
    release();
  }
};

const sendNow = async (state: State, probe: Probe, attempt: Attempt, options: SendOptions) => {
  const operation = operationOf(state, probe);
  const permit = mayCreate(probe)
    ? await state.creations.reserve(
        refusedUnder(state, probe),
        attempt.stage,
        operation === null ? '' : kindOfResource(operation),
      )
    : null;
  if (permit !== null && !permit.granted)
    throw new CaseSkipped(permit.reason, { lostTo: permit.reason.code });
  state.sequence += 1;
  const pending: PendingRequest = { probe, attempt, options, sequence: state.sequence, responses: [] };
  const done = state.serverModel.sending(probe);
  let mayStillExecute = false;
  try {
    const result = await sendPending(state, pending);
    mayStillExecute = hasUnknownEffect(result.exchanges);
    recordSilence(state, pending, result);
    if (result.kind === 'not-sent') permit?.release(mayStillExecute ? null : false);
    const response = parsedResponse(pending, result);
    permit?.release(hasCreated(state, probe, response));
    // The oracle has judged what was read; checks need the whole body.
    if (response.body.kind === 'cut')
      throw new CaseSkipped({ code: 'max-body', bytes: response.body.at }, { lostTo: 'max-body' });
    return response;
  } finally {
    if (!mayStillExecute) done();
    permit?.release(null);
  }
};

const operationOf = ({ serverModel }: State, { request }: Probe): Operation | null =>
  serverModel.document.operations.find(({ id }) => id === request.operation) ?? null;

const hasCreated = (state: State, probe: Probe, response: ParsedResponse): boolean =>
  state.serverModel.store
    ? isCreation(probe.request.method, response.status)
    : mayHaveCreated(state.serverModel.document, operationOf(state, probe), response);

const mayCreate = ({ request: { method } }: Probe): boolean => method === 'POST' || method === 'PUT';

/** An attempt that is made alone is judged alone: not by a process that another request has just brought down. */
const settle = async ({ crashTracker, clock, signal }: State): Promise<void> => {
  const restMs = crashTracker.settleTimeLeft(clock.now());
  // A run that was aborted is refused its next request by the client.
  if (restMs > 0) await clock.sleep(restMs, signal).catch(() => undefined);
};

const sendPending = (state: State, pending: PendingRequest): Promise<SendResult> => {
  const { probe, attempt, options } = pending;
  return state.client.send(probe.request, {
    timeoutGroup: `${attempt.check.id} ${probe.request.operation}`,
    ...(probe.expects.length === 0 ? {} : { expectsSuccess: probe.expects.some(isSuccess) }),
    repeatable: !['POST', 'PATCH'].includes(probe.request.method) || probe.expects.some(isMeantToBeRefused),
    duringBackoff: probe.duringBackoff ?? false,
    isDocumented: probe.inputSpace === 'documented',
    observe: (exchange) => observe(state, pending, exchange),
    ...options,
  });
};

/** Monitors and pacing need the response before the request is sent again. Without a response, the last attempt decides. */
const observe = (state: State, pending: PendingRequest, exchange: Exchange): void => {
  const { probe } = pending;
  if (exchange.response !== null) judgeResponse(state, pending, parseResponse(exchange));
  else if (exchange.failure.kind === 'reset') state.crashTracker.dropped({ probe, exchange });
};

const judgeResponse = (state: State, pending: PendingRequest, response: ParsedResponse): void => {
  const { serverModel, crashTracker } = state;
  const { probe, attempt, options, sequence } = pending;
  const { exchange } = response;
  attempt.exchanges += 1;
  pending.responses.push(response);
  crashTracker.responded({ probe, response });
  const operation = operationOf(state, probe);
  const findings = [
    ...state.monitor(response, probe, { expects429: options.expects429 ?? false }),
    ...judge({ probe, response, operation, serverModel, sequence }),
  ];
  record(state, pending, exchange, findings);
  serverModel.update({ probe, response, sequence, sequenceAtEnd: state.sequence });
  state.keep(exchange, attempt.check, findings);
};

const record = (
  { serverModel }: State,
  { probe, attempt }: PendingRequest,
  exchange: Exchange,
  findings: readonly Finding[],
): void => {
  for (const finding of findings)
    attempt.findings.push(
      isBreach(finding) ? withContext(finding, attempt.sent, serverModel, probe) : finding,
    );
  attempt.sent.push({ probe, exchange });
};

/** Keeps the attempts without a response, and judges the request by one of them if it got none at all. */
const recordSilence = (state: State, pending: PendingRequest, result: SendResult): void => {
  const { probe, attempt } = pending;
  const decisive = result.kind === 'no-response' ? result.exchange : null;
  for (const exchange of result.exchanges)
    if (exchange.response === null && exchange !== decisive) state.keep(exchange, attempt.check, []);
  if (decisive !== null) attempt.exchanges += 1;
  const silence = failedExchangeOf(state, result);
  if (silence === null) return;
  const isGone = state.client.state().unreachableReason !== null;
  const findings = probe.observedOnly === true && !isGone ? [] : judgeNoResponse(probe, silence);
  record(state, pending, silence, findings);
  state.keep(silence, attempt.check, findings);
};

const isDropped = (exchange: Exchange): exchange is FailedExchange => exchange.failure?.kind === 'reset';

/** A request that was dropped, and found no connection when it was sent again, is reported as dropped. */
const failedExchangeOf = ({ client }: State, result: SendResult): FailedExchange | null => {
  const dropped = result.exchanges.find(isDropped) ?? null;
  if (result.kind === 'no-response')
    return isDropped(result.exchange) ? result.exchange : (dropped ?? result.exchange);
  // Another request had found the target gone before this one was sent again.
  return result.kind === 'not-sent' && client.state().unreachableReason !== null ? dropped : null;
};

/** The last attempts got no response, and may have reached the server. */
const hasUnknownEffect = (exchanges: readonly Exchange[]): boolean => {
  const lastResponse = exchanges.findLastIndex(({ response }) => response !== null);
  return exchanges
    .slice(lastResponse + 1)
    .some((exchange) => exchange.response === null && !hadNoConnection(exchange));
};

/** The response that decides; without one the case ends. */
const parsedResponse = ({ probe: { request }, responses }: PendingRequest, result: SendResult) => {
  const last = responses.at(-1);
  if (result.kind === 'not-sent') {
    const response429 = last?.status === 429 ? last : null;
    throw new CaseSkipped(result.reason, { lostTo: result.reason.code, response429 });
  }
  if (result.kind === 'no-response' || last === undefined)
    throw new CaseSkipped({
      code: 'no-response',
      detail: 'request',
      request: `${request.method} ${request.path}`,
    });
  return last;
};
