import type { ShownRequest, ShownResponse } from '../../client/show.ts';
import type { Failure, RequirementResult } from '../../run/outcome.ts';
import { difference, type Segment } from '../difference.ts';
import { oneLine, shorten, visible } from '../escape.ts';
import { repetition, stepText } from '../failure-text.ts';
import { headerLines } from '../units.ts';
import { type Html, html } from './html.ts';

const side = (title: string, segments: readonly Segment[]): Html =>
  html`<div><h5>${title}</h5><pre>${segments.map(({ text, differs }) => (differs ? html`<mark>${text}</mark>` : text))}</pre></div>`;

const bodyOf = (body: string | null, longest: number): Html => {
  if (body === null || body === '') return html`<p class="quiet">no body</p>`;
  const cut = body.length > longest;
  return html`<pre>${shorten(body, longest)}</pre>${cut && html`<p class="quiet">Cut here; whole in traffic.har.</p>`}`;
};

const requestOf = (request: ShownRequest, longest: number): Html =>
  html`<div><h5>Request</h5><pre><b>${request.method} ${request.url}</b>\n${headerLines(request.headers).join('\n')}</pre>${bodyOf(request.body, longest)}</div>`;

const responseOf = (response: ShownResponse | null, why: string, longest: number): Html =>
  response === null
    ? html`<div><h5>Response</h5><p class="quiet">None came: ${why}</p></div>`
    : html`<div><h5>Response</h5><pre><b>${response.status}</b>\n${headerLines(response.headers).join('\n')}</pre>${bodyOf(response.body, longest)}</div>`;

/** A request and its answer, side by side where there is room. */
export const exchange = (
  shown: { readonly request: ShownRequest; readonly response: ShownResponse | null; readonly why: string },
  longest: number,
): Html =>
  html`<div class="pair">${requestOf(shown.request, longest)}${responseOf(shown.response, shown.why, longest)}</div>`;

const lines = (title: string, texts: readonly string[]): Html | false =>
  texts.length > 0 && html`<div class="steps"><h5>${title}</h5><pre>${texts.join('\n')}</pre></div>`;

const command = (title: string, text: string): Html =>
  html`<div class="command"><h5>${title}</h5><button type="button" class="copy" hidden>Copy<span class="sr"> the ${title.toLowerCase()}</span></button><pre>${text}</pre></div>`;

/** One cause for which a requirement fails, folded; bodies beyond `longest` characters are cut. */
export const failureDetails = (result: RequirementResult, failure: Failure, longest: number): Html => {
  const sides = difference(visible(failure.expected), visible(failure.actual));
  return html`<details class="failure">
  <summary><span>${failure.message}</span> <small>${failure.operation}</small></summary>
  <div class="pair compare">${side('Expected', sides.expected)}${side('Actual', sides.actual)}</div>
  ${lines('Sent before', (failure.before ?? []).map(stepText))}
  ${exchange({ request: failure.request, response: failure.response, why: failure.actual }, longest)}
  ${lines('Likewise', (failure.others ?? []).map(oneLine))}
  ${lines('But not', (failure.passed ?? []).map(oneLine))}
  ${command('curl', failure.curl)}
  ${command('Replay command', failure.replay)}
  <p class="quiet">Found by “${failure.check}” for ${result.id}: ${repetition(failure)}. Exchange ${failure.exchange} in traffic.har.</p>
</details>`;
};
