import type { CheckName } from '../check/check-name.ts';
import type { Client } from '../http/client-types.ts';
import type { Exchange, Unanswered } from '../http/exchange.ts';
import { type ParsedResponse, parseResponse } from '../http/parsed-response.ts';
import { type Finding, isBreach } from '../oracle/finding.ts';
import { judge, judgeSilence } from '../oracle/oracle.ts';
import type { Expectation, Probe } from '../oracle/probe.ts';
import type { LossCode, Reason } from '../oracle/reason.ts';
import type { Clock } from '../time/clock.ts';
import type { CrashTracker } from './crash-tracker.ts';
import { type CreationAllowance, isCreation } from './creation-allowance.ts';
import { createGate } from './exclusive-lock.ts';
import { placed, type Sent } from './request-context.ts';
import type { LearningServerModel } from './server-model.ts';

/** Ends a case: what it needs did not come. */
export class CaseEnded extends Error {
  readonly reason: Reason;
  /** What the case was lost to; null: to nothing, the server gave no chance to decide. */
  readonly lostTo: LossCode | null;
  /** The 429 after which nothing more is sent; null: that is not why. */
  readonly refused: ParsedResponse | null;

  constructor(
    reason: Reason,
    { lostTo = null, refused = null }: Partial<Pick<CaseEnded, 'lostTo' | 'refused'>> = {},
  ) {
    super(reason.code);
    this.reason = reason;
    this.lostTo = lostTo;
    this.refused = refused;
  }
}

/** Where the findings of one attempt at a case go, and every exchange with them. */
export interface Attempt {
  readonly check: CheckName;
  readonly findings: Finding[];
  /** What was sent, in the order in which it was answered. */
  readonly sent: Sent[];
  /** Exchanges so far; what is sent again for want of a connection counts once. */
  exchanges: number;
  /** What the case was lost to; null: it was not. */
  lostTo: LossCode | null;
  /** Its requests are sent with no other under way, so that what happens then is their doing. */
  readonly alone?: boolean;
}

/** Sends probes for attempts, and has every answer judged and learnt from. */
export interface ExchangePipeline {
  send(probe: Probe, attempt: Attempt, options?: SendOptions): Promise<ParsedResponse>;
  /** To be called for every exchange on the wire, final or not. */
  onExchange(exchange: Exchange, how: { readonly asked: boolean; readonly final: boolean }): void;
}

export interface SendOptions {
  /** A 429 is wanted: nothing is paced but the wait of an earlier 429, nothing is sent again. */
  readonly expects429?: boolean;
  /** Requests of one line go over one connection, which nothing else is sent on. */
  readonly line?: string;
}

interface Options {
  client(): Client;
  readonly serverModel: LearningServerModel;
  readonly creations: CreationAllowance;
  readonly crashTracker: CrashTracker;
  readonly clock: Clock;
  /** Ends the run. */
  readonly signal: AbortSignal;
  /** Keeps an exchange for the reports. */
  keep(exchange: Exchange, check: CheckName, findings: readonly Finding[]): void;
  /** Sees every answer in the order of arrival, before it is judged by the case. */
  watch(reading: ParsedResponse, probe: Probe, how: { readonly asked: boolean }): readonly Finding[];
}

interface UnderWay {
  readonly probe: Probe;
  readonly attempt: Attempt;
  readonly ticket: number;
  /** The answer that came last: a request that is refused with 429 is sent again. */
  latest: ParsedResponse | null;
  /** The connection that it was sent over first was dropped; it may have been closed for want of use. */
  dropped: Unanswered | null;
  /** It may have reached the server, and no answer tells what became of it there. */
  mayBeServedYet: boolean;
}

/** It never reached the server. */
const hadNoConnection = ({ failure }: Unanswered): boolean =>
  failure.kind === 'refused' || failure.kind === 'unreachable';

const isMeantToBeRefused = ({ statuses }: Expectation): boolean => !statuses.includes(201);

/** The requirement that the server should refuse the request by; null: it is meant to create, or may. */
const refusedUnder = ({ inputSpace, expects }: Probe): string | null =>
  expects.find(isMeantToBeRefused)?.requirement ??
  (inputSpace === 'undocumented' || inputSpace === 'no-operation' ? 'GEN-4' : null);

/** A pipeline over one client. */
export const createExchangePipeline = ({
  client,
  serverModel,
  creations,
  crashTracker,
  clock,
  signal,
  keep,
  watch,
}: Options): ExchangePipeline => {
  const underWay = new Map<Probe['request'], UnderWay>();
  const gate = createGate();
  let tickets = 0;

  const judged = (reading: ParsedResponse, probe: Probe, ticket: number): readonly Finding[] => {
    const operation =
      serverModel.document.operations.find(({ id }) => id === probe.request.operation) ?? null;
    return judge({ probe, reading, operation, serverModel, ticket });
  };

  const add = (findings: readonly Finding[], attempt: Attempt, probe: Probe): void => {
    for (const finding of findings)
      attempt.findings.push(isBreach(finding) ? placed(finding, attempt.sent, serverModel, probe) : finding);
  };

  /** What was dropped, and found no connection when it was sent again, is told as what was dropped. */
  const unanswered = (exchange: Unanswered, sent: UnderWay, final: boolean): void => {
    const { probe, attempt } = sent;
    const isDropped = exchange.failure.kind === 'reset';
    sent.mayBeServedYet ||= !hadNoConnection(exchange);
    if (isDropped) crashTracker.dropped({ probe, exchange });
    if (isDropped && !final) sent.dropped ??= exchange;
    if (final) silent(isDropped ? exchange : (sent.dropped ?? exchange), sent);
    else keep(exchange, attempt.check, []);
  };

  const silent = (exchange: Unanswered, { probe, attempt }: UnderWay): void => {
    const findings = judgeSilence(probe, exchange);
    add(findings, attempt, probe);
    attempt.sent.push({ probe, exchange });
    keep(exchange, attempt.check, findings);
  };

  const onExchange: ExchangePipeline['onExchange'] = (exchange, { asked, final }) => {
    const sent = underWay.get(exchange.request);
    if (sent === undefined) return;
    if (exchange.response !== null || final) sent.attempt.exchanges += 1;
    const { probe, attempt, ticket } = sent;
    if (exchange.response === null) return unanswered(exchange, sent, final);
    const reading = parseResponse(exchange);
    crashTracker.answered({ probe, reading });
    const findings = [...watch(reading, probe, { asked }), ...judged(reading, probe, ticket)];
    add(findings, attempt, probe);
    attempt.sent.push({ probe, exchange: reading.exchange });
    serverModel.learn({ probe, reading, ticket, done: tickets });
    keep(reading.exchange, attempt.check, findings);
    sent.latest = reading;
    sent.mayBeServedYet = false;
  };

  /** What is sent alone is to be judged alone: not by a process that another request has just brought down. */
  const enter = async (alone: boolean): Promise<() => void> => {
    const leave = await gate.enter(alone);
    const restMs = alone ? crashTracker.unsettledFor(clock.now()) : 0;
    // A run that was aborted is refused its next request by the client.
    if (restMs > 0) await clock.sleep(restMs, signal).catch(() => undefined);
    return leave;
  };

  const send: ExchangePipeline['send'] = async (probe, attempt, options = {}) => {
    const { method } = probe.request;
    const mayCreate = method === 'POST' || method === 'PUT';
    const reservation = mayCreate ? await creations.reserve(refusedUnder(probe)) : null;
    if (reservation !== null && !reservation.granted)
      throw new CaseEnded(reservation.reason, { lostTo: reservation.reason.code });
    const leave = await enter(attempt.alone === true);
    tickets += 1;
    const sending: UnderWay = {
      probe,
      attempt,
      ticket: tickets,
      latest: null,
      dropped: null,
      mayBeServedYet: false,
    };
    underWay.set(probe.request, sending);
    const over = serverModel.sending(probe);
    try {
      const result = await client().send(probe.request, {
        hangClass: `${attempt.check.id} ${probe.request.operation}`,
        repeatable: !['POST', 'PATCH'].includes(method) || probe.expects.some(isMeantToBeRefused),
        duringBackoff: probe.duringBackoff ?? false,
        ...options,
      });
      if (result.kind === 'not-sent') {
        // Another request had found the target gone before this one was sent again.
        if (sending.dropped !== null && client().state().dead !== null) silent(sending.dropped, sending);
        reservation?.settle(sending.mayBeServedYet ? null : false);
        const refused = sending.latest?.status === 429 ? sending.latest : null;
        throw new CaseEnded(result.reason, { lostTo: result.reason.code, refused });
      }
      if (result.kind === 'no-answer') {
        const request = `${method} ${probe.request.path}`;
        throw new CaseEnded({ code: 'no-response', detail: 'request', request });
      }
      const reading = sending.latest;
      if (reading === null) throw new Error('An answered exchange was not announced by the client.');
      reservation?.settle(isCreation(method, reading.status));
      // The oracle has judged what was read; checks need the whole body.
      if (reading.body.kind === 'cut')
        throw new CaseEnded({ code: 'max-body', bytes: reading.body.at }, { lostTo: 'max-body' });
      return reading;
    } finally {
      leave();
      if (!sending.mayBeServedYet) over();
      reservation?.settle(null);
      underWay.delete(probe.request);
    }
  };

  return { send, onExchange };
};
