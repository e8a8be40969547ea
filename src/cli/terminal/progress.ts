import { oneLine } from '../../report/escape.ts';
import { counted, duration } from '../../report/units.ts';
import type { Clock } from '../../run/clock.ts';
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

const planText = ({ requests, estimateMs, note }: Extract<RunEvent, { kind: 'planned' }>): string =>
  `${counted(requests, 'request')} planned, about ${duration(estimateMs)}${note === '' ? '' : ` (${oneLine(note)})`}`;

/** Shows the events of a run: a bar on a live screen, else sparse lines. Each failed requirement is named once, at once. */
export const createProgress = (screen: Screen, clock: Clock): Progress => {
  const view = screen.live ? createBar(screen, clock) : createLog(screen, clock);
  const paint = painter(screen.colour);
  const named = new Set<string>();
  let waitedUntil = 0;
  let standing: Standing = { sent: 0, planned: 0, failures: 0, remainingMs: null, check: '', waiting: null };

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
    say(`waits until ${wallTime(untilMs, now)}: ${oneLine(reason)}`);
  };
  const watch: Watch = (event) => {
    if (event.kind === 'planned') return say(planText(event));
    if (event.kind === 'note') return say(oneLine(event.text));
    if (event.kind === 'waiting') return wait(event);
    if (event.kind === 'failed') {
      if (named.has(event.requirement)) return;
      named.add(event.requirement);
      return say(`${paint('red', `✕ ${event.requirement}`)} ${oneLine(event.message)}`);
    }
    const { sent, planned, failures, remainingMs, check } = event;
    standing = { sent, planned, failures, remainingMs, check, waiting: null };
    view.update(standing, { once: false });
  };
  return { watch, say, stop: view.clear };
};
