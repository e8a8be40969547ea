import type { PaceSlot } from './client-types.ts';
import type { RateHeaders } from './rate-headers.ts';

/** Why a request went out although nothing seemed to remain: the window was to be renewed by then, or the headers are in doubt. */
export type Despite = 'renewal' | 'renewal after a long wait' | 'doubt';

/** Whether a Remaining of 0 is to be heeded: there are servers that show it and serve all the same. */
export interface Doubt {
  /** One request may find out, where else so much time would be waited. */
  mayAsk(waitMs: number): boolean;
  /** A request was served although nothing remained. */
  isConfirmed(): boolean;
  heard(status: number, headers: Pick<RateHeaders, 'limit' | 'remaining'>, despite: Despite | null): void;
}

/** Waits no longer than this cost less than a doubt. */
const SHORT_WAIT_MS = 3_150;
/** They are so no more when as many answers have said that nothing is left. */
const SHORT_WAITS = 3;
/** A window with room for fewer may well have nothing left after one request. */
const LEAST_LIMIT = 3;

/** Without a key a server may show 0 from the start; with one it takes two long waits of which each was good for one request. */
export const createDoubt = (slot: PaceSlot, isShared: () => boolean): Doubt => {
  let state: 'none' | 'open' | 'refuted' | 'confirmed' = 'none';
  let everLeft = false;
  let longWaits = 0;
  let emptyAnswers = 0;
  return {
    mayAsk: (waitMs) => state === 'open' && (emptyAnswers >= SHORT_WAITS || waitMs > SHORT_WAIT_MS),
    isConfirmed: () => state === 'confirmed',
    heard: (status, { limit, remaining }, despite) => {
      if (despite === 'doubt') state = status === 429 ? 'refuted' : 'confirmed';
      const isEmpty = remaining === 0 && status !== 429;
      const nothingLeft = isEmpty && state === 'none';
      emptyAnswers = isEmpty ? emptyAnswers + 1 : 0;
      if (nothingLeft && slot === 'anonymous' && !everLeft) state = 'open';
      const isLongWait =
        despite === 'renewal after a long wait' && nothingLeft && (limit ?? 0) >= LEAST_LIMIT && !isShared();
      longWaits = isLongWait ? longWaits + 1 : 0;
      if (longWaits >= 2) state = 'open';
      if (remaining !== null && remaining > 0) everLeft = true;
    },
  };
};
