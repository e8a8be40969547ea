import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('rule codes -> kebab case', () => {
  const files = globSync('problems/*.ts', { cwd: import.meta.dirname });
  const text = files.map((file) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8')).join('');
  const codes = [...text.matchAll(/readonly rule: '([^']*)'/g)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(50);
  for (const code of codes) expect(code).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
});
