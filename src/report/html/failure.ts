import { isJsonObject } from '../../json/json.ts';
import { parseJson } from '../../json/parse.ts';
import { type BySide, bySide, type Failure, type ServerFailure, type Step } from '../../run/outcome.ts';
import { difference, type Segment } from '../difference.ts';
import { subjectOf } from '../group-failures.ts';
import { oneLine, visible } from '../text/escape.ts';
import { exceptionIn } from '../text/exceptions.ts';
import { failureWords as words } from '../text/page.ts';
import { failureLabels as labels, repetition, stepText } from '../text/steps.ts';
import { capitalized } from '../text/units.ts';
import { type Html, html, prose, unbroken } from './html.ts';
import { exchange } from './message.ts';

const side = (title: string, segments: readonly Segment[]): Html =>
  html`<div><p class="label">${title}</p><pre>${segments.map(({ text, differs }) => (differs ? html`<mark>${text}</mark>` : text))}</pre></div>`;

const list = (texts: readonly string[]): Html =>
  html`<ul class="sent">${texts.map((text) => html`<li>${text}</li>`)}</ul>`;

const lines = (title: string, texts: readonly string[]): Html | false =>
  texts.length > 0 && html`<div class="steps"><p class="label">${title}</p>${list(texts)}</div>`;

/** A command with a button that copies it. */
export const commandBlock = (title: string, text: string): Html =>
  html`<div class="command"><p class="label">${title}</p><button type="button" class="copy" hidden>${words.copy.label}<span class="sr">${words.copied(title)}</span></button><pre>${unbroken(text)}</pre></div>`;

/** The id of the resource that a request created; null: it created none. */
const createdId = ({ request, response }: Step): string | null => {
  if (request.method !== 'POST' || response?.status !== 201) return null;
  const parsed = parseJson(response.body ?? '');
  const id = parsed.ok && isJsonObject(parsed.value) ? parsed.value.id : undefined;
  return typeof id === 'bigint' || typeof id === 'string' ? String(id) : null;
};

/** Earlier requests of the case. Creations whose id appears in the failure are shown, others are folded. */
const earlierRequests = (failure: ServerFailure): Html | false => {
  const steps = failure.causedBy === undefined ? (failure.before ?? []) : [];
  const { request, message, expected, actual } = failure;
  const text = [request.url, request.body ?? '', message, expected, actual].join(' ');
  const mentioned = new Set(text.match(/[\w-]+/g));
  const isRelevant = (step: Step) => mentioned.has(createdId(step) ?? '');
  const others = steps.filter((step) => !isRelevant(step)).map(stepText);
  return html`${lines(words.sentBefore, steps.filter(isRelevant).map(stepText))}
${others.length > 0 && html`<details class="steps"><summary>${words.othersBefore(others.length)}</summary>${list(others)}</details>`}`;
};

/** The exchange that shows a failure, with similar ones, and how to repeat it. */
const exchangeEvidence = (failure: ServerFailure, longest: number): Html => {
  const { request, response, actual } = failure;
  const exception = exceptionIn(failure);
  return html`${lines(capitalized(labels.causedBy), failure.causedBy === undefined ? [] : [stepText(failure.causedBy)])}
  ${earlierRequests(failure)}
  ${exchange({ request, response, why: actual, quoted: actual }, longest)}
  ${lines(capitalized(labels.exception), exception === null ? [] : [oneLine(exception)])}
  ${lines(capitalized(labels.alsoFails), (failure.others ?? []).map(oneLine))}
  ${lines(capitalized(labels.passes), (failure.passed ?? []).map(oneLine))}
  ${commandBlock(labels.curl, failure.shortCurl?.command ?? failure.curl)}
  ${commandBlock(capitalized(labels.replay), failure.replay)}
  <p class="quiet">${words.during(failure.check)}: ${repetition(failure)}. ${prose(words.entry(failure.exchange))}</p>`;
};

const evidence = (longest: number): BySide<Html> => ({
  server: (failure) => exchangeEvidence(failure, longest),
});

/** One failure, folded; bodies beyond `longest` characters are cut. */
export const failureDetails = (failure: Failure, longest: number): Html => {
  const sides = difference(visible(failure.expected), visible(failure.actual));
  return html`<details class="failure">
  <summary><span>${unbroken(failure.message)}</span> <small>${subjectOf(failure)}</small></summary>
  <div class="pair compare">${side(capitalized(labels.expected), sides.expected)}${side(capitalized(labels.actual), sides.actual)}</div>
  ${bySide(evidence(longest), failure)}
</details>`;
};

/** Failures in their order, but the first failure of each subject comes before the second of any. */
export const byTurns = (failures: readonly Failure[]): readonly Failure[] =>
  [...Map.groupBy(failures, subjectOf).values()]
    .flatMap((same) => same.map((failure, turn) => ({ failure, turn })))
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ failure }) => failure);
