import type { Observation, Outcome, RecordedExchange, RequirementResult } from '../../run/outcome.ts';
import { shorten } from '../text/escape.ts';
import {
  createdWords,
  failureWords,
  observationWords,
  requirementWords,
  sampleWords,
  untestedWords,
} from '../text/page.ts';
import { asSentence, duration, whatWasCreated } from '../text/units.ts';
import { shownVerdictOf, withVerdict } from '../verdicts.ts';
import { type Html, html, prose, unbroken } from './html.ts';
import { badge } from './icons.ts';
import { exchange } from './message.ts';

/** The most rows of a list, because a run can create any number of animals. */
const MOST_ROWS = 1_000;
const SAMPLED = 30;
const LONGEST_BODY = 2_000;
const LONGEST_NAME = 120;
/** A longer list of observations with the same value is folded. */
const MOST_SUBJECTS = 6;

/** Requirements without a result, by reason: each reason is shown once. */
export const untested = (results: readonly RequirementResult[]): Html | null => {
  const withoutResult = withVerdict(results, 'inconclusive', 'skipped');
  if (withoutResult.length === 0) return null;
  const byReason = Map.groupBy(withoutResult, (result) => `${shownVerdictOf(result)} ${result.reason ?? ''}`);
  return html`<ul class="reasons">${[...byReason.values()].map((members) => {
    const [first] = members;
    if (first === undefined) return null;
    return html`<li>${badge(shownVerdictOf(first))}<div>${unbroken(asSentence(first.reason ?? untestedWords.noReason))}
    <p class="ids">${members.map(({ id }) => html`<a href="#${id}">${id}</a> `)}</p></div></li>`;
  })}</ul>`;
};

const subjectList = (same: readonly Observation[]): Html => {
  const list = html`<ul>${same.map(({ subject }) => html`<li>${subject}</li>`)}</ul>`;
  return same.length <= MOST_SUBJECTS
    ? list
    : html`<details><summary>${observationWords.cases(same.length)}</summary>${list}</details>`;
};

/** Subjects of one requirement with the same value share a row. */
const observationRow = (same: readonly Observation[]): readonly Html[] =>
  same
    .slice(0, 1)
    .map(
      ({ id, value }) =>
        html`<tr><td><a href="#${id}">${id}</a></td><td>${subjectList(same)}</td><td>${value}</td></tr>`,
    );

/** Behavior of the server that the document does not specify. */
export const observationTable = (observations: readonly Observation[]): Html | null => {
  if (observations.length === 0) return null;
  const rows = [...Map.groupBy(observations, ({ id, value }) => JSON.stringify([id, value])).values()];
  return html`<p class="lead">${observationWords.lead}</p>
<table class="plain subjects"><thead><tr><th scope="col">${requirementWords.columns.requirement}</th><th scope="col">${observationWords.columns.case}</th><th scope="col">${observationWords.columns.observed}</th></tr></thead>
<tbody>${rows.slice(0, MOST_ROWS).map(observationRow)}</tbody></table>
${rows.length > MOST_ROWS && html`<p class="quiet">${observationWords.moreRows(rows.length - MOST_ROWS)}</p>`}`;
};

const createdAnimals = (outcome: Outcome): Html => {
  const { created, traffic } = outcome;
  if (traffic.created === 0) return html`<p class="lead">${createdWords.noAnimal}</p>`;
  const unknown = traffic.created - created.length;
  return html`<p class="lead">${createdWords.animals(whatWasCreated(outcome))}</p>
${unknown > 0 && html`<p>${prose(createdWords.unknownIds(unknown))}</p>`}
<table class="plain"><thead><tr><th scope="col">${createdWords.columns.id}</th><th scope="col">${createdWords.columns.name}</th></tr></thead>
<tbody>${created.slice(0, MOST_ROWS).map(({ id, name }) => html`<tr><td><code>${id}</code></td><td>${shorten(name, LONGEST_NAME)}</td></tr>`)}</tbody></table>
${created.length > MOST_ROWS && html`<p class="quiet">${observationWords.moreRows(created.length - MOST_ROWS)}</p>`}`;
};

/** For another API, it is unknown what a creation stores, and whether the run deleted it. */
const createdResources = (outcome: Outcome): Html =>
  outcome.traffic.created === 0
    ? html`<p class="lead">${createdWords.nothing}</p>`
    : html`<p class="lead">${createdWords.resources(whatWasCreated(outcome))}</p>`;

/** What the run created. */
export const createdSection = (outcome: Outcome): Html =>
  outcome.interface.title === undefined ? createdAnimals(outcome) : createdResources(outcome);

/** Returns exchanges that are evenly spread over the run. */
const spread = (exchanges: readonly RecordedExchange[], most: number): readonly RecordedExchange[] => {
  const step = Math.max(1, exchanges.length / most);
  return exchanges.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
};

const exchangeDetails = (recorded: RecordedExchange): Html => {
  const { id, request, response, failure, durationMs, check } = recorded;
  return html`<details class="exchange"><summary><code>${request.method} ${request.url}</code> <b>${response?.status ?? sampleWords.noResponse}</b> <small>${duration(durationMs)}</small></summary>
<p class="quiet">${failureWords.during(check)}. ${prose(failureWords.entry(id))}</p>
${exchange({ request, response, why: failure ?? sampleWords.unknownReason }, LONGEST_BODY)}</details>`;
};

/** A sample of the exchanges without a failure. */
export const exchangeSample = (exchanges: readonly RecordedExchange[]): Html | null => {
  const good = exchanges.filter(({ breaches, response }) => breaches.length === 0 && response !== null);
  if (good.length === 0) return null;
  return html`<p class="lead">${sampleWords.lead(Math.min(SAMPLED, good.length))}</p>
${spread(good, SAMPLED).map(exchangeDetails)}`;
};
