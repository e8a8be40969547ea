import type { Clock } from '../../clock/clock.ts';
import { oneLine, shorten } from '../../report/escape.ts';
import { counted, duration } from '../../report/units.ts';
import type { RunEvent, Watch } from '../../run/progress.ts';
import type { Standing } from './bar.ts';
import { progressLine, renderBar, share, wallTime } from './bar.ts';
import type { Screen } from './screen.ts';
import { painter } from './screen.ts';

/** Shows a run while it works. */
export interface Progress {
  readonly watch: Watch;
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
/** The whole of it stands in the summary. */
const longestMessage = 160;

/** A bar that is drawn over itself, at most ten times a second. */
const createBar = (screen: Screen, clock: Clock) => {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let drawn = false;
  const clear = () => {
    if (drawn) screen.write(eraseLine);
    drawn = false;
    drawnAt = Number.NEGATIVE_INFINITY;
  };
  const update = (standing: Standing, at: { readonly once: boolean }) => {
    const now = clock.now();
    if (!at.once && now - drawnAt < redrawMs) return;
    // The last column stays free: a cursor past it would wrap.
    screen.write(`${eraseLine}${renderBar(standing, Math.max(1, screen.columns() - 1), now)}`);
    drawn = true;
    drawnAt = now;
  };
  return { clear, update };
};

/** A line for each tenth of the plan, and every ten seconds in which something was sent. */
const createLog = (screen: Screen, clock: Clock) => {
  let tenth = 0;
  let saidAt = clock.now();
  const update = (standing: Standing, at: { readonly once: boolean }) => {
    const now = clock.now();
    const reached = Math.floor(share(standing) * 10);
    if (at.once || (reached <= tenth && now - saidAt < lineEveryMs)) return;
    tenth = reached;
    saidAt = now;
    screen.write(`${progressLine(standing)}\n`);
  };
  return { clear: () => {}, update };
};

/** How long waiting for the limit takes; how fast the target answers is not known before the run. */
const planText = ({ requests, estimateMs, note }: Extract<RunEvent, { kind: 'planned' }>): string => {
  const time = estimateMs < shortWaitMs ? 'no wait for a limit' : `about ${duration(estimateMs)}`;
  return `${counted(requests, 'request')} planned, ${time}${note === '' ? '' : ` (${oneLine(note)})`}`;
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
export interface Borne {
  /** Breaches of these are warnings. */
  readonly warnings: Pick<ReadonlySet<string>, 'has'>;
  /** These are known to fail. */
  readonly known: Pick<ReadonlySet<string>, 'has'>;
}

const nothingBorne: Borne = { warnings: new Set(), known: new Set() };

/**
 * Shows the events of a run: a bar on a live screen, else sparse lines. Each requirement that fails or warns is named once, at once;
 * those that are `borne` are not counted as failures.
 */
export const createProgress = (screen: Screen, clock: Clock, borne: Borne = nothingBorne): Progress => {
  const view = screen.live ? createBar(screen, clock) : createLog(screen, clock);
  const paint = painter(screen.colour);
  const forecast = createForecast(clock);
  const named = new Set<string>();
  let waited: { readonly reason: string; readonly saidAt: number } | null = null;
  let waitedUntil = 0;
  let standing: Standing = { done: 0, planned: 0, failures: 0, remainingMs: null, check: '', waiting: null };

  const say = (line: string) => {
    view.clear();
    screen.write(`${line}\n`);
  };
  const wait = ({ reason, untilMs }: Extract<RunEvent, { kind: 'waiting' }>) => {
    const news = standing.waiting === null;
    standing = { ...standing, waiting: { reason, untilMs } };
    view.update(standing, { once: news });
    const now = clock.now();
    if (screen.live || untilMs - now < shortWaitMs || untilMs - waitedUntil < shortWaitMs) return;
    waitedUntil = untilMs;
    if (waited?.reason === reason && now - waited.saidAt < sameWaitMs) return;
    waited = { reason, saidAt: now };
    say(`waits until ${wallTime(untilMs, now)}: ${oneLine(reason)}`);
  };
  const name = ({ requirement, message }: Extract<RunEvent, { kind: 'failed' }>) => {
    if (named.has(requirement)) return;
    named.add(requirement);
    const [warns, isKnown] = [borne.warnings.has(requirement), borne.known.has(requirement)];
    const fails = !warns && !isKnown;
    const title = `${warns ? '!' : '✕'} ${requirement}${isKnown ? ' (known)' : ''}`;
    if (fails) standing = { ...standing, failures: standing.failures + 1 };
    say(`${paint(fails ? 'red' : 'yellow', title)} ${shorten(oneLine(message), longestMessage)}`);
  };
  const watch: Watch = (event) => {
    if (event.kind === 'planned') return say(planText(event));
    if (event.kind === 'note') return say(oneLine(event.text));
    if (event.kind === 'waiting') return wait(event);
    if (event.kind === 'failed') return name(event);
    const { done, planned, check } = event;
    standing = { ...standing, done, planned, remainingMs: forecast(event), check, waiting: null };
    view.update(standing, { once: false });
  };
  return { watch, say, stop: view.clear };
};
