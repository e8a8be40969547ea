import { painter } from '../../report/paint.ts';
import { oneLine, shorten } from '../../report/text/escape.ts';
import { describe } from '../../report/text/problems.ts';
import { counted, duration } from '../../report/text/units.ts';
import type { ProgressListener, RunEvent } from '../../run/run-deps.ts';
import type { Clock } from '../../time/clock.ts';
import type { ProgressState } from './bar.ts';
import { progressLine, renderBar, wallTime } from './bar.ts';
import type { Screen } from './screen.ts';

/** Shows a run while it works. */
export interface Progress {
  readonly watch: ProgressListener;
  /** Writes a line, and removes the bar before it. */
  say(line: string): void;
  /** Removes the bar, so that later output starts on an empty line. */
  stop(): void;
}

const eraseLine = '\r\u001b[K';
const redrawMs = 100;
const lineEveryMs = 10_000;
const shortWaitMs = 1_000;
/** The shortest time between two lines on waits for one reason. */
const sameWaitMs = 60_000;
/** The summary has the whole message. */
const longestMessage = 160;
/** A run that ends earlier shows its failures only in the summary. */
const quickRunMs = 10_000;

/** A bar that is redrawn in place, at most ten times a second. */
const createBar = (screen: Screen, clock: Clock) => {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  const clear = () => {
    if (isDrawn) screen.write(eraseLine);
    isDrawn = false;
    drawnAt = Number.NEGATIVE_INFINITY;
  };
  const update = (state: ProgressState, { immediately }: { readonly immediately: boolean }) => {
    const now = clock.now();
    if (!immediately && now - drawnAt < redrawMs) return;
    // The last column stays free, because a cursor after it would wrap.
    screen.write(`${eraseLine}${renderBar(state, Math.max(1, screen.columns() - 1), now)}`);
    isDrawn = true;
    drawnAt = now;
  };
  return { clear, update };
};

/** A line at most every ten seconds, if requests were sent. */
const createLog = (screen: Screen, clock: Clock) => {
  let shownAt = clock.now();
  const update = (state: ProgressState, { immediately }: { readonly immediately: boolean }) => {
    const now = clock.now();
    if (immediately || now - shownAt < lineEveryMs) return;
    shownAt = now;
    screen.write(`${progressLine(state)}\n`);
  };
  return { clear: () => {}, update };
};

/** A run that waits longer gets advice on how to make it faster. */
const longRunMs = 120_000;

const faster =
  'Faster: raise the rate limit on a test server, send fewer requests (--budget 300), or test fewer requirements (--only CREATE)';

/** The number of requests and the waits for the rate limit. Response times are unknown before the run. */
const planText = ({ requests, estimateMs, note }: Extract<RunEvent, { kind: 'planned' }>): string => {
  const time = estimateMs < shortWaitMs ? 'no wait for a rate limit' : `about ${duration(estimateMs)}`;
  const plan = `${counted(requests, 'request')} planned, ${time}${note === '' ? '' : ` (${oneLine(note)})`}`;
  return estimateMs < longRunMs ? plan : `${plan}\n${faster}`;
};

/** Estimates the time left: by the rate limit, or by the pace so far if that is longer. */
const createForecast = (clock: Clock) => {
  let start: { readonly done: number; readonly at: number } | null = null;
  return ({ done, planned, remainingMs }: Extract<RunEvent, { kind: 'progress' }>): number | null => {
    start ??= { done, at: clock.now() };
    if (done >= planned || (done === start.done && !remainingMs)) return null;
    const atThisPace =
      done === start.done ? 0 : ((clock.now() - start.at) / (done - start.done)) * (planned - done);
    return Math.ceil(Math.max(remainingMs ?? 0, atThisPace) / 1_000) * 1_000 || null;
  };
};

/** Requirements whose failures do not fail the run. */
export interface KnownFailureSet {
  /** Their failures are warnings. */
  readonly warnings: Pick<ReadonlySet<string>, 'has'>;
  /** They are listed as known failures. */
  readonly known: Pick<ReadonlySet<string>, 'has'>;
}

const nothingKnown: KnownFailureSet = { warnings: new Set(), known: new Set() };

/** Delays lines until the run is longer than a quick run. */
const createDelay = (clock: Clock, write: (line: string) => void) => {
  const startedAt = clock.now();
  let lines: readonly string[] = [];
  const flush = () => {
    for (const line of lines) write(line);
    lines = [];
  };
  return {
    flush,
    add: (line: string) => {
      lines = [...lines, line];
    },
    tick: () => {
      if (lines.length > 0 && clock.now() - startedAt >= quickRunMs) flush();
    },
  };
};

/** Writes a line when a long wait begins, and when it ends. The same reason gets one line a minute. */
const createWaits = (clock: Clock, write: (line: string) => void) => {
  let last: { readonly reason: string; readonly shownAt: number } | null = null;
  let until = 0;
  let waitingSince: number | null = null;
  return {
    begin: ({ reason, untilMs }: Extract<RunEvent, { kind: 'waiting' }>) => {
      const now = clock.now();
      if (untilMs - now < shortWaitMs || untilMs - until < shortWaitMs) return;
      until = untilMs;
      if (last?.reason === reason && now - last.shownAt < sameWaitMs) return;
      last = { reason, shownAt: now };
      waitingSince = now;
      write(`Waiting until ${wallTime(untilMs, now)} (${duration(untilMs - now)}): ${oneLine(reason)}`);
    },
    end: () => {
      if (waitingSince === null || clock.now() < until) return;
      write(`Continuing after ${duration(clock.now() - waitingSince)}`);
      waitingSince = null;
    },
  };
};

/**
 * Shows the events of a run: a bar on a live screen, otherwise a few lines. Names each failed or warned requirement once, unless the
 * run ends so soon that the summary is enough. Warnings and known failures are not counted as failures.
 */
export const createProgress = (
  screen: Screen,
  clock: Clock,
  knownFailures: KnownFailureSet = nothingKnown,
): Progress => {
  const view = screen.live ? createBar(screen, clock) : createLog(screen, clock);
  const paint = painter(screen.color);
  const forecast = createForecast(clock);
  const named = new Set<string>();
  let state: ProgressState = {
    done: 0,
    planned: 0,
    failures: 0,
    remainingMs: null,
    check: '',
    waiting: null,
  };

  const say = (line: string) => {
    view.clear();
    screen.write(`${line}\n`);
  };
  const delayed = createDelay(clock, say);
  const waits = createWaits(clock, say);

  const wait = (event: Extract<RunEvent, { kind: 'waiting' }>) => {
    const isNew = state.waiting === null;
    state = { ...state, waiting: { reason: event.reason, untilMs: event.untilMs } };
    if (event.untilMs - clock.now() >= shortWaitMs) delayed.flush();
    if (!screen.live) waits.begin(event);
    view.update(state, { immediately: isNew });
  };
  const nameFailure = ({ requirement, breach, redact }: Extract<RunEvent, { kind: 'failed' }>) => {
    if (named.has(requirement)) return;
    named.add(requirement);
    const [warns, isKnown] = [knownFailures.warnings.has(requirement), knownFailures.known.has(requirement)];
    const fails = !warns && !isKnown;
    const title = `${warns ? '!' : '✕'} ${requirement}${isKnown ? ' (known)' : ''}`;
    if (fails) state = { ...state, failures: state.failures + 1 };
    const message = shorten(oneLine(redact(describe(breach).message)), longestMessage);
    delayed.add(`${paint(fails ? 'red' : 'yellow', title)} ${message}`);
  };
  const progress = (event: Extract<RunEvent, { kind: 'progress' }>) => {
    const { done, planned, check } = event;
    waits.end();
    state = { ...state, done, planned, remainingMs: forecast(event), check, waiting: null };
    view.update(state, { immediately: false });
  };
  const watch: ProgressListener = (event) => {
    if (event.kind === 'planned') say(planText(event));
    else if (event.kind === 'note') say(oneLine(event.text));
    else if (event.kind === 'waiting') wait(event);
    else if (event.kind === 'failed') nameFailure(event);
    else progress(event);
    delayed.tick();
  };
  return { watch, say, stop: view.clear };
};
