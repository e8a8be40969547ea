import type { KeySlot } from '../http/exchange.ts';
import type { PacedRequest, PaceSlot, Pacing, Permission, RequestEnded } from '../http/pacing-types.ts';
import type { Plan } from '../openapi/plans.ts';
import { createAccountSharing } from './account-sharing.ts';
import { type CountsUp, createCountsUp } from './header-quirks.ts';
import { pacedLimitOf } from './paced-limit.ts';
import { createPacer } from './pacer.ts';
import type { Pacer, PacerOptions, SendTicket } from './pacer-state.ts';
import { createRequestCosts, createRequestLog } from './request-log.ts';

export interface PacingOptions
  extends Omit<PacerOptions, 'slot' | 'plan' | 'countsUp' | 'requests' | 'costs'> {
  /** The plan of each key; null: unknown. */
  readonly plans: Readonly<Record<KeySlot, Plan | null>>;
}

/** Creates the pacing of a run: for each key, and for requests without a valid key, which may be charged to the API key. */
export const createPacing = (options: PacingOptions): Pacing => {
  const countsUp = createCountsUp();
  const pacers = createPacers(options, countsUp);
  const accounts = createAccountSharing();

  const mayChargeKey = ({ slot, keyPlace }: PacedRequest): boolean =>
    slot === 'anonymous' && accounts.mayBeShared(keyPlace);

  const chargedEnded =
    (ticket: SendTicket, keyPlace: string): RequestEnded =>
    (exchange, now) => {
      if (exchange?.response == null) return pacers.main.lost(ticket, now);
      const { status } = exchange.response;
      const read = pacedLimitOf(exchange);
      if (status === 429 && accounts.isShared(keyPlace))
        return pacers.main.responded(ticket, status, read, now);
      pacers.main.respondedWithoutKey(ticket, accounts.mayBeShared(keyPlace) ? read : null, now);
    };

  return {
    ask: (request, now) => {
      const own = askPacer(pacers[request.slot], request, now);
      const other = mayChargeKey(request) ? 'main' : request.mayCountElsewhere ? 'anonymous' : null;
      if (own.kind !== 'go' || other === null) return own;
      const ofOther = pacers[other].ask(now);
      return ofOther.kind === 'ended' ? own : ofOther;
    },
    sent: (request, now) => {
      const { slot, kind, keyPlace, expects429 } = request;
      const isCharged = mayChargeKey(request) && pacers.main.ask(now).kind === 'go';
      const ticket = pacers[slot].sent(now, kind, expects429);
      const charged = isCharged ? chargedEnded(pacers.main.sentWithoutKey(now), keyPlace) : null;
      return (exchange, endedAt) => {
        if (exchange?.response == null) pacers[slot].lost(ticket, endedAt);
        else {
          const { status } = exchange.response;
          const read = pacedLimitOf(exchange);
          pacers[slot].responded(ticket, status, read, endedAt);
          if (slot === 'main' && status !== 401) accounts.observeWithKey(read);
          if (slot === 'anonymous') accounts.observeWithoutKey(keyPlace, read);
        }
        charged?.(exchange, endedAt);
      };
    },
    estimate: (slot, requests, now) => pacers[slot].estimate(requests, now),
    isShared: (slot) => pacers[slot].isShared(),
    countsUp: countsUp.isProven,
  };
};

const askPacer = (pacer: Pacer, { duringBackoff, expects429 }: PacedRequest, now: number): Permission => {
  if (duringBackoff) return { kind: 'go' };
  return expects429 ? pacer.askOverLimit(now) : pacer.ask(now);
};

const createPacers = ({ plans, sharedKey, ...options }: PacingOptions, countsUp: CountsUp) => {
  const ofServer = { countsUp, requests: createRequestLog(), costs: createRequestCosts() };
  const create = (slot: PaceSlot): Pacer =>
    createPacer({
      ...options,
      ...ofServer,
      slot,
      plan: slot === 'anonymous' ? null : plans[slot],
      sharedKey: sharedKey && slot === 'main',
    });
  return { main: create('main'), 'rate-limit': create('rate-limit'), anonymous: create('anonymous') };
};
