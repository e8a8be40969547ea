import type { RequestView, ResponseView } from '../../http/request-view.ts';
import { shorten, visible } from '../text/escape.ts';
import { failureWords as words } from '../text/page.ts';
import { failureLabels as labels } from '../text/steps.ts';
import { capitalized, headerLines } from '../text/units.ts';
import { type Html, html } from './html.ts';
import { markedLines } from './marks.ts';
import { prettyJson } from './pretty.ts';

/** Headers of most messages that are rarely of interest. traffic.har has them. */
const connectionHeaders = new Set(['connection', 'keep-alive', 'user-agent']);

const headersOf = (headers: Readonly<Record<string, string>>): string =>
  headerLines(
    Object.fromEntries(
      Object.entries(headers).filter(([name]) => !connectionHeaders.has(name.toLowerCase())),
    ),
  ).join('\n');

/** Longer bodies scroll, so that the commands of a failure stay near. */
const MOST_LINES = 24;
const MOST_SHOWN = 2_000;

const bodyOf = (body: string | null, longest: number, quoted: string): Html => {
  if (body === null || body === '') return html`<p class="quiet">${words.noBody}</p>`;
  const cut = body.length > longest;
  const text = visible(cut ? shorten(body, longest) : prettyJson(body));
  const lines = markedLines(text, quoted);
  const shown =
    lines.length > MOST_LINES || text.length > MOST_SHOWN
      ? html`<pre class="long" tabindex="0">${lines}</pre>`
      : html`<pre>${lines}</pre>`;
  return html`${shown}${cut && html`<p class="quiet">${words.truncated}</p>`}`;
};

interface ShownExchange {
  readonly request: RequestView;
  readonly response: ResponseView | null;
  /** Why there is no response. */
  readonly why: string;
  /** The actual value in the failure. The same lines of the response are marked. */
  readonly quoted?: string;
}

/** A request and its response, side by side if there is room. Bodies beyond `longest` characters are cut. */
export const exchange = ({ request, response, why, quoted = '' }: ShownExchange, longest: number): Html => {
  const received =
    response === null
      ? html`<p class="quiet">${words.noResponse(why)}</p>`
      : html`<pre><b>${response.status}</b>\n${headersOf(response.headers)}</pre>${bodyOf(response.body, longest, visible(quoted))}`;
  return html`<div class="pair"><div><p class="label">${capitalized(labels.request)}</p><pre><b>${request.method} ${request.url}</b>\n${headersOf(request.headers)}</pre>${bodyOf(request.body, longest, '')}</div>
<div><p class="label">${capitalized(labels.response)}</p>${received}</div></div>`;
};
