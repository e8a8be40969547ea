import { legendWords } from '../text/page.ts';
import { shownVerdicts, verdictNames } from '../text/shown-verdicts.ts';
import { type Html, html } from './html.ts';
import { badge } from './icons.ts';

const entries = (pairs: readonly (readonly [Html | string, string])[]): readonly Html[] =>
  pairs.map(([name, meaning]) => html`<div><dt>${name}</dt><dd>${meaning}</dd></div>`);

/** What each verdict, level, and technical term means. */
export const legend = (): Html =>
  html`<details class="legend"><summary>${legendWords.title}</summary><dl>${entries(
    verdictNames.map((name) => [badge(name), shownVerdicts[name].meaning]),
  )}${entries(
    Object.entries(legendWords.levels).map(([level, meaning]) => [
      html`<span class="level">${level}</span>`,
      meaning,
    ]),
  )}${entries(legendWords.terms)}</dl></details>`;
