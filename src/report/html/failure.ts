import { isJsonObject } from '../../json/json.ts';
import { parseJson } from '../../json/parse.ts';
import type { Failure, Step } from '../../run/outcome.ts';
import { difference, type Segment } from '../difference.ts';
import { oneLine, visible } from '../text/escape.ts';
import { repetition, stepText } from '../text/steps.ts';
import { counted } from '../text/units.ts';
import { type Html, html } from './html.ts';
import { exchange } from './message.ts';

const side = (title: string, segments: readonly Segment[]): Html =>
  html`<div><p class="label">${title}</p><pre>${segments.map(({ text, differs }) => (differs ? html`<mark>${text}</mark>` : text))}</pre></div>`;

const lines = (title: string, texts: readonly string[]): Html | false =>
  texts.length > 0 &&
  html`<div class="steps"><p class="label">${title}</p><pre>${texts.join('\n')}</pre></div>`;

/** A command with a button that copies it. */
export const commandBlock = (title: string, text: string): Html =>
  html`<div class="command"><p class="label">${title}</p><button type="button" class="copy" hidden>Copy<span class="sr"> the ${title.toLowerCase()}</span></button><pre>${text}</pre></div>`;

/** The id of the resource that a request created; null: it created none. */
const createdId = ({ request, response }: Step): string | null => {
  if (request.method !== 'POST' || response?.status !== 201) return null;
  const parsed = parseJson(response.body ?? '');
  const id = parsed.ok && isJsonObject(parsed.value) ? parsed.value.id : undefined;
  return typeof id === 'bigint' || typeof id === 'string' ? String(id) : null;
};

/** Earlier requests of the case. Creations whose id appears in the failure are shown, others are folded. */
const earlierRequests = (failure: Failure): Html | false => {
  const steps = failure.causedBy === undefined ? (failure.before ?? []) : [];
  const { request, message, expected, actual } = failure;
  const text = [request.url, request.body ?? '', message, expected, actual].join(' ');
  const mentioned = new Set(text.match(/[\w-]+/g));
  const isRelevant = (step: Step) => mentioned.has(createdId(step) ?? '');
  const others = steps.filter((step) => !isRelevant(step)).map(stepText);
  return html`${lines('Sent before', steps.filter(isRelevant).map(stepText))}
${others.length > 0 && html`<details class="steps"><summary>${counted(others.length, 'other request')} of this case</summary><pre>${others.join('\n')}</pre></details>`}`;
};

/** One failure, folded; bodies beyond `longest` characters are cut. */
export const failureDetails = (failure: Failure, longest: number): Html => {
  const { request, response, actual } = failure;
  const sides = difference(visible(failure.expected), visible(actual));
  return html`<details class="failure">
  <summary><span>${failure.message}</span> <small>${failure.operation}</small></summary>
  <div class="pair compare">${side('Expected', sides.expected)}${side('Actual', sides.actual)}</div>
  ${lines('Caused by', failure.causedBy === undefined ? [] : [stepText(failure.causedBy)])}
  ${earlierRequests(failure)}
  ${exchange({ request, response, why: actual, quoted: actual }, longest)}
  ${lines('Also fails', (failure.others ?? []).map(oneLine))}
  ${lines('Passes', (failure.passed ?? []).map(oneLine))}
  ${commandBlock('curl', failure.curl)}
  ${commandBlock('Replay', failure.replay)}
  <p class="quiet">During “${failure.check}”: ${repetition(failure)}. Entry with <code>_id</code> ${failure.exchange} in traffic.har.</p>
</details>`;
};

/** Failures in their order, but the first failure of each operation comes before the second of any. */
export const byTurns = (failures: readonly Failure[]): readonly Failure[] =>
  [...Map.groupBy(failures, ({ operation }) => operation).values()]
    .flatMap((same) => same.map((failure, turn) => ({ failure, turn })))
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ failure }) => failure);
