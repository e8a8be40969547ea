import type {
  ConnectionNote,
  EstimateBasis,
  PaceNote,
  PaceSlot,
  RunNote,
  WaitReason,
} from '../../http/pacing-types.ts';
import { count, counted, duration } from './units.ts';

const accounts: Readonly<Record<PaceSlot, string>> = {
  main: 'API key',
  'rate-limit': 'rate-limit key',
  anonymous: 'requests without a valid key',
};

const basisText = (basis: EstimateBasis): string => {
  switch (basis.kind) {
    case 'none':
      return 'no rate limit detected';
    case 'evenly':
      return `${counted(basis.limit, 'request')} a minute, sent evenly`;
    case 'window':
      return `${counted(basis.limit, 'request')} a ${basis.per}, ${count(basis.left)} of them left in this one`;
  }
};

const reasonOf = (reason: WaitReason): string => {
  switch (reason.kind) {
    case 'limit':
      return reason.limit === null
        ? 'rate limit reached'
        : `rate limit of ${counted(reason.limit, 'request')} reached`;
    case 'after-429':
      return 'after a 429';
    case 'slower':
      return 'slower since an unexpected 429';
    case 'own-count': {
      const limit = `${counted(reason.limit, 'request')} a ${reason.per}`;
      if (reason.per === 'day') return limit;
      return `${limit}, sent evenly: ${reason.unseen ? 'no header shows what is left' : 'the headers show only the daily limit'}`;
    }
  }
};

/** What a run is going to send. */
interface Plan {
  readonly requests: number;
  readonly creations: number;
  readonly estimateMs: number;
  readonly longestMs: number;
  readonly leftToday: number | null;
  readonly basis: EstimateBasis;
  readonly day: { readonly plan: string; readonly requests: number } | null;
  readonly usesUpLimit: 'no' | 'known' | 'assumed';
}

const shortWaitMs = 1_000;
/** A run that waits longer gets advice on how to make it faster. */
const longRunMs = 120_000;

/** A run with a smaller budget, or of one group of requirements, sends about as many. */
const fewRequests = 300;

/** Advice that shortens the run: one that sends few requests cannot send many fewer. */
const fasterText = (requests: number): string => {
  const raise = 'raise the rate limit on a test server';
  return `Faster: ${requests <= fewRequests ? raise : `${raise}, send fewer requests (--budget ${fewRequests}), or test fewer requirements (--only CREATE)`}`;
};

const usingUp = {
  known: 'includes using up the limit of the rate-limit key',
  assumed:
    'assumes 60 requests a minute for the rate-limit key, shorter windows take less: --rate-limit-plan',
} as const;

/** A longer time is worth its words. */
const muchLonger = 1.1;

const timeText = (ms: number, longestMs: number): string => {
  const longest = longestMs > shortWaitMs && longestMs > ms * muchLonger ? duration(longestMs) : null;
  if (ms < shortWaitMs)
    return `no wait for a rate limit${longest === null ? '' : `, up to ${longest} if many fail`}`;
  return `about ${duration(ms)}${longest === null ? '' : `, up to ${longest} if many fail`}`;
};

const dayText = (left: number): string =>
  `of which the API key allows ${count(left)} more today: what these do not test is inconclusive`;

/** The number of requests and the waits for the rate limit. Response times are unknown before the run. */
export const planText = ({
  requests,
  creations,
  estimateMs,
  longestMs,
  leftToday,
  basis,
  day,
  usesUpLimit,
}: Plan): string => {
  const time = leftToday === null ? timeText(estimateMs, longestMs) : dayText(leftToday);
  const notes = [
    basisText(basis),
    ...(creations === 0 ? [] : [`about ${counted(creations, 'creation')}`]),
    ...(day === null ? [] : [`the ${day.plan} plan allows ${count(day.requests)} a day`]),
    ...(usesUpLimit === 'no' ? [] : [usingUp[usesUpLimit]]),
    'failures are sent again, which adds requests',
  ];
  const plan = `${counted(requests, 'request')} planned, ${time} (${notes.join('; ')})`;
  return estimateMs < longRunMs ? plan : `${plan}\n${fasterText(requests)}`;
};

/** Why requests wait: `rate limit of 60 requests reached (API key)`. */
export const waitText = (reason: WaitReason): string => `${reasonOf(reason)} (${accounts[reason.slot]})`;

const headersSeen = {
  absent: 'No usable rate-limit headers',
  gaps: 'Some responses have no usable rate-limit headers',
  daily: 'The headers show only the daily limit',
} as const;

const paceNoteText = (note: PaceNote): string => {
  const account = accounts[note.slot];
  switch (note.kind) {
    case 'others-use-key':
      return `Others use the ${account} at the same time (X-RateLimit-Remaining falls by more than this run sends): going on as with --shared-key`;
    case 'zero-ignored':
      return `X-RateLimit-Remaining is 0 but requests still succeed (${account}): ignoring it`;
    case 'slowed-down':
      return `Unexpected 429 (${account}): slowing down to ${counted(note.perSecond, 'request')}/s`;
    case 'limit-unseen': {
      const seen = `${headersSeen[note.headers]} (${account})`;
      if (note.perMinute === null) return `${seen}: sending at full speed`;
      const hint = note.planIsUnknown && note.slot === 'main' ? ' (--plan names another limit)' : '';
      const pace = `sending at most ${counted(note.perMinute, 'request')} a minute`;
      return `${seen}: ${pace}${note.headers === 'gaps' ? ' while none shows what is left' : ''}${hint}`;
    }
  }
};

const connectionNoteText = (note: ConnectionNote): string => {
  switch (note.kind) {
    case 'waiting-for-target':
      return `${note.baseUrl} is not ready: trying again for at most ${note.seconds} s (--wait-for-target)`;
    case 'not-found':
      return `GET /pets returned 404: is the API served under ${note.baseUrl}? Ctrl-C ends the run.`;
    case 'server-away':
      return `The server refuses connections: trying again for up to ${Math.round(note.longestMs / 1_000)} s`;
    case 'server-back':
      return `The server accepts connections again after ${(note.afterMs / 1_000).toFixed(1)} s`;
  }
};

/** A note on the pace of a run, or on its connection. */
export const noteText = (note: RunNote): string =>
  'slot' in note ? paceNoteText(note) : connectionNoteText(note);
