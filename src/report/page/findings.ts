import type { Observation, Outcome, RecordedExchange, RequirementResult } from '../../run/outcome.ts';
import { shorten } from '../escape.ts';
import { count, counted, duration, whatWasCreated } from '../units.ts';
import { standingOf, withStanding } from '../verdicts.ts';
import { exchange } from './failure.ts';
import { type Html, html } from './html.ts';
import { badge } from './shapes.ts';

/** Rows that a page shows of a list that a run can make as long as it likes. */
const MOST_ROWS = 1_000;
const SAMPLED = 30;
const LONGEST_BODY = 2_000;
const LONGEST_NAME = 120;
/** A longer list of observations with the same value is folded. */
const MOST_SUBJECTS = 6;

/** What was not decided, by reason, so that what is missing for a better judgement stands once. */
export const undecided = (results: readonly RequirementResult[]): Html | null => {
  const open = withStanding(results, 'inconclusive', 'skipped');
  if (open.length === 0) return null;
  const byReason = Map.groupBy(
    open,
    (result) => `${standingOf(result)} ${result.reason ?? 'No reason is given.'}`,
  );
  return html`<section id="undecided"><h2>What was not decided, and why</h2>
<ul class="reasons">${[...byReason.values()].map((members) => {
    const [first] = members;
    if (first === undefined) return null;
    return html`<li>${badge(standingOf(first))}<div>${first.reason ?? 'No reason is given.'}
    <p class="ids">${members.map(({ id }) => html`<a href="#${id}">${id}</a> `)}</p></div></li>`;
  })}</ul></section>`;
};

const subjectList = (same: readonly Observation[]): Html => {
  const list = html`<ul>${same.map(({ subject }) => html`<li>${subject}</li>`)}</ul>`;
  return same.length <= MOST_SUBJECTS
    ? list
    : html`<details><summary>${counted(same.length, 'case')}</summary>${list}</details>`;
};

/** Subjects of one requirement with the same value share a row. */
const observationRow = (same: readonly Observation[]): readonly Html[] =>
  same
    .slice(0, 1)
    .map(
      ({ id, value }) =>
        html`<tr><td><a href="#${id}">${id}</a></td><td>${value}</td><td>${subjectList(same)}</td></tr>`,
    );

/** What this server does where the document is silent. */
export const observationTable = (observations: readonly Observation[]): Html | null => {
  if (observations.length === 0) return null;
  const rows = [...Map.groupBy(observations, ({ id, value }) => JSON.stringify([id, value])).values()];
  return html`<section id="observations"><h2>What this server does where the document is silent</h2>
<p class="lead">There is no right answer here, so nothing can fail. A client should not rely on any of it.</p>
<table class="plain subjects"><thead><tr><th scope="col">Requirement</th><th scope="col">Seen</th><th scope="col">With</th></tr></thead>
<tbody>${rows.slice(0, MOST_ROWS).map(observationRow)}</tbody></table>
${rows.length > MOST_ROWS && html`<p class="quiet">and ${count(rows.length - MOST_ROWS)} more in conformance.json</p>`}</section>`;
};

const animalsLeft = (outcome: Outcome): Html => {
  const { created, traffic } = outcome;
  if (traffic.created === 0) return html`<p class="lead">Nothing: no animal was created.</p>`;
  return html`<p class="lead">${whatWasCreated(outcome)}. The interface has no way to delete one, so they are still there; this is the list for whoever tidies up.</p>
${created.length < traffic.created && html`<p>${count(traffic.created - created.length)} of them came without an id that could be read, or without an answer; ordinary names begin with <code>conformance-</code>.</p>`}
<details><summary>Ids and names</summary><table class="plain"><thead><tr><th scope="col">Id</th><th scope="col">Name</th></tr></thead>
<tbody>${created.slice(0, MOST_ROWS).map(({ id, name }) => html`<tr><td><code>${id}</code></td><td>${shorten(name, LONGEST_NAME)}</td></tr>`)}</tbody></table>
${created.length > MOST_ROWS && html`<p class="quiet">and ${count(created.length - MOST_ROWS)} more in conformance.json</p>`}</details>`;
};

/** Of another interface it is not known what a creation leaves, nor whether it was among what the run deleted. */
const resourcesLeft = (outcome: Outcome): Html =>
  outcome.traffic.created === 0
    ? html`<p class="lead">Nothing was created.</p>`
    : html`<p class="lead">${whatWasCreated(outcome)}, at most: every 201 counts, every other success of a POST, and every creation that got no answer. What the run did not delete again is still there.</p>`;

/** What the run left behind. */
export const receipt = (
  outcome: Outcome,
): Html => html`<section id="created"><h2>What the run left behind</h2>
${outcome.interface.title === undefined ? animalsLeft(outcome) : resourcesLeft(outcome)}</section>`;

/** Evenly spread over the run. */
const spread = (exchanges: readonly RecordedExchange[], most: number): readonly RecordedExchange[] => {
  const step = Math.max(1, exchanges.length / most);
  return exchanges.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
};

const sampled = (recorded: RecordedExchange): Html => {
  const { id, request, response, failure, durationMs, check } = recorded;
  return html`<details class="exchange"><summary><code>${request.method} ${request.url}</code> <b>${response?.status ?? 'no answer'}</b> <small>${duration(durationMs)}</small></summary>
<p class="quiet">Exchange ${id}, sent by “${check}”.</p>
${exchange({ request, response, why: failure ?? 'no reason is known' }, LONGEST_BODY)}</details>`;
};

/** Some of the exchanges in which nothing was wrong. */
export const exchangeSample = (exchanges: readonly RecordedExchange[]): Html | null => {
  const good = exchanges.filter(({ breaches, response }) => breaches.length === 0 && response !== null);
  if (good.length === 0) return null;
  return html`<section id="exchanges"><h2>A sample of what was said</h2>
<p class="lead">${counted(Math.min(SAMPLED, good.length), 'exchange')} in which nothing was wrong, spread over the run. More are in traffic.har, which the developer tools of a browser open.</p>
${spread(good, SAMPLED).map(sampled)}</section>`;
};
