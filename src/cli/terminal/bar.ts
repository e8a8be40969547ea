import { oneLine } from '../../report/text/escape.ts';
import { counted, duration } from '../../report/text/units.ts';

/** What a run is at. */
export interface ProgressState {
  readonly done: number;
  readonly planned: number;
  readonly failures: number;
  readonly remainingMs: number | null;
  readonly check: string;
  readonly waiting: { readonly reason: string; readonly untilMs: number } | null;
}

/** The share of the plan that is done, from 0 to 1; a plan that turned out too short stays at 1. */
export const share = ({ done, planned }: Pick<ProgressState, 'done' | 'planned'>): number =>
  planned <= 0 ? 0 : Math.min(1, done / planned);

/** A moment as the clock on the wall shows it, with the day where it is not today's (both in milliseconds since the epoch). */
export const wallTime = (at: number, now: number): string => {
  const time = new Date(at);
  const clock = time.toTimeString().slice(0, 8);
  if (time.toDateString() === new Date(now).toDateString()) return clock;
  const day = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  return `${day.map((part) => String(part).padStart(2, '0')).join('-')} ${clock}`;
};

/** One column a character in every terminal. */
const ascii = (text: string): string =>
  oneLine(text)
    .replaceAll('…', '...')
    .replaceAll(/[^\x20-\x7e]/gu, '?');

const drawn = (done: number, width: number): string => {
  const filled = Math.round(done * width);
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}]`;
};

const barWidth = (width: number): number => Math.min(30, Math.floor(width / 4));

/** Below this there is no room for a bar, nor for long words. */
const narrow = 40;
/** Fewer letters of a name than this tell nothing. */
const leastWords = 12;

/** What is told in numbers, the most important ones first; while it waits, until when. */
const numbersOf = (
  { done, planned, failures, remainingMs, waiting }: ProgressState,
  width: number,
  now: number,
) => [
  ...(waiting === null
    ? []
    : [`${width < narrow ? 'till' : 'waiting until'} ${wallTime(waiting.untilMs, now)}`]),
  `${done}/${planned}`,
  `${failures} failed`,
  ...(remainingMs === null ? [] : [`${duration(remainingMs)} left`]),
];

/**
 * The progress of a run as one line of ASCII, at most `width` columns: as many of its parts as fit, the most important ones first.
 * `now` in milliseconds since the Unix epoch.
 */
export const renderBar = (standing: ProgressState, width: number, now: number): string => {
  const gap = width < narrow ? ' ' : '  ';
  let line = '';
  for (const part of numbersOf(standing, width, now)) {
    const longer = line === '' ? part : `${line}${gap}${part}`;
    if (longer.length > width) break;
    line = longer;
  }
  const bar = drawn(share(standing), barWidth(width));
  if (width >= narrow && width > line.length + bar.length) line = `${bar} ${line}`;
  const room = width - line.length - gap.length;
  const words = ascii(standing.waiting?.reason ?? standing.check);
  return room < leastWords ? line : `${line}${gap}${words.slice(0, room)}`;
};

/** The progress of a run as a line of a log: `3/5 requests (60 %), 0 failed, 1.0 s left`. */
export const progressLine = (standing: ProgressState): string =>
  [
    `${standing.done}/${counted(standing.planned, 'request')} (${Math.floor(share(standing) * 100)} %)`,
    `${standing.failures} failed`,
    ...(standing.remainingMs === null ? [] : [`${duration(standing.remainingMs)} left`]),
  ].join(', ');
