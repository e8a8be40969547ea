import { escapeHtml } from '../text/escape.ts';

/** Markup that is safe to put into a page: only `html` makes it. */
export interface Html {
  readonly markup: string;
}

type Piece = Html | string | number | null | false | readonly Piece[];

const render = (piece: Piece): string => {
  if (piece === null || piece === false) return '';
  if (typeof piece === 'string') return escapeHtml(piece);
  if (typeof piece === 'number') return String(piece);
  return 'markup' in piece ? piece.markup : piece.map(render).join('');
};

/** Markup with values put in: texts are escaped, lists are joined, null and false are omitted. Attribute values must be in quotes. */
export const html = (strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html => ({
  markup: strings.reduce((markup, text, index) => markup + render(pieces[index - 1] ?? null) + text),
});

/** Requirement ids, options, and names of headers. Longer ones may be wider than a phone. */
const hyphenated = /(?<![\w-])((?:--[a-z]|[A-Z][A-Za-z]*-)[\w-]{1,20})(?![\w-])/;

/** A text whose ids and names are not broken at a hyphen. */
export const unbroken = (text: string): readonly Html[] =>
  text
    .split(hyphenated)
    .map((part, index) => (index % 2 === 1 ? html`<span class="nb">${part}</span>` : html`${part}`));

/** A text with code in backticks, as in statements. */
export const prose = (text: string): readonly Html[] =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${unbroken(part)}</code>` : html`${unbroken(part)}`));
