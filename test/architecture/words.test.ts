import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/openapi/package-root.ts';
import { lineAt } from './line-at.ts';

/** Words that readers of plain technical English stumble over, and plain ones. */
const plainWords: Readonly<Record<string, string>> = {
  amiss: 'wrong',
  'reckon\\w*': 'estimate',
  'hinder\\w*': 'block',
  'foretell\\w*': 'predict',
  lest: 'so that … not',
  'in vain': 'failed',
  'all the same': 'anyway',
  whoever: 'anyone',
  '(?:is|are) due': 'is expected',
  'owe[sd]?': 'must return',
  'tells? of': 'reports',
  borne: 'tolerated',
};

const read = (file: string): string => readFileSync(join(packageRoot(), file), 'utf8');

const commentsAndTexts = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;

const sources = globSync('{src,suites}/**/*.ts', { cwd: packageRoot() }).filter(
  (file) => !/(\.test|testing)\.ts$/.test(file),
);
const documents = globSync(['*.md', 'docs/**/*.md', 'spec/*.{yaml,json}'], { cwd: packageRoot() });

const all = new RegExp(`\\b(?:${Object.keys(plainWords).join('|')})\\b`, 'gi');

const plainWordFor = (found: string): string | undefined =>
  Object.entries(plainWords).find(([word]) => new RegExp(`^${word}$`, 'i').test(found))?.[1];

interface Part {
  readonly 0: string;
  readonly index: number;
}

/** `file:line: "word": write "plain word"` for each discouraged word in parts of a file. */
const discouragedIn = (file: string, parts: (text: string) => readonly Part[]): readonly string[] => {
  const text = read(file);
  return parts(text).flatMap((part) =>
    [...part[0].matchAll(all)].map(({ 0: found, index }) => {
      const line = lineAt(text, part.index + index);
      return `${file}:${line}: "${found}": write "${plainWordFor(found)}"`;
    }),
  );
};

/** The string literals of a source file. */
const literals = (source: string): readonly Part[] =>
  [...source.matchAll(commentsAndTexts)].filter(([text]) => !text.startsWith('/'));

test('texts that people read use plain words', () => {
  const found = [
    ...sources.flatMap((file) => discouragedIn(file, literals)),
    ...documents.flatMap((file) => discouragedIn(file, (text) => [{ 0: text, index: 0 }])),
  ];
  expect(found).toEqual([]);
});
