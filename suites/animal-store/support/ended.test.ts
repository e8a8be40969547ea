import { describe, expect, test } from 'vitest';
import { CaseSkipped, nullIfEnded } from '../../../src/check/case-skipped.ts';
import { reasonOf } from '../../../src/check/context.ts';
import { type CheckContext, createPet } from '../../../src/check/index.ts';
import { parsedResponse, runContextOf } from '../../../test/support/build.ts';
import { unknownId } from '../get-unknown.ts';
import { createOrdinary } from './animals.ts';
import { ensureMoreThan } from './ensure-store-size.ts';

/** A context in which requests end as given, in turn; the last one repeats. */
const contextOf = (...ends: readonly (Error | number)[]): CheckContext => {
  let sent = 0;
  const context: Partial<CheckContext> = {
    run: runContextOf(),
    uniqueName: () => 'a name',
    skipCase: (reason) => {
      throw new CaseSkipped(reasonOf(reason));
    },
    send: async (probe) => {
      const end = ends[Math.min(sent, ends.length - 1)];
      sent += 1;
      if (end instanceof Error) throw end;
      return parsedResponse(probe, { status: end ?? 200 });
    },
  };
  return context as CheckContext;
};

const mistake = new TypeError('a mistake of the suite');

describe.each<readonly [string, (context: CheckContext) => Promise<unknown>, readonly (Error | number)[]]>([
  ['filling the store', (context) => ensureMoreThan(context, 20), []],
  ['an unknown id needs an existing animal', (context) => unknownId.run(0n, context), []],
  [
    'a guessed category was rejected',
    (context) => createOrdinary(context, { name: 'a', categoryId: 1n }),
    [400],
  ],
])('%s', (_what, act, before) => {
  test('an error of the suite -> thrown, not taken for an ended case', async () => {
    await expect(act(contextOf(...before, mistake, 404))).rejects.toBe(mistake);
  });
});

test('the store was not filled because of an error of the suite -> the next case tries again', async () => {
  const context = contextOf(mistake);
  await expect(ensureMoreThan(context, 20)).rejects.toBe(mistake);
  await expect(ensureMoreThan(context, 20)).rejects.toBe(mistake);
});

test('an ended case -> null', async () => {
  const { send } = contextOf(new CaseSkipped({ code: 'budget', budget: 1 }));
  expect(await nullIfEnded(send(createPet({})))).toBeNull();
});
