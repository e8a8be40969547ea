import type { Outcome, RequirementResult } from '../../run/outcome.ts';
import { type Change, compareReports } from '../compare.ts';
import { type Report, toReport } from '../conformance.ts';
import { diagnosis } from '../diagnosis.ts';
import { summaryLine } from '../group-failures.ts';
import { changeTitles } from '../text/compare.ts';
import { runWords, openingWords as words } from '../text/page.ts';
import { passesNow, type ShownVerdict, shownVerdicts, wordFor } from '../text/shown-verdicts.ts';
import { failureLabels } from '../text/steps.ts';
import { summaryWords, totalsWords } from '../text/summary.ts';
import { counted, duration, moment, whatWasCreated } from '../text/units.ts';
import {
  countVerdicts,
  type Group,
  groups,
  isUnexpectedPass,
  shownVerdictOf,
  withVerdict,
} from '../verdicts.ts';
import type { Cause } from './causes.ts';
import { commandBlock } from './failure.ts';
import { type Html, html, prose, unbroken } from './html.ts';
import { rule, shape } from './icons.ts';
import { legend } from './legend.ts';
import { untestedLines, verdictText } from './verdict.ts';

const mostShown = 8;

/** Reports of one server can be compared. The reference server listens at another port in each run. */
const isSameTarget = (
  { target: a }: Pick<Outcome, 'target'>,
  { target: b }: Pick<Outcome, 'target'>,
): boolean => a.baseUrl === b.baseUrl || (a.reference && b.reference);

/** The text of a change begins with the id. */
const changeItem = ({ id = '', text }: Change): Html =>
  html`<li><a href="#${id}">${id}</a>${text.slice(id.length)}</li>`;

const group = (title: string, changes: readonly Change[]): Html | null =>
  changes.length === 0
    ? null
    : html`<p class="label">${title}</p><ul>${changes.slice(0, mostShown).map(changeItem)}</ul>
${changes.length > mostShown && html`<p>${words.more(changes.length - mostShown)}</p>`}`;

/** Requirements that newly fail or pass, compared with the previous report in the folder; null: it had no report of this server. */
const sinceLastRun = (outcome: Outcome, previous: Report | null): Html | null => {
  if (previous === null || !isSameTarget(previous, outcome)) return null;
  const changes = compareReports(previous, toReport(outcome));
  const failing = changes.filter(({ kind }) => kind === 'newly-failing');
  const passing = changes.filter(({ kind }) => kind === 'newly-passing');
  const isUnchanged = failing.length === 0 && passing.length === 0;
  return html`<section class="since" aria-labelledby="since"><h2 id="since">${words.sinceLastRun}</h2>
<p class="lead">${words.comparedWith(previous.startedAt, isUnchanged)}</p>
${group(changeTitles['newly-failing'], failing)}${group(changeTitles['newly-passing'], passing)}</section>`;
};

const cell = (result: RequirementResult): Html => {
  const verdict = shownVerdictOf(result);
  const name = `${result.id} ${shownVerdicts[verdict].word}`;
  return html`<a class="cell ${verdict}" href="#${result.id}" title="${name}: ${result.statement}">${shape(verdict)}<span aria-hidden="true">${result.id.slice(result.id.lastIndexOf('-') + 1)}</span><span class="sr">${name}</span></a>`;
};

const rowOf = ({ id, title, results }: Group): Html =>
  html`<div class="row" role="group" aria-label="${title}"><span class="name">${title} <small>${id}</small></span><span class="cells">${results.map(cell)}</span></div>`;

/** The number of requirements with each verdict. It also explains the shapes. */
const counts = (results: readonly RequirementResult[]): Html =>
  html`<ul class="counts">${[...countVerdicts(results)].map(
    ([verdict, number]) =>
      html`<li title="${shownVerdicts[verdict].meaning}">${shape(verdict)} <b>${number}</b> ${wordFor(verdict, number)}</li>`,
  )}</ul>`;

/** Every requirement as a cell with the color and shape of its verdict, by group; each links to its row. */
const requirementMap = (results: readonly RequirementResult[]): Html =>
  html`<section class="map" aria-labelledby="map"><h2 id="map">${words.map}</h2>
${counts(results)}
<div role="toolbar" aria-labelledby="map">${groups(results).map(rowOf)}</div>
${legend()}</section>`;

/** More would hide what to fix first. */
const MOST_CAUSES = 5;
const MOST_LISTED = 12;

const notices = (outcome: Outcome): readonly Html[] => [
  ...(outcome.ended === null || outcome.verdict === 'not-judged'
    ? []
    : [html`<p class="notice">${words.endedEarly(outcome.ended)}</p>`]),
  ...[diagnosis(outcome)].filter((text) => text !== null).map((text) => html`<p class="notice">${text}</p>`),
  ...outcome.requirements
    .filter(isUnexpectedPass)
    .map(({ id, known }) => html`<p class="notice"><a href="#${id}">${id}</a> ${passesNow(known)}</p>`),
];

const links = (ids: readonly string[]): readonly Html[] => ids.map((id) => html`<a href="#${id}">${id}</a> `);

const effect = (word: string, ids: readonly string[]): Html | false =>
  ids.length > 0 && html`<span>${word} ${links(ids)}</span>`;

const causeItem = ({
  message,
  sides,
  clears,
  partly,
  blocks,
  number,
}: Cause): Html => html`<li id="fix-${number}"><div>
<h3>${unbroken(message)}</h3>
${sides && html`<dl class="sides"><dt>${failureLabels.expected}</dt><dd>${sides.expected}</dd><dt>${failureLabels.actual}</dt><dd>${sides.actual}</dd></dl>`}
<p class="ids">${effect(words.effect.clears, clears)}${effect(clears.length > 0 ? words.effect.andPartly : words.effect.partly, partly)}${effect(words.effect.unblocks, blocks)}</p></div></li>`;

const fixFirst = (causes: readonly Cause[]): Html | null =>
  causes.length === 0
    ? null
    : html`<section class="causes" aria-labelledby="fix-first"><h2 id="fix-first">${summaryWords.fixFirst}</h2>
<ol>${causes.slice(0, MOST_CAUSES).map(causeItem)}</ol>
${causes.length > MOST_CAUSES && html`<details><summary>${words.moreBugs(causes.length - MOST_CAUSES)}</summary><ol start="${MOST_CAUSES + 1}">${causes.slice(MOST_CAUSES).map(causeItem)}</ol></details>`}</section>`;

/** Requirements with one verdict, each with the reason in a sentence. */
const problems = (title: string, results: readonly RequirementResult[], verdict: ShownVerdict) =>
  results.length === 0
    ? null
    : html`<section class="problems" aria-labelledby="problems-${verdict}"><h2 id="problems-${verdict}">${title}</h2>
<ul>${results
        .slice(0, MOST_LISTED)
        .map(
          (result) =>
            html`<li>${shape(verdict)}<div><h3><a href="#${result.id}">${result.id}</a> ${rule(result)}</h3><p>${unbroken(summaryLine(result.failures) ?? result.reason ?? '')}</p></div></li>`,
        )}</ul>
${results.length > MOST_LISTED && html`<p><a href="#requirements">${words.moreBelow(results.length - MOST_LISTED)}</a></p>`}</section>`;

/** A setting as an option: `--max-creates 50`. */
const option = ([name, value]: readonly [string, unknown]): Html => {
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return html`<code>${unbroken(value === true ? flag : `${flag} ${[value].flat().join(', ')}`)}</code> `;
};

/** What was tested, and how to repeat the run. */
const runPanel = (outcome: Outcome): Html => {
  const { target, traffic, seed, timeline } = outcome;
  const settings = Object.entries(outcome.settings ?? {});
  const { facts, moreFacts } = runWords;
  const entries: readonly (readonly [string, Html])[] = [
    [facts.server, html`<code>${target.baseUrl}</code>${target.reference && ` (${summaryWords.reference})`}`],
    [facts.started, html`<time datetime="${outcome.startedAt}">${moment(outcome.startedAt)}</time>`],
    [facts.duration, html`${duration(outcome.durationMs)}`],
    [totalsWords.traffic, html`${counted(traffic.requests, 'request')}, ${whatWasCreated(outcome)}`],
    ...(outcome.interface.title === undefined
      ? [[facts.plan, html`${target.plan ?? runWords.unknownPlan}`] as const]
      : []),
    [facts.seed, html`<code>--seed ${seed}</code>`],
    [moreFacts.suite, html`${outcome.tool.name} ${outcome.tool.version}`],
    [
      moreFacts.interface,
      html`${outcome.interface.title ?? summaryWords.animalStore} ${outcome.interface.version}`,
    ],
    ...(settings.length === 0 ? [] : [[moreFacts.settings, html`${settings.map(option)}`] as const]),
  ];
  return html`<section class="run" aria-labelledby="run"><h2 id="run">${runWords.title}</h2>
<dl class="facts">${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${outcome.command !== undefined && commandBlock(runWords.command, outcome.command)}
${!target.reference && outcome.interface.title === undefined && html`<p class="quiet">${prose(runWords.keys(timeline?.accounts['rate-limit'] !== undefined))}</p>`}</section>`;
};

/** The first screen: the verdict, what to fix first, and every requirement at a glance. */
export const opening = (
  outcome: Outcome,
  causes: readonly Cause[],
  previous: Report | null,
  unselected: number,
): Html => {
  const { sign, title, lead } = verdictText(outcome);
  const { requirements } = outcome;
  return html`<header class="opening" id="top">
  <p class="product">${outcome.interface.title ?? summaryWords.animalStore} ${words.conformance} <code>${outcome.target.baseUrl}</code></p>
  <div class="verdict ${sign}">${shape(sign)}<div><h1>${title}</h1><p>${lead}${causes.length > 0 && words.bugs(causes.length)}</p>${untestedLines(outcome, unselected).map((text) => html`<p class="open">${prose(text)}</p>`)}</div></div>
  ${notices(outcome)}
</header>
<div class="glance">${fixFirst(causes)}${requirementMap(requirements)}${sinceLastRun(outcome, previous)}
${problems(words.suiteErrors, withVerdict(requirements, 'error'), 'error')}
${problems(summaryWords.warnings, withVerdict(requirements, 'warned'), 'warned')}
${runPanel(outcome)}</div>`;
};
