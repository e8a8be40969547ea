import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { packageRoot, packageVersion } from './package-root.ts';

test('package root: a folder above the code', () => {
  expect(existsSync(join(packageRoot(), 'spec', 'openapi.yaml'))).toBe(true);
  expect(packageVersion()).toBe(manifest.version);
});
