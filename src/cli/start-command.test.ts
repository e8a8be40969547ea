import { expect, test } from 'vitest';
import { startCommand } from './start-command.ts';

const start = { directory: '/project/store', env: {} };

test.each([
  [
    'node with a path',
    { script: '/project/store/bin/animal-store-conformance.js' },
    'node bin/animal-store-conformance.js run',
  ],
  [
    'node in another folder',
    { script: '/opt/a b/bin/animal-store-conformance.js' },
    "node '/opt/a b/bin/animal-store-conformance.js' run",
  ],
  [
    'npx',
    { script: '/project/store/node_modules/.bin/animal-store-conformance' },
    'npx animal-store-conformance run',
  ],
  [
    'a script of package.json',
    {
      script: '/project/store/node_modules/.bin/animal-store-conformance',
      env: { npm_lifecycle_event: 'start', npm_package_name: 'my-store' },
    },
    'npx animal-store-conformance run',
  ],
  [
    'a global installation',
    { script: '/usr/local/bin/animal-store-conformance' },
    'animal-store-conformance run',
  ],
  [
    'npm start in a clone',
    {
      script: '/project/store/bin/animal-store-conformance.js',
      env: { npm_lifecycle_event: 'start', npm_package_name: 'animal-store-conformance' },
    },
    'npm start --',
  ],
])('%s -> the same way', (_, changes, words) => {
  expect(startCommand({ ...start, ...changes })).toBe(words);
});
