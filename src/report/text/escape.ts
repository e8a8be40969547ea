import { escapeHtml as escapeEntities } from '../../util/escape-html.ts';
import { withoutLogCommands } from './log-commands.ts';

/**
 * Text from the server that is safe to show. Control characters, invisible format characters, lone surrogates, and noncharacters become
 * escapes of JSON such as `\u202e`, so that a JSON body keeps its meaning. Tabs and line feeds stay.
 */
export const visible = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu, (character) => {
    if (character === '\n' || character === '\t') return character;
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });

/** Visible text on one line, for messages that a line feed would end. */
export const oneLine = (text: string): string => {
  const [first = '', ...others] = visible(text).split('\n');
  const last = others.pop();
  if (last === undefined) return first;
  const between = others.map((line) => line.trim()).filter((line) => line !== '');
  return [first.trimEnd(), ...between, last.trimStart()].join(' ↵ ');
};

/** Visible text for HTML content and quoted attributes, and for XML 1.0 content. */
export const escapeHtml = (text: string): string => escapeEntities(visible(text));

/** For XML attributes: a parser would turn line feeds and tabs into spaces. */
export const escapeXmlAttribute = (text: string): string =>
  escapeHtml(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');

/** For a line of GitHub's Markdown, also inside a table: no markup, no mention of a user, no link. */
export const escapeMarkdown = (text: string): string =>
  oneLine(text)
    .replace(/[\\`*_{}[\]()#|~!]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;')
    .replaceAll('://', '&#58;//');

/** Code in a line of GitHub's Markdown: shown as it is, so that it can be copied. */
export const markdownCode = (text: string): string => {
  const shown = withoutLogCommands(oneLine(text));
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${shown}${fence}` : `${fence} ${shown} ${fence}`;
};

/** Cuts a text to `length` characters at most, by code points, and says so with an ellipsis. */
export const shorten = (text: string, length: number): string => {
  if (text.length <= length) return text;
  // No more than is needed: a code point has at most two code units.
  const characters = [...text.slice(0, 2 * length + 1)];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
};
