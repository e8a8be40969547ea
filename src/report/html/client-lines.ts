import type { ClientLine } from '../../run/outcome.ts';
import { clientWords as words } from '../text/page.ts';
import { type Html, html } from './html.ts';

/** The picture is drawn in these units and stretched to the width of the page. */
const width = 1000;
const height = 40;
const tickWidth = 3;

type Request = ClientLine['requests'][number];

const kindOf = ({ status, isWrong }: Request): string => {
  if (isWrong) return 'wrong';
  return status === 429 ? 'refused' : 'requests';
};

const round = (value: number): number => Math.round(value * 10) / 10;

const lineOf = ({ name, durationMs, requests, waits }: ClientLine): Html => {
  const x = (ms: number): number => round((ms / durationMs) * (width - tickWidth));
  const bars = waits.map(
    ({ from, until }) =>
      html`<rect class="wait" x="${x(from)}" y="12" width="${round(Math.max(1, x(until) - x(from)))}" height="16"/>`,
  );
  // Wrong requests are drawn last, so that nothing hides them.
  const ticks = requests
    .toSorted((a, b) => Number(a.isWrong) - Number(b.isWrong))
    .map((request) => {
      const top = request.isWrong ? 0 : 8;
      return html`<rect class="${kindOf(request)}" x="${x(request.at)}" y="${top}" width="${tickWidth}" height="${height - 2 * top}"/>`;
    });
  const figures = {
    requests: requests.length,
    limited: requests.filter(({ status }) => status === 429).length,
    wrong: requests.filter(({ isWrong }) => isWrong).length,
  };
  return html`<figure class="timeline client"><figcaption>${words.caption(name, durationMs, figures)}</figcaption>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">${bars}${ticks}</svg></figure>`;
};

/** The requests of a client over time, in a line for each key; null: no client was tested. */
export const clientSection = (lines: readonly ClientLine[] | undefined): Html | null =>
  lines === undefined || lines.length === 0
    ? null
    : html`<section aria-labelledby="over-time"><h2 id="over-time">${words.title}</h2>
<p class="lead keys">${words.legend.map(([name, title]) => html`<span><i class="key ${name}"></i>${title}</span> `)}</p>
${lines.map(lineOf)}</section>`;
