import type { RequirementResult } from '../../run/outcome.ts';
import { standingNames, standings } from '../verdicts.ts';
import { type Html, html } from './html.ts';
import { badge } from './shapes.ts';

const levels = {
  MUST: 'The interface document says so. A breach fails the run.',
  SHOULD: 'A standard that the document stands on says so. A breach is a warning.',
  OPEN: 'The document leaves it open. Nothing can fail; what the server does is recorded.',
} as const satisfies Record<RequirementResult['level'], string>;

/** Words of HTTP and of this page, for who does not program. */
const words: readonly (readonly [word: string, meaning: string])[] = [
  ['requirement', 'One rule of the interface document, with an id such as GET-1.'],
  ['request, answer', 'What a program sends to the server, and what comes back.'],
  ['GET, POST', 'The kinds of requests here: GET reads, POST adds.'],
  ['status code', 'The number that an answer begins with; a field that is called status is something else.'],
  ['200, 201', 'It worked; 201: and something was created.'],
  ['400, 404', 'Refused: the request is wrong; what it asks for does not exist.'],
  ['401', 'Refused: the key is missing or wrong.'],
  ['429', 'Refused for now: too many requests in a short time.'],
  ['500 and above', 'The server itself failed.'],
  [
    'key, bearer token',
    'The secret by which the server knows who asks, and the one way of sending it that counts.',
  ],
  ['int64', 'A whole number of up to 19 digits.'],
  ['seed', 'The number from which all that a run makes up follows: the same seed makes up the same.'],
  [
    'replay',
    'The command that does again just what failed, or the whole run where the failure takes all of it.',
  ],
];

const entries = (pairs: readonly (readonly [Html | string, string])[]): readonly Html[] =>
  pairs.map(([name, meaning]) => html`<div><dt>${name}</dt><dd>${meaning}</dd></div>`);

/** What each verdict, each level and each word of the trade means, for who meets them for the first time. */
export const legend = (): Html =>
  html`<details class="legend"><summary>What these words mean</summary><dl>${entries(
    standingNames.map((name) => [badge(name), standings[name].meaning]),
  )}${entries(
    Object.entries(levels).map(([level, meaning]) => [html`<span class="level">${level}</span>`, meaning]),
  )}${entries(words)}</dl></details>`;
