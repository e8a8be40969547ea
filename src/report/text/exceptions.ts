import { isJsonObject, type Json } from '../../json/json.ts';
import { parseJson } from '../../json/parse.ts';
import type { ServerFailure } from '../../run/outcome.ts';
import { linesOfPage, unescapeHtml } from '../../util/html-text.ts';

/** Exceptions are at the beginning. A server may send megabytes of what makes patterns slow. */
const longest = 20_000;

/** `TypeError: …`, `java.lang.NullPointerException: …`: the name of an exception and its message, on one line. */
const exceptionLine =
  /(?:^|[\s<>:"(]|\\u003c)((?:[A-Za-z_]\w{0,60}(?:\.|::)){0,8}[A-Z]\w{0,60}(?:Error|Exception)\b(?:: ?(?:(?!\\u003|>?",")[^\n<]){0,160})?)/;

/** `StatementInvalid in PetsController#create`, `DoesNotExist at /v1/pets`: a name and its place, as in headings of frameworks. */
const namedPlace =
  /^((?:\w{1,60}(?:\.|::)){0,8}[A-Z]\w{0,60}[a-z][A-Z]\w{0,60}|[A-Z][a-z]{1,30}Error) (?:in|at) \S/;

/** Where pages have the message of an exception apart from its name. */
const messageElement =
  /class="[^"]{0,60}(?:exception|error|message)[^"]{0,60}"[^>]{0,200}>\s{0,40}([^<\s][^<]{0,300})</i;

const textsIn = (value: Json | undefined): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
};

/** The last line with an exception. An exception is below its cause, and in Python at the end of its trace. */
const lastLine = (text: string): string | null =>
  text
    .split('\n')
    .flatMap((line) => exceptionLine.exec(line)?.[1] ?? [])
    .at(-1)
    // Ruby shows an exception as #<Name: message>.
    ?.replace(/^([^<]*)>$/, '$1')
    .trim() ?? null;

/** The last line that begins with an exception. Quoted source has them behind other words. */
const lastBeginning = (page: string): string | null =>
  lastLine(
    page
      .split(/\n|(?=<)/)
      .map((line) => line.replace(/^<[^>]*>/, ''))
      .filter((line) => exceptionLine.exec(line)?.[1] === exceptionLine.exec(line)?.[0])
      .join('\n'),
  );

/** The exception that a page has in its headings, with the message beside it. Source that the page quotes has others. */
const exceptionOfPage = (page: string, lines: readonly string[]): string | null => {
  const at = lines.findIndex((line) => namedPlace.test(line) || exceptionLine.test(line));
  const found = lines[at];
  if (found === undefined) return lastBeginning(page);
  const name = namedPlace.exec(found)?.[1] ?? lastLine(found) ?? found;
  if (name.includes(': ')) return name.replace(/ at [\w.$]+\(.*$/, '');
  const beside = unescapeHtml(messageElement.exec(page)?.[1] ?? lines[at + 1] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (beside === '') return name;
  // An exception around another one repeats its line.
  return exceptionLine.exec(beside)?.index === 0 ? beside : `${name}: ${beside}`;
};

/** The exception that a server error shows, or null. */
export const exceptionIn = ({ response }: Pick<ServerFailure, 'response'>): string | null => {
  if (response === null || response.status < 500) return null;
  const beginning = (response.body ?? '').slice(0, longest);
  const lines = linesOfPage(beginning);
  if (lines !== null) return exceptionOfPage(beginning, lines);
  const parsed = parseJson(beginning);
  const texts = parsed.ok ? textsIn(parsed.value) : [beginning];
  const found = texts.map((text) => lastLine(text)).find((line) => line !== null) ?? null;
  return found === null ? null : unescapeHtml(found);
};

/** The exception without what depends on the request: quoted values and numbers. */
export const exceptionKind = (exchanged: Pick<ServerFailure, 'response'>): string | null =>
  exceptionIn(exchanged)?.replaceAll(/'[^']*'|"[^"]*"|-?\d[\d.,]*/g, '#') ?? null;
