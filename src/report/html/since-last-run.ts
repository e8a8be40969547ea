import type { Outcome } from '../../run/outcome.ts';
import { compareReports } from '../compare.ts';
import { type Report, toReport } from '../conformance.ts';
import { moment } from '../text/units.ts';
import { type Html, html } from './html.ts';

const mostShown = 8;

/** Reports of one server can be compared. The reference server listens at another port in each run. */
const isSameTarget = (
  { target: a }: Pick<Outcome, 'target'>,
  { target: b }: Pick<Outcome, 'target'>,
): boolean => a.baseUrl === b.baseUrl || (a.reference && b.reference);

const group = (title: string, texts: readonly string[]): Html | null =>
  texts.length === 0
    ? null
    : html`<p class="label">${title}</p><ul>${texts.slice(0, mostShown).map((text) => html`<li>${text}</li>`)}</ul>
${texts.length > mostShown && html`<p>And ${texts.length - mostShown} more</p>`}`;

/** Requirements that newly fail or pass, compared with the previous report in the folder; null: it had no report of this server. */
export const sinceLastRun = (outcome: Outcome, previous: Report | null): Html | null => {
  if (previous === null || !isSameTarget(previous, outcome)) return null;
  const changes = compareReports(previous, toReport(outcome));
  const failing = changes.filter(({ kind }) => kind === 'newly failing').map(({ text }) => text);
  const passing = changes.filter(({ kind }) => kind === 'newly passing').map(({ text }) => text);
  const isUnchanged = failing.length === 0 && passing.length === 0;
  return html`<section class="since" aria-labelledby="since"><h2 id="since">Since the last run</h2>
<p class="lead">${isUnchanged ? 'No requirement newly fails or passes. ' : ''}Compared with the run of ${moment(previous.startedAt)}.</p>
${group('Newly failing', failing)}${group('Newly passing', passing)}</section>`;
};
