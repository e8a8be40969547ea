const entities: readonly (readonly [entity: RegExp, character: string])[] = [
  [/&lt;/g, '<'],
  [/&gt;/g, '>'],
  [/&quot;|&#34;|&#x22;/g, '"'],
  [/&#0?39;|&#x27;|&apos;/g, "'"],
  [/&amp;/g, '&'],
];

/** Replaces the entities that escape text for HTML. */
export const unescapeHtml = (text: string): string =>
  entities.reduce((result, [entity, character]) => result.replaceAll(entity, character), text);

/** Far more than a page has before its heading. */
const longest = 20_000;

const beginsPage = /^\s*(?:<!doctype html|<html)/i;

/** What a page has that is not its own text: style sheets, scripts, and quoted source. A page may be cut inside of them. */
const notText = /<(style|script|pre|code|textarea)\b.*?(?:<\/\1>|$)/gis;

/** Tags that begin or end a line of text. */
const lineTag =
  /<\/?(?:!doctype|html|head|title|body|header|main|section|div|p|h[1-6]|ul|ol|li|table|tr|td|th|br|hr)\b[^>]*>/gi;

/** Returns the lines of text of an HTML page, without style sheets, scripts, and quoted source; null: it is not a page. */
export const linesOfPage = (body: string | null | undefined): readonly string[] | null => {
  const beginning = (body ?? '').slice(0, longest);
  if (!beginsPage.test(beginning)) return null;
  return beginning
    .replaceAll(notText, '')
    .split(lineTag)
    .map((part) =>
      unescapeHtml(part.replaceAll(/<[^>]*>?/g, ''))
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => line !== '');
};
