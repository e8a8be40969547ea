import type { Timeline, TimelinePoint, TimelineWait } from '../../run/outcome.ts';
import { timelineWords as words } from '../text/page.ts';
import { asSentence, duration } from '../text/units.ts';
import { type Html, html } from './html.ts';

/** The picture is drawn in these units and stretched to the width of the page. */
const width = 1000;
const height = 100;
/** The part of the height that bars of requests may take. */
const barHeight = 45;

type Account = keyof Timeline['accounts'];

const sum = (points: readonly TimelinePoint[], member: 'requests' | 'limited'): number =>
  points.reduce((total, point) => total + point[member], 0);

/**
 * Removes Limit and Remaining from points with an unusual limit. The server counted those requests elsewhere, for example because it did
 * not recognize the key.
 */
const withUsualLimit = (points: readonly TimelinePoint[]): readonly TimelinePoint[] => {
  const byLimit = Map.groupBy(points, ({ limit }) => limit);
  byLimit.delete(null);
  const [usual] = [...byLimit].sort(([, a], [, b]) => b.length - a.length)[0] ?? [null];
  return points.map((point) => (point.limit === usual ? point : { ...point, remaining: null, limit: null }));
};

/** The picture in words, for readers who cannot see it. */
const caption = (account: Account, points: readonly TimelinePoint[]): string => {
  const shown = points.flatMap(({ remaining }) => remaining ?? []);
  const limits = points.flatMap(({ limit }) => limit ?? []);
  return words.caption({
    account,
    requests: sum(points, 'requests'),
    limited: sum(points, 'limited'),
    remaining: shown.length === 0 ? null : [Math.min(...shown), Math.max(...shown), Math.max(...limits)],
  });
};

interface Scale {
  /** From milliseconds since the run began. */
  x(ms: number): number;
  readonly intervalMs: number;
}

const round = (value: number): number => Math.round(value * 10) / 10;

const bars = (points: readonly TimelinePoint[], { x, intervalMs }: Scale): readonly Html[] => {
  const most = Math.max(1, ...points.map(({ requests }) => requests));
  return points.map(({ at, requests, limited }) => {
    const tall = round((requests / most) * barHeight);
    const wide = round(Math.max(1, x(intervalMs) - x(0)));
    return html`<rect class="${limited > 0 ? 'limited' : 'requests'}" x="${round(x(at))}" y="${height - tall}" width="${wide}" height="${tall}"/>`;
  });
};

const remainingLine = (points: readonly TimelinePoint[], { x, intervalMs }: Scale): Html | null => {
  const most = Math.max(1, ...points.flatMap(({ limit }) => limit ?? []));
  const shown = points.flatMap(({ at, remaining }) =>
    remaining === null
      ? []
      : [
          {
            x: round(x(at + intervalMs / 2)),
            y: round(height - Math.min(1, remaining / most) * (height - 4) - 2),
          },
        ],
  );
  // A step line: Remaining keeps its last value until the next response.
  const path = shown
    .map((point, index) => `${point.x},${shown[Math.max(0, index - 1)]?.y} ${point.x},${point.y}`)
    .join(' ');
  return path === '' ? null : html`<polyline class="remaining" points="${path}"/>`;
};

/** A line for each rise of Remaining, because a new window began. */
const windows = (points: readonly TimelinePoint[], { x }: Scale): readonly Html[] =>
  points.flatMap(({ at, remaining }, index) => {
    const before = points.slice(0, index).findLast((point) => point.remaining !== null)?.remaining ?? null;
    return remaining === null || before === null || remaining <= before
      ? []
      : [html`<line class="window" x1="${round(x(at))}" x2="${round(x(at))}" y1="0" y2="${height}"/>`];
  });

const pauses = (waits: readonly TimelineWait[], { x }: Scale): readonly Html[] =>
  waits.map(
    ({ from, until }) =>
      html`<rect class="wait" x="${round(x(from))}" y="0" width="${round(Math.max(1, x(until) - x(from)))}" height="${height}"/>`,
  );

const picture = (
  account: Account,
  points: readonly TimelinePoint[],
  waits: readonly TimelineWait[],
  scale: Scale,
): Html => html`<figure class="timeline"><figcaption>${caption(account, points)}</figcaption>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">${pauses(waits, scale)}${windows(points, scale)}${bars(points, scale)}${remainingLine(points, scale)}</svg></figure>`;

/** Shorter waits are not listed. */
const shownWaitMs = 1_000;

/** Whether two accounts have the same wait: requests without a key may wait for the limit of a key. */
const isSameWait = (a: TimelineWait, b: TimelineWait): boolean =>
  a.reason === b.reason && a.from < b.until && b.from < a.until;

const waitText = (reason: string, waits: readonly TimelineWait[]): string => {
  const ms = waits.reduce((sum, { from, until }) => sum + until - from, 0);
  return words.wait(
    reason,
    ms,
    waits.map(({ from }) => from),
  );
};

const waitList = (waits: readonly TimelineWait[]): Html | null => {
  const long = waits.filter(({ from, until }) => until - from >= shownWaitMs);
  const listed = long.filter((wait, index) => !long.slice(0, index).some((other) => isSameWait(other, wait)));
  if (listed.length === 0) return null;
  const byReason = [...Map.groupBy(listed, ({ reason }) => reason)];
  return html`<p class="label">${words.waits}</p><ul>${byReason.map(([reason, same]) => html`<li>${waitText(asSentence(reason), same)}</li>`)}</ul>`;
};

/** Requests, Remaining, windows, and waits over the time of a run; null: the report has no such record. */
export const timelineSection = (timeline: Timeline | undefined, durationMs: number): Html | null => {
  const accounts = Object.entries(timeline?.accounts ?? {}) as readonly (readonly [
    Account,
    readonly TimelinePoint[],
  ])[];
  if (timeline === undefined || accounts.length === 0) return null;
  const { intervalMs, waits } = timeline;
  const endMs = Math.max(durationMs, intervalMs);
  const scale = { x: (ms: number) => (ms / endMs) * width, intervalMs };
  const pictures = accounts.map(([account, points]) =>
    picture(
      account,
      withUsualLimit(points),
      waits.filter((wait) => wait.account === account),
      scale,
    ),
  );
  const legend = words.legend.filter(([name]) =>
    pictures.some(({ markup }) => markup.includes(`class="${name}"`)),
  );
  return html`<p class="lead keys">${legend.map(([name, title]) => html`<span><i class="key ${name}"></i>${title}</span> `)}</p>
${pictures}
<p class="ends"><span>0</span><span>${duration(endMs)}</span></p>
${waitList(waits)}`;
};
