import type { Outcome, RequirementResult } from '../../run/outcome.ts';
import { requirementWords as words } from '../text/page.ts';
import { shownVerdicts } from '../text/shown-verdicts.ts';
import { asSentence, count } from '../text/units.ts';
import { countVerdicts, type Group, groups, isUnexpectedPass, shownVerdictOf } from '../verdicts.ts';
import type { Cause } from './causes.ts';
import { byTurns, failureDetails } from './failure.ts';
import { type Html, html, unbroken } from './html.ts';
import { badge, rule, shape } from './icons.ts';

/** The most characters of all bodies of failures together. With more, the page opens slowly. */
const ROOM_FOR_BODIES = 1_500_000;
const LONGEST_BODY = 20_000;
const SHORTEST_BODY = 300;

/** What the rows have in common. */
interface Shown {
  /** The most characters of a body. */
  readonly longest: number;
  /** The sections of the animal store's document say nothing about another API. */
  readonly isOther: boolean;
  readonly isOneReason: boolean;
  readonly causes: readonly Cause[];
}

/** The bugs that make a requirement fail. */
const fixes = (id: string, causes: readonly Cause[]): Html | null => {
  const its = causes.filter(({ clears, partly }) => clears.includes(id) || partly.includes(id));
  return its.length === 0
    ? null
    : html`<p class="ids"><span>${words.fixes(its.length)} ${its.map(({ number }) => html`<a href="#fix-${number}">${number}</a> `)}</span></p>`;
};

const bodyLength = (results: readonly RequirementResult[]): number => {
  const bodies = 2 * results.reduce((sum, { failures }) => sum + failures.length, 0);
  return Math.max(SHORTEST_BODY, Math.min(LONGEST_BODY, Math.floor(ROOM_FOR_BODIES / Math.max(1, bodies))));
};

/** Nothing was tested, for one reason: the verdict has it. */
const haveOneReason = (results: readonly RequirementResult[]): boolean =>
  results.length > 1 &&
  results.every(({ verdict, reason }) => verdict === 'skipped' && reason === results[0]?.reason);

const remark = (result: RequirementResult, shown: Shown): Html | null => {
  if (isUnexpectedPass(result)) return html`<p class="reason">${words.passesNow(result.known)}</p>`;
  if (result.known !== null) return html`<p class="reason">${words.known(result.known)}</p>`;
  if (result.verdict === 'observed')
    return html`<p class="reason"><a href="#observations">${words.observed}</a></p>`;
  return result.reason === null || shown.isOneReason
    ? null
    : html`<p class="reason">${unbroken(asSentence(result.reason))}</p>`;
};

const row = (result: RequirementResult, shown: Shown): Html => {
  const verdict = shownVerdictOf(result);
  return html`<tbody id="${result.id}" class="requirement" data-verdict="${verdict}">
  <tr><td>${badge(verdict)}</td>
  <th scope="row"><span class="id">${result.id}</span> <span class="statement">${rule(result)}</span>
    ${shown.isOther ? null : html`<span class="section">${words.section(result.section)}</span>`}${remark(result, shown)}${fixes(result.id, shown.causes)}</th>
  <td class="number">${count(result.checks)}</td></tr>
  ${
    result.failures.length > 0 &&
    html`<tr class="more"><td colspan="3">${byTurns(result.failures).map((failure) =>
      failureDetails(failure, shown.longest),
    )}</td></tr>`
  }
</tbody>`;
};

const groupTable = (group: Group, shown: Shown): Html => html`<section class="group">
<h3 id="group-${group.id}">${group.title} <small>${group.id}</small></h3>
<table aria-labelledby="group-${group.id}"><thead><tr><th scope="col">${words.columns.verdict}</th><th scope="col">${words.columns.requirement}</th><th scope="col" class="number">${words.columns.checks}</th></tr></thead>
${group.results.map((result) => row(result, shown))}</table></section>`;

/** Filters and search. The script shows them, because they do nothing without it. */
const controls = (results: readonly RequirementResult[]): Html =>
  html`<form class="controls js-only" role="search" aria-label="${words.title}" hidden>
<div class="filters" role="group" aria-label="${words.filters.label}">${[...countVerdicts(results)].map(
    ([verdict, number]) =>
      html`<button type="button" data-filter="${verdict}" aria-pressed="false">${shape(verdict)} ${shownVerdicts[verdict].word} <b>${count(number)}</b></button>`,
  )}</div>
<label><span>${words.filters.search}</span> <input type="search" autocomplete="off" spellcheck="false" placeholder="${words.filters.example}"></label>
<output aria-live="polite"></output><button type="reset" class="clear" hidden>${words.filters.all}</button></form>`;

/** Every requirement by group: verdict, statement, section, reasons, failures. */
export const requirementTables = (
  outcome: Pick<Outcome, 'requirements' | 'interface'>,
  causes: readonly Cause[],
  unselected: number,
): Html => {
  const results = outcome.requirements;
  const isOther = outcome.interface.title !== undefined;
  const shown = { longest: bodyLength(results), isOther, isOneReason: haveOneReason(results), causes };
  return html`<section id="requirements"><h2>${words.title}</h2>
<p class="lead">${words.lead(isOther, unselected)}</p>
${controls(results)}
${groups(results).map((group) => groupTable(group, shown))}</section>`;
};
