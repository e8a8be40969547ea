import type { TestContext } from 'vitest';
import { withoutLogCommands } from '../report/text/log-commands.ts';
import { shownVerdicts } from '../report/text/shown-verdicts.ts';
import { testEndings as texts } from '../report/text/vitest.ts';
import { isUnexpectedPass } from '../run/outcome.ts';
import { reportToAllure } from './allure.ts';
import type { Decision } from './engine.ts';
import { type CallSite, errorAt, failureError, warningText } from './failure.ts';

/** How a test ends: with an error, skipped for a reason, or passed. */
interface Ending {
  readonly error?: Error;
  readonly skipped?: string;
}

const notTested = new Set(['skipped', 'inconclusive']);

const endingOf = ({ result, ended, strict }: Decision, site: CallSite): Ending => {
  const { id, verdict, known, reason } = result;
  if (isUnexpectedPass(result)) return { error: errorAt(texts.passesNow(id), site.frame) };
  if (verdict === 'failed' || (verdict === 'warned' && strict))
    return known === null ? { error: failureError(result, site) } : { skipped: texts.known(known) };
  if (verdict === 'error') return { error: errorAt(texts.suiteError(id, reason), site.frame) };
  // If the run ended early, an untested requirement must not look skipped on purpose.
  if (ended !== null && notTested.has(verdict))
    return { error: errorAt(texts.endedEarly(id, ended), site.frame) };
  return notTested.has(verdict) ? { skipped: reason ?? verdict } : {};
};

/** Ends the test of a requirement according to its result. */
export const reportResult = async (
  context: TestContext,
  decision: Decision,
  site: CallSite,
): Promise<void> => {
  const { result, observations } = decision;
  const { id, verdict, reason } = result;
  const { error, skipped: why } = endingOf(decision, site);
  const skipped = why === undefined ? undefined : withoutLogCommands(why);
  Object.assign(context.task.meta, { conformance: { id, verdict, reason: skipped ?? reason } });
  for (const { subject, value } of observations)
    await context.annotate(withoutLogCommands(`${subject}: ${value}`), 'observation');
  if (verdict === 'warned' && error === undefined && skipped === undefined)
    await context.annotate(warningText(result, site), 'warning');
  await reportToAllure(decision, skipped ?? null);
  if (error !== undefined) throw error;
  if (skipped !== undefined) {
    // The reason of a skipped test is not in every reporter; an annotation is.
    await context.annotate(skipped, verdict === 'failed' ? shownVerdicts.known.word : verdict);
    context.skip(skipped);
  }
  // Projects may demand that each test has an assertion.
  context.expect(['passed', 'observed', 'warned']).toContain(verdict);
};
