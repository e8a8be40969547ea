import { expect, test } from 'vitest';
import { faults } from '../../src/reference/faults/index.ts';
import type { Patch } from '../../src/reference/patch.ts';
import { removeHeaders } from '../../src/reference/patch-kit/responses.ts';
import { at, record, resultOf, run } from '../support/command.ts';

const patchOf = (name: string): readonly Patch[] =>
  faults.filter((fault) => fault.name === name).map(({ patch }) => patch);

/** Also fails GEN-2, which comes before most requirements in the document. */
const mediaTypeMissing = removeHeaders(['content-type'], { status: 404 });

const failedIds = (out: string): readonly string[] =>
  [...out.matchAll(/^ {2}✕ (\S+)/gm)].flatMap(([, id]) => id ?? []);

test.each([
  ['lone-surrogate-breaks-the-list', '{"name":"a\\ud83d"'],
  ['nul-in-name-breaks-the-list', '{"name":"a\\u0000b"'],
])('%s -> the creation comes first, with the failures that it causes', async (name, body) => {
  const server = await record({ patches: [...patchOf(name), mediaTypeMissing] });
  const ended = await run([...at(server), '--seed', '5', '--runs', '5']);
  const lines = ended.out.split('\n');
  const [cause = '', effect = '', curl = ''] = lines.slice(lines.indexOf('Fix first') + 1);
  expect(cause).toContain(`Lists fail since this request: POST /v1/pets ${body}`);
  expect(effect).toMatch(/clears 3 failures: all of GEN-1, GEN-4, LIST-1$/);
  expect(curl).toMatch(/^ +curl +.*-X POST/);
  expect(failedIds(ended.out)).toEqual(['GEN-1', 'GEN-4', 'LIST-1', 'GEN-2']);
  const [failure] = resultOf(ended, 'LIST-1')?.failures ?? [];
  expect(failure?.causedBy?.request.body).toContain(body);
  expect(failure?.causedBy?.exchange).toBeLessThan(failure?.exchange ?? 0);
});
