import { createBackoff } from './backoff.ts';
import type { KeyEnd, PaceSlot } from './client-types.ts';
import { createDoubt } from './doubt.ts';
import { waitingMs } from './estimate.ts';
import { createLimitReading, MINUTE_MS } from './limit-reading.ts';
import { createOtherClients } from './other-clients.ts';
import type { Pace, PaceOptions, Permission, Ticket } from './pace-types.ts';
import { createSendLog, evenlyMs } from './quota.ts';
import { type RateHeaders, readRateHeaders } from './rate-headers.ts';
import { createRemainingSense } from './remaining-sense.ts';
import { createRequestCosts } from './request-costs.ts';
import { createRequestLog, keyless } from './request-log.ts';
import { createServerClock } from './server-clock.ts';
import { createSharedWindow } from './shared-window.ts';
import { createSpacing } from './spacing.ts';
import { createWindowView, type Heard } from './window-view.ts';

/** Reset has whole seconds, and may be rounded down. */
const RENEWAL_MARGIN_MS = 1_050;
/** Answers in a row without rate limit headers after which they count as absent. */
const ABSENT_AFTER = 3;
/** With neighbours on the key, our part of a limit of which nobody tells how much they use. */
const UNSEEN_PART = 0.5;
/** With neighbours on the key, what an answer told is stale after this part of a minute. */
const STALE_PART = 1 / 60;
/** On a shared key, so many requests must be left above the reserve for each one in flight: the others have some in flight too. */
const LEFT_FOR_EACH = 8;
/** A window that takes this long to be renewed is to be good for more than one request. */
const LONG_WAIT_MS = 30_000;
/** The end of what a Date can hold: a Retry-After in nanoseconds reaches beyond it. */
const LATEST_MS = 8_640_000_000_000_000;
/** What is not known to count is not counted. */
const NOT_LOGGED = -1;
const OTHERS_USE_IT =
  'others use it at the same time (X-RateLimit-Remaining falls by more than this run sends); going on as with --shared-key';
const GO: Permission = { kind: 'go' };
const ANSWER: Permission = { kind: 'answer' };

const names: Readonly<Record<PaceSlot, string>> = {
  main: 'the API key',
  'rate-limit': 'the rate limit key',
  anonymous: 'requests without a valid key',
};

/**
 * Keeps clear of 429s by what the server tells of its limit, and by a count of our own for what it does not tell. Nothing is known of a key at
 * first: so one request goes alone, and the others wait for its answer.
 */
export const createPace = (options: PaceOptions): Pace => {
  const { slot, minuteMs = MINUTE_MS, sense = createRemainingSense() } = options;
  const { requests: sentRequests = createRequestLog(), costs = createRequestCosts() } = options;
  const name = names[slot];
  const server = createServerClock();
  const others = createOtherClients(sentRequests, costs);
  const isShared = (): boolean => options.sharedKey || others.state() === 'confirmed';
  const view = createWindowView({ ours: () => !isShared() });
  const log = createSendLog();
  const backoff = createBackoff({ server, random: options.random, countsDenials: slot !== 'anonymous' });
  const reading = createLimitReading(options);
  const doubt = createDoubt(slot, isShared);
  const sharedWindow = createSharedWindow({ minuteMs, random: options.random });
  const spacing = createSpacing();
  const noted = new Set<string>();
  let ended: KeyEnd | null = null;
  /** Remaining is known for the number of requests made: what was heard of it before was misread. */
  let readAnew = false;
  let silentAnswers = 0;
  let heardAt = 0;

  const blind = (): boolean => silentAnswers >= ABSENT_AFTER || doubt.isConfirmed();
  const share = (limit: number, part = 0.9): number =>
    isShared() ? Math.max(1, Math.floor(limit * part)) : limit;
  const reserve = (): number => {
    const limit = reading.limit() ?? 0;
    return limit - share(limit);
  };
  const note = (text: string): void => {
    if (!noted.has(text)) options.note(text);
    noted.add(text);
  };

  const end = (why: KeyEnd): Permission => {
    ended ??= why;
    return { kind: 'ended', end: ended };
  };
  const waitUntil = (untilMs: number, reason: string, now: number): Permission => {
    if (untilMs - now <= options.maxWaitMs) return { kind: 'wait', untilMs, reason };
    const until = new Date(Math.min(untilMs, LATEST_MS)).toISOString();
    return end({ detail: 'used-up', key: slot, until });
  };

  const renewsAt = (): number =>
    isShared() ? sharedWindow.renewsAt(view.renewsAt(), heardAt, reading.windowMs()) : view.renewsAt();

  /** Others use the key as well: the nearer the reserve, the fewer requests are in flight, and what is known is soon out of date. */
  const mayJoin = (left: number, now: number): boolean => {
    const flying = view.inFlight();
    const isStale = now - heardAt > STALE_PART * minuteMs;
    return flying === 0 || (!isStale && flying < (left - reserve()) / LEFT_FOR_EACH);
  };

  const askHeaders = (now: number): Permission => {
    if (blind()) return GO;
    const left = view.left();
    const alone = view.inFlight() === 0;
    if (left === null || others.state() === 'suspected') {
      if (!alone) return ANSWER;
      if (left === null) return GO;
    }
    if (left > reserve()) return !isShared() || mayJoin(left, now) ? GO : ANSWER;
    if (!alone) return ANSWER;
    if (now >= renewsAt() || doubt.mayAsk(renewsAt() - now)) return GO;
    return waitUntil(renewsAt(), `${name}: the limit of ${reading.limit() ?? '?'} requests is used up`, now);
  };

  const askOwnCounts = (now: number): Permission => {
    for (const { limit, windowMs } of reading.ownCounts(blind())) {
      const isMinute = windowMs === minuteMs;
      const ours = isMinute ? share(limit, UNSEEN_PART) : share(limit);
      const counted = log.ask(ours, windowMs, now);
      const evenly = isMinute && counted === 'go' ? log.askEvenly(ours, windowMs, now) : counted;
      if (evenly === 'answer') return ANSWER;
      const why = blind() ? 'no header shows what is left of them' : 'the headers show the limit of the day';
      const per = isMinute ? `minute, sent evenly, as ${why}` : 'day';
      if (evenly !== 'go') return waitUntil(evenly.untilMs, `${name}: ${limit} requests a ${per}`, now);
    }
    return GO;
  };

  const askOverLimit = (now: number): Permission => {
    if (backoff.silentUntil() <= now) return GO;
    return waitUntil(backoff.silentUntil(), `${name}: silence after a 429`, now);
  };

  const ask = (now: number): Permission => {
    const banned = backoff.banned();
    if (ended !== null) return { kind: 'ended', end: ended };
    if (banned !== null) return end({ detail: 'banned', key: slot, ...banned });
    const quiet = askOverLimit(now);
    if (quiet.kind !== 'go') return quiet;
    if (spacing.opensAt() > now)
      return waitUntil(spacing.opensAt(), `${name}: sent apart since a 429 that nothing foretold`, now);
    const counted = askOwnCounts(now);
    return counted.kind === 'go' ? askHeaders(now) : counted;
  };

  const despite = (now: number): Ticket['despite'] => {
    const left = view.left();
    if (blind() || left === null || left > reserve()) return null;
    if (now < renewsAt()) return 'doubt';
    return now - heardAt >= LONG_WAIT_MS ? 'renewal after a long wait' : 'renewal';
  };

  const learn = (ticket: Ticket, status: number, headers: RateHeaders): void => {
    const { remaining, resetAt } = headers;
    doubt.heard(status, headers, ticket.despite);
    silentAnswers = remaining === null ? silentAnswers + 1 : 0;
    sharedWindow.heard({
      limit: headers.limit,
      remaining,
      resetAt,
      begins: ticket.despite !== null || heardAt === 0,
      sentAt: ticket.sentAt,
      isFresh: reading.showsFreshWindow(),
      isEnough: (remaining ?? 0) > reserve(),
    });
    if (doubt.isConfirmed())
      note(`${name}: Remaining is 0 and requests are served all the same, so it is not heeded`);
    if (silentAnswers === ABSENT_AFTER)
      note(`${name}: the answers carry no usable rate limit headers; ${fallenBackOn()}`);
    else if (reading.daily() && reading.ownCounts(false).length > 0)
      note(`${name}: the headers show the limit of the day; ${fallenBackOn()}`);
  };
  const unlessPlanned = options.plan === null && slot === 'main' ? ' (--plan names another limit)' : '';
  const fallenBackOn = (): string => {
    const minute = reading.ownCounts(true).find(({ windowMs }) => windowMs === minuteMs);
    return minute === undefined
      ? 'sending is not paced'
      : `sending at most ${share(minute.limit, UNSEEN_PART)} requests a minute${unlessPlanned}`;
  };

  const space = ({ asked429, sentAt }: Ticket, headers: RateHeaders, now: number): void => {
    const perSecond = asked429 ? null : spacing.refused(sentAt, now, headers);
    if (perSecond === null) return;
    const requests = perSecond === 1 ? '1 request' : `${perSecond} requests`;
    note(`${name}: a 429 came that nothing foretold; sending at most ${requests} a second`);
  };

  const renewal = ({ resetAt }: RateHeaders, now: number): number => {
    if (resetAt === null) return now + minuteMs + RENEWAL_MARGIN_MS;
    const at = Math.max(now, server.surelyAfter(resetAt)) + RENEWAL_MARGIN_MS;
    const guessed = !server.known() && !reading.daily();
    return guessed ? Math.min(at, now + minuteMs + RENEWAL_MARGIN_MS) : at;
  };
  const heardOf = (headers: RateHeaders, now: number, withKey: boolean): Heard => ({
    limit: headers.limit,
    remaining: headers.remaining,
    resetAt: headers.resetAt,
    renewsAt: renewal(headers, now),
    at: now,
    withKey,
  });

  const estimateByLimit: Pace['estimate'] = (requests, now) => {
    // A few answers without headers are no proof that there are none, but all that there is to go by.
    const unseen = blind() || (silentAnswers > 0 && reading.limit() === null);
    const own = reading.ownCounts(unseen).find(({ windowMs }) => windowMs === minuteMs);
    const limit = own?.limit ?? (unseen ? null : reading.limit());
    if (limit === null) return { ms: 0, note: 'no limit is known' };
    const perWindow = share(limit, own ? UNSEEN_PART : undefined);
    if (own)
      return {
        ms: evenlyMs(requests, perWindow, own.windowMs),
        note: `${limit} requests a minute, sent evenly`,
      };
    const windowMs = reading.windowMs();
    const left = Math.max(0, (view.left() ?? perWindow) - reserve());
    const standing = {
      limit,
      perWindow,
      left,
      windowMs,
      untilRenewal: Math.max(0, Math.min(windowMs, view.renewsAt() - now)),
      margin: RENEWAL_MARGIN_MS,
      silence: isShared() ? sharedWindow.silenceMs(windowMs) : null,
    };
    const ms = waitingMs(requests, standing);
    const per = windowMs === minuteMs ? 'minute' : 'day';
    return { ms, note: `${limit} requests a ${per}, ${left} of them left in this one` };
  };

  return {
    ask,
    askOverLimit,
    sent: (now, kind, asked429 = false) => {
      spacing.sent(now);
      const reason = asked429 ? null : despite(now);
      const logged = slot === 'anonymous' ? null : sentRequests.sent(kind);
      return { tick: view.sent(), number: log.sent(now), sentAt: now, asked429, despite: reason, logged };
    },
    answered: (ticket, status, lines, now) => {
      log.answered(ticket.number, now);
      if (ticket.logged !== null) sentRequests.landed(ticket.logged, status);
      const told = readRateHeaders(lines, now);
      if (slot === 'main') sense.heard(told, { flying: view.inFlight() - 1, sentAt: ticket.sentAt, now });
      if (told.date !== null) server.heard(told.date, ticket.sentAt, now);
      reading.heard(told, server.known() ? server.latest(now) : null, { sentAt: ticket.sentAt, now });
      const read = sense.read(told);
      if (read !== told && !readAnew) view.forget();
      readAnew = read !== told;
      const headers = reading.believed(read);
      if (ticket.logged !== null) others.heard(ticket.logged, status, headers, now);
      if (isShared() && !options.sharedKey) note(`${name}: ${OTHERS_USE_IT}`);
      const at = view.answered(ticket.tick, heardOf(headers, now, true));
      learn(ticket, status, headers);
      heardAt = now;
      if (status === 429) {
        backoff.refused(ticket.tick, at, headers, now, ticket.asked429);
        space(ticket, headers, now);
        view.forget();
      } else backoff.answered(ticket.tick, status);
    },
    lost: (ticket, now) => {
      log.answered(ticket.number, now);
      if (ticket.logged !== null) sentRequests.landed(ticket.logged, null);
      view.lost(ticket.tick);
    },
    sentWithoutKey: (now) => ({
      tick: view.sent(),
      number: NOT_LOGGED,
      sentAt: now,
      asked429: false,
      despite: null,
      logged: sentRequests.sent(keyless),
    }),
    answeredWithoutKey: (ticket, lines, now) => {
      if (ticket.logged !== null) sentRequests.landed(ticket.logged, null);
      if (lines === null) return view.spared(ticket.tick);
      log.answered(log.sent(now), now);
      const headers = sense.read(readRateHeaders(lines, now));
      view.answered(ticket.tick, heardOf(headers, now, false));
    },
    estimate: (requests, now) => {
      const { ms, note } = estimateByLimit(requests, now);
      return { ms: Math.max(ms, requests * spacing.distanceMs()), note };
    },
    isShared,
  };
};
