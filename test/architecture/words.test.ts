import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/openapi/package-root.ts';

/** Words that readers of plain technical English stumble over. */
const discouraged =
  /\b(amiss|reckon\w*|hinder\w*|foretell\w*|lest|in vain|all the same|whoever|(is|are) due|owe[sd]?|tells? of|borne)\b/i;

const read = (file: string): string => readFileSync(join(packageRoot(), file), 'utf8');

const commentsAndTexts = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;

/** The string literals of a source file. */
const textsOf = (file: string): string =>
  (read(file).match(commentsAndTexts) ?? []).filter((text) => !text.startsWith('/')).join('\n');

const sources = globSync('{src,suites}/**/*.ts', { cwd: packageRoot() }).filter(
  (file) => !/(\.test|testing)\.ts$/.test(file),
);
const documents = globSync(['*.md', 'docs/**/*.md', 'spec/*.{yaml,json}'], { cwd: packageRoot() });

test('texts that people read use plain words', () => {
  const found = [
    ...sources.filter((file) => discouraged.test(textsOf(file))),
    ...documents.filter((file) => discouraged.test(read(file))),
  ];
  expect(found.toSorted(), `Discouraged: ${discouraged.source}`).toEqual([]);
});
