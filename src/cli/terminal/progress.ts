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
  /** Writes a line of its own; a bar steps aside for it. */
  say(line: string): void;
  /** Takes the bar away for good: what comes after it starts on a clean line. */
  stop(): void;
}

const eraseLine = '\r\u001b[K';
const redrawMs = 100;
const lineEveryMs = 10_000;
const shortWaitMs = 1_000;
/** Waits for one reason are told this far apart. */
const sameWaitMs = 60_000;
/** The summary has the whole message. */
const longestMessage = 160;
/** A run that ends before shows its failures in the summary alone. */
const quickRunMs = 10_000;

/** A bar that is drawn over itself, at most ten times a second. */
const createBar = (screen: Screen, clock: Clock) => {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let drawn = false;
  const clear = () => {
    if (drawn) screen.write(eraseLine);
    drawn = false;
    drawnAt = Number.NEGATIVE_INFINITY;
  };
  const update = (standing: ProgressState, at: { readonly once: boolean }) => {
    const now = clock.now();
    if (!at.once && now - drawnAt < redrawMs) return;
    // The last column stays free: a cursor past it would wrap.
    screen.write(`${eraseLine}${renderBar(standing, Math.max(1, screen.columns() - 1), now)}`);
    drawn = true;
    drawnAt = now;
  };
  return { clear, update };
};

/** A line every ten seconds in which something was sent. */
const createLog = (screen: Screen, clock: Clock) => {
  let shownAt = clock.now();
  const update = (standing: ProgressState, at: { readonly once: boolean }) => {
    const now = clock.now();
    if (at.once || now - shownAt < lineEveryMs) return;
    shownAt = now;
    screen.write(`${progressLine(standing)}\n`);
  };
  return { clear: () => {}, update };
};

/** From here on it is worth saying how a run gets faster. */
const longRunMs = 120_000;

const faster =
  'Faster: raise the rate limit on a test server, send fewer requests (--budget 300), or test fewer requirements (--only CREATE)';

/** How long waiting for the limit takes; how fast the server responds is not known before the run. */
const planText = ({ requests, estimateMs, note }: Extract<RunEvent, { kind: 'planned' }>): string => {
  const time = estimateMs < shortWaitMs ? 'no wait for a rate limit' : `about ${duration(estimateMs)}`;
  const plan = `${counted(requests, 'request')} planned, ${time}${note === '' ? '' : ` (${oneLine(note)})`}`;
  return estimateMs < longRunMs ? plan : `${plan}\n${faster}`;
};

/** The time that is left: what the limit takes, or what the rest takes at the pace so far, whichever is more. */
const createForecast = (clock: Clock) => {
  let began: { readonly done: number; readonly at: number } | null = null;
  return ({ done, planned, remainingMs }: Extract<RunEvent, { kind: 'progress' }>): number | null => {
    began ??= { done, at: clock.now() };
    if (done >= planned || (done === began.done && !remainingMs)) return null;
    const atThisPace =
      done === began.done ? 0 : ((clock.now() - began.at) / (done - began.done)) * (planned - done);
    return Math.ceil(Math.max(remainingMs ?? 0, atThisPace) / 1_000) * 1_000 || null;
  };
};

/** Requirements whose breaches do not fail the run. */
export interface KnownFailureSet {
  /** Breaches of these are warnings. */
  readonly warnings: Pick<ReadonlySet<string>, 'has'>;
  /** These are known to fail. */
  readonly known: Pick<ReadonlySet<string>, 'has'>;
}

const nothingKnown: KnownFailureSet = { warnings: new Set(), known: new Set() };

/** Holds lines back until a run turns out not to be quick. */
const createDelay = (clock: Clock, write: (line: string) => void) => {
  const startedAt = clock.now();
  let held: readonly string[] = [];
  const flush = () => {
    for (const line of held) write(line);
    held = [];
  };
  return {
    flush,
    add: (line: string) => {
      held = [...held, line];
    },
    tick: () => {
      if (held.length > 0 && clock.now() - startedAt >= quickRunMs) flush();
    },
  };
};

/** Says when a wait begins that is worth a line, and when it ended: the same reason once a minute. */
const createWaits = (clock: Clock, write: (line: string) => void) => {
  let last: { readonly reason: string; readonly shownAt: number } | null = null;
  let until = 0;
  let open: number | null = null;
  return {
    begin: ({ reason, untilMs }: Extract<RunEvent, { kind: 'waiting' }>) => {
      const now = clock.now();
      if (untilMs - now < shortWaitMs || untilMs - until < shortWaitMs) return;
      until = untilMs;
      if (last?.reason === reason && now - last.shownAt < sameWaitMs) return;
      last = { reason, shownAt: now };
      open = now;
      write(`Waiting until ${wallTime(untilMs, now)} (${duration(untilMs - now)}): ${oneLine(reason)}`);
    },
    end: () => {
      if (open === null || clock.now() < until) return;
      write(`Continuing after ${duration(clock.now() - open)}`);
      open = null;
    },
  };
};

/**
 * Shows the events of a run: a bar on a live screen, otherwise sparse lines. Each requirement that fails or warns is named once, unless
 * the run is over so soon that the summary comes anyway. `knownFailures` are not counted.
 */
export const createProgress = (
  screen: Screen,
  clock: Clock,
  knownFailures: KnownFailureSet = nothingKnown,
): Progress => {
  const view = screen.live ? createBar(screen, clock) : createLog(screen, clock);
  const paint = painter(screen.colour);
  const forecast = createForecast(clock);
  const named = new Set<string>();
  let standing: ProgressState = {
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
    const isNew = standing.waiting === null;
    standing = { ...standing, waiting: { reason: event.reason, untilMs: event.untilMs } };
    if (event.untilMs - clock.now() >= shortWaitMs) delayed.flush();
    if (!screen.live) waits.begin(event);
    view.update(standing, { once: isNew });
  };
  const name = ({ requirement, breach, redact }: Extract<RunEvent, { kind: 'failed' }>) => {
    if (named.has(requirement)) return;
    named.add(requirement);
    const [warns, isKnown] = [knownFailures.warnings.has(requirement), knownFailures.known.has(requirement)];
    const fails = !warns && !isKnown;
    const title = `${warns ? '!' : '✕'} ${requirement}${isKnown ? ' (known)' : ''}`;
    if (fails) standing = { ...standing, failures: standing.failures + 1 };
    const message = shorten(oneLine(redact(describe(breach).message)), longestMessage);
    delayed.add(`${paint(fails ? 'red' : 'yellow', title)} ${message}`);
  };
  const progress = (event: Extract<RunEvent, { kind: 'progress' }>) => {
    const { done, planned, check } = event;
    waits.end();
    standing = { ...standing, done, planned, remainingMs: forecast(event), check, waiting: null };
    view.update(standing, { once: false });
  };
  const watch: ProgressListener = (event) => {
    if (event.kind === 'planned') say(planText(event));
    else if (event.kind === 'note') say(oneLine(event.text));
    else if (event.kind === 'waiting') wait(event);
    else if (event.kind === 'failed') name(event);
    else progress(event);
    delayed.tick();
  };
  return { watch, say, stop: view.clear };
};
