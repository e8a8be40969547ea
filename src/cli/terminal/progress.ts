import { oneLine } from '../../report/text/escape.ts';
import { noteText, planText, waitText } from '../../report/text/pacing.ts';
import { progressWords as words } from '../../report/text/progress.ts';
import { shownVerdicts } from '../../report/text/shown-verdicts.ts';
import type { ProgressListener, RunEvent } from '../../run/run-deps.ts';
import type { Clock } from '../../time/clock.ts';
import { type ProgressState, progressLine, renderBar, wallTime } from './bar.ts';
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

/** The share of the plan after which the pace shows something: the first requests may be the ones that wait longest. */
const telling = 0.1;

/** Estimates the time left: by the rate limit, or by the pace so far if that is longer. Null: not known, or none. */
const createForecast = (clock: Clock) => {
  let start: { readonly done: number; readonly at: number } | null = null;
  let last = { done: 0, at: 0 };
  /** The longest time until a single response, which may be a time-out, or a server that starts again. */
  let stall = 0;
  return ({ done, planned, remainingMs }: Extract<RunEvent, { kind: 'progress' }>): number | null => {
    const at = clock.now();
    start ??= { done, at };
    if (done - last.done === 1 && start.at < at) stall = Math.max(stall, at - last.at);
    last = { done, at };
    if (done >= planned || (done === start.done && !remainingMs)) return null;
    const sent = done - start.done;
    const isTelling = sent >= telling * (planned - start.done);
    const atThisPace = isTelling ? ((at - start.at - stall) / sent) * (planned - done) : 0;
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

type FailureKind = keyof typeof words.soFar;

/** Collects ids, and writes them in one line every ten seconds. A quick run writes none. The summary has the details. */
const createFailureLog = (clock: Clock, write: (line: string) => void) => {
  let shownAt = clock.now();
  const ids = new Map<FailureKind, readonly string[]>();
  const flush = () => {
    shownAt = clock.now();
    if (ids.size === 0) return;
    write(
      [...ids]
        .map(([kind, members]) => `${shownVerdicts[kind].sign} ${words.soFar[kind]} ${members.join(', ')}`)
        .join(' '),
    );
    ids.clear();
  };
  return {
    flush,
    add: (kind: FailureKind, id: string) => {
      ids.set(kind, [...(ids.get(kind) ?? []), id]);
    },
    remove: (id: string) => {
      for (const [kind, members] of ids) {
        const left = members.filter((each) => each !== id);
        if (left.length > 0) ids.set(kind, left);
        else ids.delete(kind);
      }
    },
    tick: () => {
      if (clock.now() - shownAt >= lineEveryMs) flush();
    },
  };
};

/** Writes a line when a long wait begins, and when it ends. The same reason gets one line a minute. */
const createWaits = (clock: Clock, write: (line: string) => void) => {
  let last: { readonly reason: string; readonly shownAt: number } | null = null;
  let until = 0;
  let waitingSince: number | null = null;
  return {
    begin: (reason: string, untilMs: number) => {
      const now = clock.now();
      if (untilMs - now < shortWaitMs || untilMs - until < shortWaitMs) return;
      until = untilMs;
      if (last?.reason === reason && now - last.shownAt < sameWaitMs) return;
      last = { reason, shownAt: now };
      waitingSince = now;
      write(words.wait(wallTime(untilMs, now), untilMs - now, reason));
    },
    end: () => {
      if (waitingSince === null || clock.now() < until) return;
      write(words.continued(clock.now() - waitingSince));
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
  const failureLog = createFailureLog(clock, say);
  const waits = createWaits(clock, say);

  const wait = (event: Extract<RunEvent, { kind: 'waiting' }>) => {
    const isNew = state.waiting === null;
    const reason = waitText(event.reason);
    state = { ...state, waiting: { reason, untilMs: event.untilMs } };
    if (event.untilMs - clock.now() >= shortWaitMs) failureLog.flush();
    if (!screen.live) waits.begin(reason, event.untilMs);
    view.update(state, { immediately: isNew });
  };
  const kindOf = (requirement: string): FailureKind => {
    if (knownFailures.warnings.has(requirement)) return 'warned';
    return knownFailures.known.has(requirement) ? 'known' : 'failed';
  };
  const count = (requirement: string, change: 1 | -1) => {
    if (kindOf(requirement) === 'failed') state = { ...state, failures: state.failures + change };
  };
  const nameFailure = (requirement: string) => {
    if (named.has(requirement)) return;
    named.add(requirement);
    count(requirement, 1);
    failureLog.add(kindOf(requirement), requirement);
  };
  const withdrawFailure = (requirement: string) => {
    if (!named.delete(requirement)) return;
    count(requirement, -1);
    failureLog.remove(requirement);
  };
  const progress = (event: Extract<RunEvent, { kind: 'progress' }>) => {
    const { done, planned, check } = event;
    waits.end();
    state = { ...state, done, planned, remainingMs: forecast(event), check, waiting: null };
    view.update(state, { immediately: false });
  };
  const watch: ProgressListener = (event) => {
    if (event.kind === 'planned') say(planText(event));
    else if (event.kind === 'note') say(oneLine(noteText(event.note)));
    else if (event.kind === 'waiting') wait(event);
    else if (event.kind === 'failed') nameFailure(event.requirement);
    else if (event.kind === 'blocked') withdrawFailure(event.requirement);
    else progress(event);
    failureLog.tick();
  };
  return { watch, say, stop: view.clear };
};
