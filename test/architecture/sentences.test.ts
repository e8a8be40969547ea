import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { packageRoot } from '../../src/openapi/package-root.ts';
import { lineAt } from './line-at.ts';

const sentences = 'message|reason|label|title|because';
const methods = 'startsWith|endsWith|includes|match|matchAll|replace|replaceAll|search|split|indexOf';
const readings = [
  `\\b(?:${sentences})\\??\\.(?:${methods})\\(`,
  `\\.(?:test|exec)\\((?:\\w+\\.)*(?:${sentences})\\)`,
  `\\.(?:${sentences}) [!=]== ['"\`]`,
].map((pattern) => new RegExp(pattern, 'g'));

/** Files in which a sentence is read, with the reason. The list may only get shorter. */
const exceptions: Readonly<Record<string, string>> = {
  'src/cli/main.ts': 'the message of the library for options, for people',
  'src/config/yaml-file.ts': 'the message of the YAML library, for people',
  'src/finding/words/requests.ts': 'the label of an input, to write it beside the value',
  'src/http/failure.ts': 'the message of the TLS library',
  'src/openapi/read-source.ts': 'the message of the YAML library, for people',
  'src/report/html/verdict.ts': 'the case of a first letter',
  'src/report/text/page.ts': 'a full stop at the end',
  'src/report/text/units.ts': 'the case of a first letter',
};

/** Source files, without tests. */
const sources = globSync('{src,suites}/**/*.ts', { cwd: packageRoot() })
  .filter((file) => !/(\.test|testing)\.ts$/.test(file))
  .toSorted();

const read = (file: string): string => readFileSync(join(packageRoot(), file), 'utf8');

test('code -> decides by codes and facts, reads no sentence', () => {
  const found = sources.flatMap((file) =>
    readings.flatMap((pattern) =>
      [...read(file).matchAll(pattern)].map(({ 0: code, index }) => ({
        file,
        said: `${file}:${lineAt(read(file), index)}: "${code}" reads a sentence. Compare a code or a fact, and make the sentence from it later`,
      })),
    ),
  );

  expect(found.flatMap(({ file, said }) => (file in exceptions ? [] : [said]))).toEqual([]);
  const readers = new Set(found.map(({ file }) => file));
  const needless = Object.keys(exceptions).filter((file) => !readers.has(file));
  expect(needless, 'These files read no sentence: take them out of exceptions').toEqual([]);
});

/** Texts that are data beside what they name. Everything else that a person reads is a text of the report. The lists may only get shorter. */
const placesOfTexts: Readonly<Record<string, readonly string[]>> = {
  texts: ['src/report/text/', 'src/finding/kinds/', 'src/finding/reasons/', 'src/finding/words/'],
  'sentences beside the decisions about them': [
    'src/report/diagnosis.ts',
    'src/report/frameworks.ts',
    'src/report/headline.ts',
    'src/report/name-changes.ts',
    'src/report/root-causes.ts',
  ],
  'refusals, beside what they refuse': [
    'src/check/refusals.ts',
    'src/config/refusals.ts',
    'src/domains/refusals.ts',
    'src/json-schema/refusals.ts',
    'src/openapi/refusals.ts',
  ],
  help: ['src/config/table.ts', 'src/cli/run-help.ts'],
  'titles of checks, names of inputs, subjects of observations': ['suites/', 'src/oracle/rules/'],
  'names of inputs': [
    'src/http/credentials.ts',
    'src/http/key-locations.ts',
    'src/check/header-variants.ts',
    'src/json-schema/violate/',
  ],
  'keys and kinds that are compared': [
    'src/oracle/front-refusal.ts',
    'src/http/wire.ts',
    'src/http/verbatim.ts',
  ],
  'values of an observation': ['src/rate-limit/retry-after.ts'],
  'responses of a server, descriptions of faults and dialects': ['src/reference/', 'src/selftest/clients/'],
  'notes in the shown part of a body': ['src/http/request-view.ts'],
  'sentences of libraries, to be replaced': ['src/openapi/read-source.ts'],
  'errors for developers': [
    'src/http/in-process.ts',
    'src/http/transport.ts',
    'src/json/number.ts',
    'src/openapi/package-root.ts',
    'src/rate-limit/window.ts',
    'src/selftest/judge.ts',
  ],
  commands: ['src/cli/init.ts', 'src/cli/start-command.ts', 'src/vitest/failure.ts'],
  'CSS and a script': ['src/report/html/style.ts', 'src/report/html/script.ts'],
};

/** Members and calls whose texts name or describe what is beside them. */
const namesAndHelp = new Set([
  ...['label', 'title', 'description', 'because'],
  ...['option', 'argument', 'Option', 'addHelpText', 'observation'],
]);

type Node = { readonly type: string } & Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';

/** At least three words in a row, and two of them words of English. */
const isSentence = (text: string): boolean =>
  /(?:[^\s]+ +){2,}[^\s]/.test(text) &&
  /(?:^|[ (“"])[a-z]{2,}(?=[ ,.:;)]|$)/.test(text) &&
  (text.match(/[A-Za-z]{2,}/g) ?? []).length > 1 &&
  !/^[^a-z]*(?:<|\\)/.test(text);

/** A word outside the tags of a page, or in an attribute that is read out. */
const isLabeled = (markup: string): boolean =>
  /(?<![-\w])[A-Za-z]{3,}/.test(markup.replaceAll(/<[^>]*>/g, ' ')) ||
  /(?:aria-label|placeholder|title)="[^"]*[A-Za-z]{3,}/.test(markup);

const partsOf = (template: Node): string =>
  ((template.quasis ?? []) as readonly { readonly value: { readonly cooked: string } }[])
    .map(({ value }) => value.cooked)
    .join('0');

/** The text of a node that a person reads; null: none. */
const textOf = (node: Node): string | null => {
  if (node.type === 'TaggedTemplateExpression' && isNode(node.quasi)) {
    const markup = partsOf(node.quasi);
    return isLabeled(markup) ? markup : null;
  }
  const text = node.type === 'TemplateLiteral' ? partsOf(node) : node.value;
  return typeof text === 'string' && isSentence(text) ? text : null;
};

/** The name of the member or call that a node is the value of. */
const nameOf = ({ type, key, callee }: Node): string | null => {
  const named = type === 'Property' ? key : (type === 'CallExpression' || type === 'NewExpression') && callee;
  if (!isNode(named)) return null;
  const { name } = isNode(named.property) ? named.property : named;
  return typeof name === 'string' ? name : null;
};

type Sentence = { readonly text: string; readonly start: number };

const sentencesIn = (value: unknown): readonly Sentence[] => {
  if (Array.isArray(value)) return value.flatMap(sentencesIn);
  if (!isNode(value) || /^(?:Import|ExportAll|TS(?!As|Satisfies))/.test(value.type)) return [];
  if (namesAndHelp.has(nameOf(value) ?? '')) return [];
  const text = textOf(value);
  const { quasi, ...others } = value;
  const inner = isNode(quasi) ? quasi.expressions : Object.values(others);
  return [
    ...(text === null ? [] : [{ text, start: Number(value.start) }]),
    ...[inner].flat().flatMap(sentencesIn),
  ];
};

const sentencesOf = (source: string): readonly Sentence[] =>
  sentencesIn(parseAst(source, { lang: 'ts' }).body);

const places = Object.values(placesOfTexts).flat();

test('code outside report/text, kinds of problems, help, and names -> has no sentence', () => {
  const found = sources.flatMap((file) => {
    const place = places.find((each) => file.startsWith(each));
    return sentencesOf(read(file)).map(({ text, start }) => ({
      place,
      said: `${file}:${lineAt(read(file), start)}: "${text}". Move the sentence to src/report/text/, or to the kind of problem that it describes (src/finding/kinds/)`,
    }));
  });
  expect(found.flatMap(({ place, said }) => (place === undefined ? [said] : []))).toEqual([]);
  const needed = new Set(found.map(({ place }) => place));
  const needless = places.filter((place) => !needed.has(place));
  expect(needless, 'These places have no sentence: take them out of placesOfTexts').toEqual([]);
});

test.each([
  ["const why = 'the file is missing';", 1],
  ['const why = `#{file} cannot be read (#{code})`;', 1],
  ['say(`Wrote #{path}: it is new`);', 1],
  ['const row = html`<p class="some thing">Requirement</p>`;', 1],
  ['const row = html`<input aria-label="Requirement">#{text}`;', 1],
  ['const row = html`<p class="some thing">#{words.requirement}</p>`;', 0],
  ["const input = { label: 'a name that is too long' };", 0],
  ["throw new Error('there is no such case');", 1],
  ["const code = 'not-tested';", 0],
])('%s -> %i sentences', (source, count) => {
  expect(sentencesOf(source.replaceAll('#{', '${'))).toHaveLength(count);
});
