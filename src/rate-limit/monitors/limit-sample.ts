import { lowerCaseBearer } from '../../http/credentials.ts';
import type { ParsedResponse } from '../../http/parsed-response.ts';
import type { Probe } from '../../oracle/probe.ts';
import { type LimitState, limitState, refillAfter } from '../limit-state.ts';

/** What a response shows of the limit. */
export interface LimitSample extends LimitState {
  /** Exchanges are numbered in the order in which they are sent. */
  readonly id: number;
  /** No exchange above this number was sent before the response had come. */
  readonly lastSentBefore: number;
  /** By the run's clock, in milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Null: a header is absent or malformed. */
export const parseRateSample = (response: ParsedResponse, lastSentBefore: number): LimitSample | null => {
  const { id, startedAt, durationMs } = response.exchange;
  const state = limitState(response);
  return state === null ? null : { ...state, id, lastSentBefore, startedAt, endedAt: startedAt + durationMs };
};

/**
 * Whether an answer surely shows the key's own limit. Who is refused for the credential may be counted by address, and so may what is
 * answered in front of authentication: a path that no route takes (that of a negative petId, say), a body that is too large. A server
 * that fails is at fault for that.
 * Who counts by the whole Authorization header takes the scheme in lower case for another caller.
 */
export const belongsToKey = ({ status }: ParsedResponse, { inputSpace, request }: Probe): boolean =>
  request.credential !== lowerCaseBearer &&
  status !== 401 &&
  status !== 403 &&
  status !== 404 &&
  status < 500 &&
  (inputSpace === 'documented' || status < 300);

/** Whether a request was sent after an answer had arrived. */
export const isAfter = (later: { readonly id: number }, earlier: LimitSample): boolean =>
  later.id > earlier.lastSentBefore;

/** How many requests a bucket has refilled between two answers, at most. */
export const refilledBetween = (from: LimitSample, to: LimitSample): number =>
  Math.ceil(refillAfter(from, (to.endedAt - from.startedAt) / 1000));
