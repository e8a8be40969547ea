import type { RequirementResult } from '../../run/outcome.ts';
import { shownVerdicts, verdictNames } from '../text/shown-verdicts.ts';
import { type Html, html } from './html.ts';
import { badge } from './icons.ts';

const levels = {
  MUST: 'The interface document requires it. A failure fails the run.',
  SHOULD: 'A standard that the document builds on requires it. Otherwise there is a warning.',
  OPEN: 'Not specified by the document. Nothing can fail; what the server does is recorded.',
} as const satisfies Record<RequirementResult['level'], string>;

/** Terms of HTTP and of this page, for readers who do not program. */
const words: readonly (readonly [word: string, meaning: string])[] = [
  ['requirement', 'One numbered rule of the interface document, for example GET-1.'],
  ['request, response', 'What a program sends to the server, and what comes back.'],
  ['GET, POST', 'The kinds of requests here: GET reads, POST adds.'],
  [
    'status code',
    'The number that a response begins with. A field with the name "status" is something else.',
  ],
  ['200, 201', 'Success; 201: something was created.'],
  ['400, 404', 'The request is wrong; the requested thing does not exist.'],
  ['401', 'The API key is missing or wrong.'],
  ['429', 'Too many requests in a short time.'],
  ['500 and above', 'The server itself failed.'],
  ['API key', 'The secret that identifies the caller, sent as "Authorization: Bearer <key>".'],
  ['int64', 'A whole number of up to 19 digits.'],
  ['seed', 'The number that fixes all generated values: the same seed generates the same values.'],
  ['replay', 'Command that repeats this failure.'],
];

const entries = (pairs: readonly (readonly [Html | string, string])[]): readonly Html[] =>
  pairs.map(([name, meaning]) => html`<div><dt>${name}</dt><dd>${meaning}</dd></div>`);

/** What each verdict, level, and technical term means. */
export const legend = (): Html =>
  html`<details class="legend"><summary>What these words mean</summary><dl>${entries(
    verdictNames.map((name) => [badge(name), shownVerdicts[name].meaning]),
  )}${entries(
    Object.entries(levels).map(([level, meaning]) => [html`<span class="level">${level}</span>`, meaning]),
  )}${entries(words)}</dl></details>`;
