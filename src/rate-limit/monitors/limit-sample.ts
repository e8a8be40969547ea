import type { Probe } from '../../finding/probe.ts';
import type { ParsedResponse } from '../../http/parsed-response.ts';
import { type LimitState, limitState, refillAfter } from '../limit-state.ts';

/** The limit shown by a response, with the place of its exchange. */
export interface LimitSample extends LimitState {
  /** Exchanges are numbered in the order of sending. */
  readonly id: number;
  /** The last exchange that was sent before the response arrived. */
  readonly lastSentBefore: number;
  /** Milliseconds by the run's clock. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Returns null if a header is absent or malformed. */
export const parseRateSample = (response: ParsedResponse, lastSentBefore: number): LimitSample | null => {
  const { id, startedAt, durationMs } = response.exchange;
  const state = limitState(response);
  return state === null ? null : { ...state, id, lastSentBefore, startedAt, endedAt: startedAt + durationMs };
};

/**
 * Tells whether a response certainly shows the key's own limit. A server may count by address if it rejects the credential, or if it
 * responds before authentication. It may do so for a path without a route, for example with a negative petId, or for a large body. A
 * server error is a separate failure.
 */
export const belongsToKey = ({ status }: ParsedResponse, { inputSpace, request }: Probe): boolean =>
  request.credential.mayCountElsewhere !== true &&
  status !== 401 &&
  status !== 403 &&
  status !== 404 &&
  status < 500 &&
  (inputSpace === 'documented' || status < 300);

/** Tells whether a request was sent after an earlier response had arrived. */
export const isAfter = (later: { readonly id: number }, earlier: LimitSample): boolean =>
  later.id > earlier.lastSentBefore;

/** Returns the most requests that a bucket has refilled between two responses. */
export const refilledBetween = (from: LimitSample, to: LimitSample): number =>
  Math.ceil(refillAfter(from, (to.endedAt - from.startedAt) / 1000));
