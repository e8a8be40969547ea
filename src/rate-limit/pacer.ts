import { estimateTime } from './estimate.ts';
import type { RateLimit } from './headers.ts';
import {
  ABSENT_AFTER,
  createPacerState,
  isShared,
  note,
  ownLimitsOf,
  type Pacer,
  type PacerOptions,
  type PacerState,
  reserveOf,
  type SendTicket,
  shareOf,
  shownRenewal,
  UNSEEN_PART,
} from './pacer-state.ts';
import { askOverLimit, askPermission, sendReason } from './permission.ts';
import { keyless } from './request-log.ts';
import { isDaily, isWindowFresh, observeLimit } from './shown-limit.ts';
import {
  inFlight,
  recordLost,
  recordNotCharged,
  recordResponse,
  recordSent,
  resetWindow,
  type WindowReading,
} from './window.ts';

/** Number of a request outside the own count. */
const NOT_COUNTED = -1;

/**
 * Creates a pacer that follows rate-limit headers, or its own count if headers do not show a limit. At first, one request is sent and
 * others wait for its response.
 */
export const createPacer = (options: PacerOptions): Pacer => {
  const state = createPacerState(options);
  return {
    ask: (now) => askPermission(state, now),
    askOverLimit: (now) => askOverLimit(state, now),
    sent: (now, kind, expects429 = false) => {
      state.interval.sent(now);
      state.countsUp.sent();
      const reason = expects429 ? null : sendReason(state, now);
      const logged = options.slot === 'anonymous' ? null : state.requests.sent(kind);
      const number = state.log.sent(now);
      return { place: recordSent(state.window), number, sentAt: now, expects429, reason, logged };
    },
    responded: (ticket, status, headers, now) => learn(state, ticket, status, headers, now),
    lost: (ticket, now) => {
      state.log.responded(ticket.number, now);
      if (ticket.logged !== null) state.requests.ended(ticket.logged, null);
      recordLost(state.window, ticket.place);
    },
    sentWithoutKey: (now) => ({
      place: recordSent(state.window),
      number: NOT_COUNTED,
      sentAt: now,
      expects429: false,
      reason: null,
      logged: state.requests.sent(keyless),
    }),
    respondedWithoutKey: (ticket, headers, now) => {
      if (ticket.logged !== null) state.requests.ended(ticket.logged, null);
      if (headers === null) return recordNotCharged(state.window, ticket.place);
      state.log.responded(state.log.sent(now), now);
      const read = state.countsUp.correct(headers);
      recordResponse(state.window, ticket.place, windowReading(state, read, now, false));
    },
    estimate: (requests, now) => estimateTime(state, requests, now),
    isShared: () => isShared(state),
  };
};

/** The server did not take the key for valid, so its headers may show the limit of callers without a key. */
const isOfAnotherCaller = ({ options }: PacerState, status: number): boolean =>
  status === 401 && options.slot !== 'anonymous';

/** Learns from a response to a request with the key. */
const learn = (state: PacerState, ticket: SendTicket, status: number, read: RateLimit, now: number): void => {
  const { options, requests, others, window, backoff } = state;
  state.log.responded(ticket.number, now);
  if (ticket.logged !== null) requests.ended(ticket.logged, status);
  if (isOfAnotherCaller(state, status)) {
    recordLost(window, ticket.place);
    backoff.responded(ticket.place, status);
    return;
  }
  const headers = interpret(state, ticket, read, now);
  if (ticket.logged !== null && read.isUndocumented === undefined)
    others.observe(ticket.logged, status, headers, now);
  if (isShared(state) && !options.sharedKey) note(state, { kind: 'others-use-key', slot: options.slot });
  const place = recordResponse(window, ticket.place, windowReading(state, headers, now, true));
  observeHeaders(state, ticket, status, headers);
  state.receivedAt = now;
  if (status !== 429) {
    backoff.responded(ticket.place, status);
    return;
  }
  backoff.limited(ticket.place, place, headers, now, ticket.expects429);
  slowDown(state, ticket, headers, now);
  resetWindow(window);
};

/** Returns the headers with known quirks of the server corrected. */
const interpret = (state: PacerState, { sentAt }: SendTicket, read: RateLimit, now: number): RateLimit => {
  const { options, server, countsUp, fallingReset, window, shown } = state;
  if (options.slot === 'main' && read.isUndocumented === undefined)
    countsUp.observe(read, { inFlight: inFlight(window) - 1, sentAt, now });
  if (read.date !== null) server.observe(read.date, sentAt, now);
  fallingReset.observe(read, { sentAt, now });
  if (fallingReset.isMisleading()) shown.windowSpan = 0;
  const counted = countsUp.correct(read);
  const headers = fallingReset.correct(counted);
  observeLimit(shown, headers, server.known() ? server.latest(now) : null, now);
  const isCorrected = counted !== read;
  // Earlier samples were read with the wrong meaning.
  if (isCorrected && !state.isCorrected) resetWindow(window);
  state.isCorrected = isCorrected;
  return headers;
};

const windowReading = (
  state: PacerState,
  shown: RateLimit,
  now: number,
  withKey: boolean,
): WindowReading => ({ ...shown, renewsAt: shownRenewal(state, shown.resetAt, now), at: now, withKey });

const observeHeaders = (state: PacerState, ticket: SendTicket, status: number, headers: RateLimit): void => {
  const { zeroRemaining, sharedWindow, shown, options } = state;
  zeroRemaining.observe(status, headers, ticket.reason);
  state.withoutHeaders = headers.remaining === null ? state.withoutHeaders + 1 : 0;
  sharedWindow.observe({
    ...headers,
    begins: ticket.reason !== null || state.receivedAt === 0,
    sentAt: ticket.sentAt,
    isFresh: isWindowFresh(shown),
    isEnough: (headers.remaining ?? 0) > reserveOf(state),
  });
  if (zeroRemaining.isIgnored()) note(state, { kind: 'zero-ignored', slot: options.slot });
  if (state.withoutHeaders === ABSENT_AFTER) noteUnseen(state, shown.limit === null ? 'absent' : 'gaps');
  else if (isDaily(shown) && ownLimitsOf(state, false).length > 0) noteUnseen(state, 'daily');
};

const noteUnseen = (state: PacerState, headers: 'absent' | 'gaps' | 'daily'): void => {
  const { plan, slot } = state.options;
  const minute = ownLimitsOf(state, true).find(({ windowMs }) => windowMs === state.minuteMs);
  // Requests without a key are usually not limited.
  if (minute === undefined && slot === 'anonymous') return;
  note(state, {
    kind: 'limit-unseen',
    slot,
    headers,
    perMinute: minute === undefined ? null : shareOf(state, minute.limit, UNSEEN_PART),
    planIsUnknown: plan === null,
  });
};

const slowDown = (state: PacerState, ticket: SendTicket, headers: RateLimit, now: number): void => {
  const perSecond = ticket.expects429 ? null : state.interval.limited(ticket.sentAt, now, headers);
  if (perSecond === null) return;
  note(state, { kind: 'slowed-down', slot: state.options.slot, perSecond });
};
