import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../src/openapi/package-root.ts';

const sentences = 'message|reason|label|title|because';
const methods = 'startsWith|endsWith|includes|match|matchAll|replace|replaceAll|search|split|indexOf';
const called = new RegExp(`\\b(?:${sentences})\\??\\.(?:${methods})\\(`);
const passed = new RegExp(`\\.(?:test|exec)\\((?:\\w+\\.)*(?:${sentences})\\)`);
const compared = new RegExp(`\\.(?:${sentences}) [!=]== ['"\`]`);

/** Files in which a sentence is read, with the reason. The list may only get shorter. */
const exceptions: Readonly<Record<string, string>> = {
  'src/config/yaml-file.ts': 'the message of the YAML library, for people',
  'src/http/failure.ts': 'the message of the TLS library',
  'src/openapi/read-source.ts': 'the message of the YAML library, for people',
};

test('code outside the report and the command line -> decides by codes and facts, reads no sentence', () => {
  const files = globSync('{src,suites}/**/*.ts', { cwd: packageRoot() }).filter(
    (file) => !/(\.test|testing)\.ts$/.test(file) && !/^src\/(report|cli)\//.test(file),
  );
  const readers = files.filter((file) => {
    const text = readFileSync(join(packageRoot(), file), 'utf8');
    return [called, passed, compared].some((pattern) => pattern.test(text));
  });

  expect(readers.toSorted()).toEqual(Object.keys(exceptions));
});
