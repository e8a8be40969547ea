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

/** A text with code in backticks, as in statements. */
export const prose = (text: string): readonly Html[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
