import type { TestContext } from 'vitest';
import { isUnexpectedPass } from '../run/outcome.ts';
import { tellAllure } from './allure.ts';
import type { Decided } from './engine.ts';
import { type CallSite, errorAt, failureError, warningText } from './failure.ts';

/** How a test ends: with an error, skipped for a reason, or passed. */
interface Ending {
  readonly error?: Error;
  readonly skipped?: string;
}

const cutShort = new Set(['skipped', 'inconclusive']);

const endingOf = ({ result, ended, strict }: Decided, site: CallSite): Ending => {
  const { id, verdict, known, reason } = result;
  if (isUnexpectedPass(result))
    return { error: errorAt(`${id} is listed as a known failure but passes now`, site.frame) };
  if (verdict === 'failed' || (verdict === 'warned' && strict))
    return known === null ? { error: failureError(result, site) } : { skipped: `known failure: ${known}` };
  if (verdict === 'error')
    return { error: errorAt(`${id}: the check failed, not the server: ${reason}`, site.frame) };
  // What a run that ended early did not test must not look like a choice.
  if (ended !== null && cutShort.has(verdict))
    return { error: errorAt(`${id}: not tested, because the run ended early: ${ended}`, site.frame) };
  return cutShort.has(verdict) ? { skipped: reason ?? verdict } : {};
};

/** Ends the test of a requirement as its result says. */
export const reportResult = async (context: TestContext, decided: Decided, site: CallSite): Promise<void> => {
  const { result, observations } = decided;
  const { id, verdict, reason } = result;
  const { error, skipped } = endingOf(decided, site);
  Object.assign(context.task.meta, { conformance: { id, verdict, reason: skipped ?? reason } });
  for (const { subject, value } of observations)
    await context.annotate(`${subject}: ${value}`, 'observation');
  if (verdict === 'warned' && error === undefined && skipped === undefined)
    await context.annotate(warningText(result, site), 'warning');
  await tellAllure(decided, skipped ?? null);
  if (error !== undefined) throw error;
  if (skipped !== undefined) {
    // The reason of a skipped test is not in every reporter; an annotation is.
    await context.annotate(skipped, verdict === 'failed' ? 'known failure' : verdict);
    context.skip(skipped);
  }
  // Projects may demand that each test has an assertion.
  context.expect(['passed', 'observed', 'warned']).toContain(verdict);
};
