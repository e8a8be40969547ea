import { html } from '../html/html.ts';
import { matrixWords as words } from '../text/matrix.ts';
import type { Implementation } from './matrix.ts';

const colors = { conformant: '#1d7a4c', nonconformant: '#b3261e', 'not-judged': '#5a6661' } as const;

const LETTER = 6.6;
const PADDING = 12;

const widthOf = (text: string): number => Math.round(text.length * LETTER + PADDING);

/** A picture of the verdict, to be shown in a README. */
export const badgeSvg = ({ verdict, failed }: Pick<Implementation, 'verdict' | 'failed'>): string => {
  const [label, text] = [words.badgeLabel, words.badge(verdict, failed.length)];
  const [left, right] = [widthOf(label), widthOf(text)];
  const { markup } =
    html`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${text}"><title>${label}: ${text}</title>
<clipPath id="round"><rect width="${left + right}" height="20" rx="3"/></clipPath>
<g clip-path="url(#round)"><rect width="${left}" height="20" fill="#3b4440"/><rect x="${left}" width="${right}" height="20" fill="${colors[verdict]}"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle"><text x="${left / 2}" y="14">${label}</text><text x="${left + right / 2}" y="14">${text}</text></g></svg>
`;
  return markup;
};
