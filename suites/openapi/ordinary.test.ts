import { expect, test } from 'vitest';
import { acceptedBy, type JsonSchema } from '../../src/check/schemas.ts';
import { claimsOf } from './claims.ts';
import { ordinaryBody } from './ordinary.ts';

/** A tree whose nodes have so many branches, each of them a node or null. */
const treeWith = (branches: number): JsonSchema => {
  const names = Array.from({ length: branches }, (_, index) => `branch${index}`);
  const branch = { anyOf: [{ $ref: '#' }, { type: 'null' }] };
  return {
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, branch])),
  };
};

test.each([1, 2, 4, 8])('tree with %s required branches -> a valid body of moderate size', (branches) => {
  const schema = treeWith(branches);
  const body = ordinaryBody(schema, schema, { members: 'all', days: 'future', examples: 'filled' });
  expect(body !== null && acceptedBy(schema)(body.json)).toBe(true);
  expect(JSON.stringify(body?.json).split('null').length).toBeLessThan(5_000);
});

test.each(['dryRun', 'dry_run', 'validateOnly', 'isTest', 'preview'])(
  'flag %s -> nothing is only tried out',
  (flag) => {
    const boolean = { type: 'boolean' };
    const schema = { type: 'object', properties: { [flag]: boolean, latest: boolean, tested: boolean } };
    const body = ordinaryBody(schema, schema, { members: 'all', days: 'future', examples: 'filled' });
    expect(body?.json).toEqual({ [flag]: false, latest: true, tested: true });
    expect(
      [...claimsOf(body ?? expect.fail('no body'), schema, schema)].map(({ steps, value }) => [
        ...steps,
        value,
      ]),
    ).not.toContainEqual([flag, true]);
  },
);
