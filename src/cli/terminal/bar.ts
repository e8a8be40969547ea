import { oneLine } from '../../report/text/escape.ts';
import { progressWords as words } from '../../report/text/progress.ts';
import { counted } from '../../report/text/units.ts';

/** The progress of a run. */
export interface ProgressState {
  readonly done: number;
  readonly planned: number;
  readonly failures: number;
  readonly remainingMs: number | null;
  readonly check: string;
  readonly waiting: { readonly reason: string; readonly untilMs: number } | null;
}

/** The share of the plan that is done, from 0 to 1, even if more is sent than was planned. */
export const share = ({ done, planned }: Pick<ProgressState, 'done' | 'planned'>): number =>
  planned <= 0 ? 0 : Math.min(1, done / planned);

/** The local time of day, with the date if it is not today. Both arguments are milliseconds since the epoch. */
export const wallTime = (at: number, now: number): string => {
  const time = new Date(at);
  const clock = time.toTimeString().slice(0, 8);
  if (time.toDateString() === new Date(now).toDateString()) return clock;
  const day = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  return `${day.map((part) => String(part).padStart(2, '0')).join('-')} ${clock}`;
};

/** Replaces characters outside ASCII, so that each character takes one column. */
const ascii = (text: string): string =>
  oneLine(text)
    .replaceAll('…', '...')
    .replaceAll(/[^\x20-\x7e]/gu, '?');

const barOf = (done: number, width: number): string => {
  const filled = Math.round(done * width);
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}]`;
};

const barWidth = (width: number): number => Math.min(30, Math.floor(width / 4));

/** A narrower line has no room for a bar or for long words. */
const narrow = 40;
/** Fewer characters of a name are not worth showing. */
const fewestCharacters = 12;

/** The parts that are numbers, the most important first. During a wait, its end comes before them. */
const numbersOf = (
  { done, planned, failures, remainingMs, waiting }: ProgressState,
  width: number,
  now: number,
) => [
  ...(waiting === null ? [] : [words.waiting(wallTime(waiting.untilMs, now), width < narrow)]),
  `${done}/${planned}`,
  words.failed(failures),
  ...(remainingMs === null ? [] : [words.left(remainingMs)]),
];

/**
 * The progress of a run as one line of ASCII with at most `width` columns. If not all parts fit, the most important ones are kept.
 * `now` in milliseconds since the Unix epoch.
 */
export const renderBar = (state: ProgressState, width: number, now: number): string => {
  const gap = width < narrow ? ' ' : '  ';
  let line = '';
  for (const part of numbersOf(state, width, now)) {
    const longer = line === '' ? part : `${line}${gap}${part}`;
    if (longer.length > width) break;
    line = longer;
  }
  const bar = barOf(share(state), barWidth(width));
  if (width >= narrow && width > line.length + bar.length) line = `${bar} ${line}`;
  const room = width - line.length - gap.length;
  const words = ascii(state.waiting?.reason ?? state.check);
  return room < fewestCharacters ? line : `${line}${gap}${words.slice(0, room)}`;
};

/** The progress of a run as a line of a log: `3/5 requests (60 %), 0 failed, 1.0 s left`. */
export const progressLine = (state: ProgressState): string =>
  [
    `${state.done}/${counted(state.planned, 'request')} (${Math.floor(share(state) * 100)} %)`,
    words.failed(state.failures),
    ...(state.remainingMs === null ? [] : [words.left(state.remainingMs)]),
  ].join(', ');
