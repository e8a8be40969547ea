import type { Outcome, RequirementResult } from '../../run/outcome.ts';
import { theSameOn, together } from '../alike.ts';
import { suspicion } from '../suspicion.ts';
import { count, counted, duration, moment, whatWasCreated } from '../units.ts';
import { untried } from '../untried.ts';
import {
  countStandings,
  isHardlyJudged,
  isUncontradicted,
  isUndecided,
  notJudgedLine,
  passesAgain,
  reach,
  type Standing,
  standings,
  undecidedBySettings,
  withStanding,
} from '../verdicts.ts';
import { hinderedBy, mostPressingFirst } from '../weight.ts';
import { type Html, html } from './html.ts';
import { legend } from './legend.ts';
import { rule, shape } from './shapes.ts';

/** Beyond this many the list refers to the table: the first screen has to stay one. */
const MOST_LISTED = 12;

const verdicts = {
  conformant: { title: 'This server conforms', sign: 'passed' },
  nonconformant: { title: 'This server does not conform', sign: 'failed' },
  'not-judged': { title: 'This server could not be judged', sign: 'inconclusive' },
} as const satisfies Record<Outcome['verdict'], { title: string; sign: Standing }>;

const hardlyJudged = { title: 'Nothing speaks against this server', sign: 'inconclusive' } as const;

const sentence = (reason: string): string =>
  `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${reason.endsWith('.') ? '' : '.'}`;

const were = (number: number, what: string): readonly string[] =>
  number === 0 ? [] : [`${counted(number, 'requirement')} ${number === 1 ? 'was' : 'were'} ${what}.`];

/** What was tried in vain, and what was not tried, in the words in which they are counted below. */
const openWords = (requirements: readonly RequirementResult[]): string =>
  [
    ...were(
      withStanding(requirements, 'inconclusive').length - undecidedBySettings(requirements).length,
      'tried and could not be decided (inconclusive)',
    ),
    ...were(
      undecidedBySettings(requirements).length,
      'left undecided by the settings of the run (inconclusive)',
    ),
    ...were(withStanding(requirements, 'skipped').length, 'not tried (skipped)'),
  ]
    .map((text) => ` ${text}`)
    .join('');

const inPlainWords = (outcome: Outcome): string => {
  const { requirements, verdict } = outcome;
  const failed = withStanding(requirements, 'failed').length;
  const again = requirements.filter(passesAgain).length;
  const undecided = openWords(requirements);
  if (isUndecided(outcome)) return `Nothing that was tried speaks against it.${undecided}`;
  if (verdict === 'not-judged')
    return sentence(outcome.ended ?? 'nothing that it answered could be held against the interface document');
  if (verdict === 'conformant') {
    const known = withStanding(requirements, 'known').length;
    const rest = known === 0 ? 'Everything' : `But for ${counted(known, 'known failure')}, everything`;
    const outdated =
      again === 0
        ? ''
        : ` Yet the run fails: ${counted(again, 'known failure')} passed this time, so the list of them is out of date.`;
    return `${rest} that could be decided agrees with the interface document.${outdated}${undecided}`;
  }
  const warnings = withStanding(requirements, 'warned').length;
  if (failed === 0) {
    return `No rule of the document is broken, yet ${counted(warnings, 'warning')} fail${warnings === 1 ? 's' : ''} this run, which is strict.${undecided}`;
  }
  return `It breaks ${count(failed)} of ${counted(requirements.length, 'requirement')}: programs written to the interface document may fail with it.${undecided}`;
};

/** The share of each standing, as one bar. */
const proportions = (outcome: Outcome): Html => {
  const total = Math.max(1, outcome.requirements.length);
  const counts = [...countStandings(outcome.requirements)];
  const before = (index: number) => counts.slice(0, index).reduce((sum, [, number]) => sum + number, 0);
  const label = counts.map(([standing, number]) => `${number} ${standings[standing].word}`).join(', ');
  return html`<svg class="proportions" role="img" aria-label="Requirements: ${label}">${counts.map(
    ([standing, number], index) =>
      html`<rect class="${standing}" x="${(before(index) / total) * 100}%" width="${(number / total) * 100}%" height="100%"/>`,
  )}</svg>
  <ul class="counts">${counts.map(
    ([standing, number]) =>
      html`<li title="${standings[standing].meaning}">${shape(standing)} <b>${count(number)}</b> ${standings[standing].word}</li>`,
  )}</ul>`;
};

const facts = (outcome: Outcome): Html => {
  const { target, traffic } = outcome;
  const entries: readonly (readonly [string, Html])[] = [
    ['Target', html`<code>${target.baseUrl}</code>${target.reference && ' (the built-in reference server)'}`],
    ['When', html`<time datetime="${outcome.startedAt}">${moment(outcome.startedAt)}</time>`],
    ['Took', html`${duration(outcome.durationMs)}`],
    ['Sent', html`${counted(traffic.requests, 'request')}, ${whatWasCreated(outcome)}`],
    ['Seed', html`<code>${outcome.seed}</code>`],
    ['Plan', html`${target.plan ?? 'not known'}`],
    [
      'Judged by',
      html`version ${outcome.tool.version}, for ${outcome.interface.title ?? 'interface'} ${outcome.interface.version}`,
    ],
  ];
  return html`<dl class="facts">${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
};

const cause = (result: RequirementResult): Html => {
  const [told, ...rest] = together(result.failures);
  if (told === undefined) return html`<p class="why">${result.reason ?? 'No reason is given.'}</p>`;
  const { failure, alsoOn } = told;
  const more = [
    ...(alsoOn.length === 0 ? [] : [sentence(theSameOn(alsoOn))]),
    ...(rest.length === 0 ? [] : [`And ${rest.length} more.`]),
  ];
  return html`<p class="why">${[failure.message, ...more].join(' ')}</p>
    <dl class="sides"><dt>expected</dt><dd>${failure.expected}</dd><dt>actual</dt><dd>${failure.actual}</dd></dl>`;
};

/** What could not be judged because of a failure. */
const consequences = (ids: readonly string[]): Html | null =>
  ids.length === 0
    ? null
    : html`<p class="quiet">Because of it not judged: ${ids.map((id) => html`<a href="#${id}">${id}</a> `)}</p>`;

const problems = (
  title: string,
  results: readonly RequirementResult[],
  standing: Standing,
  all: readonly RequirementResult[] = [],
): Html | null =>
  results.length === 0
    ? null
    : html`<section class="problems ${standing}" aria-labelledby="problems-${standing}">
    <h2 id="problems-${standing}">${title}</h2>
    <ol>${results.slice(0, MOST_LISTED).map(
      (result) => html`<li>${shape(standing)}<div>
      <h3><a href="#${result.id}">${result.id}</a> ${rule(result)}</h3>${cause(result)}${consequences(hinderedBy(result.id, all))}</div></li>`,
    )}</ol>
    ${results.length > MOST_LISTED && html`<p><a href="#requirements">and ${results.length - MOST_LISTED} more in the table</a></p>`}
  </section>`;

const notices = (outcome: Outcome): readonly Html[] => [
  ...(isUncontradicted(outcome) ? [untried(outcome)] : [])
    .filter((text) => text !== null)
    .map((text) => html`<p class="notice"><b>Not tried:</b> ${text}.</p>`),
  ...(outcome.ended === null || (outcome.verdict === 'not-judged' && !isUndecided(outcome))
    ? []
    : [html`<p class="notice"><b>The run ended early.</b> ${outcome.ended}</p>`]),
  ...[suspicion(outcome)].filter((text) => text !== null).map((text) => html`<p class="notice">${text}</p>`),
  ...outcome.requirements
    .filter(passesAgain)
    .map(
      ({ id, known }) =>
        html`<p class="notice"><b><a href="#${id}">${id}</a> passes again</b>, though it is listed as a known failure (${known}): take it off the list.</p>`,
    ),
];

const titleOf = (outcome: Outcome): string => {
  const { title } = verdicts[outcome.verdict];
  if (outcome.verdict === 'not-judged')
    return notJudgedLine(outcome, { server: 'this server', unjudgeable: title });
  if (outcome.verdict === 'nonconformant') return title;
  return `${isHardlyJudged(outcome) ? hardlyJudged.title : title}${reach(outcome)}`;
};

/** The first screen: whether the target conforms, what failed and why, which target, when, with which seed. */
export const opening = (outcome: Outcome): Html => {
  const { sign } = isHardlyJudged(outcome) ? hardlyJudged : verdicts[outcome.verdict];
  const { requirements } = outcome;
  return html`<header class="opening" id="top">
  <p class="product">Animal store conformance</p>
  <div class="verdict ${sign}">${shape(sign)}<div><h1>${titleOf(outcome)}</h1><p>${inPlainWords(outcome)}</p></div></div>
  ${proportions(outcome)}
  ${legend()}
  ${notices(outcome)}
  ${facts(outcome)}
</header>
${problems('What failed, and why', mostPressingFirst(withStanding(requirements, 'failed'), requirements), 'failed', requirements)}
${problems('Where the suite itself failed', withStanding(requirements, 'error'), 'error')}
${problems('Warnings: standards, not the document', withStanding(requirements, 'warned'), 'warned')}`;
};
