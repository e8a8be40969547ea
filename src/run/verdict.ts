import { type Check, coveredBy } from '../check/check.ts';
import { needsOwnKey } from '../config/selection.ts';
import type { RunSettings } from '../config/settings.ts';
import { isUsedUpLimit, lossReason, type Reason } from '../finding/reason.ts';
import type { Client } from '../http/client-types.ts';
import type { KeySlot } from '../http/exchange.ts';
import type { Requirement } from '../openapi/requirement.ts';
import { oracleRequirements } from '../oracle/oracle.ts';
import type { CaseCount, Evidence } from './evidence.ts';
import type { FoundFailure, FoundResult } from './found-outcome.ts';

/** What a verdict depends on, besides the requirement. */
export interface VerdictContext {
  evidenceOn(requirement: string): Evidence;
  /** The cases that could have failed a requirement. */
  casesOf(requirement: string): CaseCount;
  /** Why a requirement was not tested at all; null: it was. */
  skipped(requirement: string): Reason | null;
  /** Why the run ended early; null: it did not. */
  readonly ended: Reason | null;
}

type DecidedVerdict = Pick<FoundResult, 'verdict' | 'reason'>;

/** The verdict of a requirement, from the evidence on it and on the requirements that it depends on. */
export const decideVerdict = (requirement: Requirement, context: VerdictContext): DecidedVerdict => {
  const { id, level } = requirement;
  const { passed, errors, inconclusive } = context.evidenceOn(id);
  const blocking = blockingOf(requirement, context.evidenceOn);
  if (isFailing(requirement, context.evidenceOn))
    return { verdict: level === 'SHOULD' ? 'warned' : 'failed', reason: null };
  const [error] = errors;
  if (error !== undefined) return { verdict: 'error', reason: { code: 'suite-error', error } };
  const skipped = context.skipped(id);
  if (skipped !== null && passed === 0) return { verdict: 'skipped', reason: skipped };
  if (blocking !== undefined)
    return { verdict: 'inconclusive', reason: { code: 'blocked', requirement: blocking } };
  if (passed > 0)
    return level === 'OPEN' ? { verdict: 'observed', reason: null } : passedUnlessLost(id, context);
  const [reason] = [...inconclusive.values()].sort((a, b) => b.count - a.count).map((each) => each.reason);
  return reason === undefined
    ? { verdict: 'skipped', reason: skipped ?? context.ended ?? { code: 'not-tested' } }
    : { verdict: 'inconclusive', reason };
};

/** Passed only if no case that could have failed it was lost to a limit of the run. */
const passedUnlessLost = (id: string, { casesOf, evidenceOn }: VerdictContext): DecidedVerdict => {
  const { total, lost } = casesOf(id);
  const reasons = [...evidenceOn(id).inconclusive.values()].map((each) => each.reason);
  const reason = lossReason(total, lost, reasons.find(isUsedUpLimit));
  return reason === null ? { verdict: 'passed', reason } : { verdict: 'inconclusive', reason };
};

type EvidenceOf = VerdictContext['evidenceOn'];

/** The requirement without which this one cannot be tested, and which only failed; undefined: there is none. */
const blockingOf = ({ dependsOn }: Requirement, evidenceOn: EvidenceOf): string | undefined =>
  dependsOn.find((dependency) => hasOnlyFailed(evidenceOn(dependency)));

const isFailing = (requirement: Requirement, evidenceOn: EvidenceOf): boolean =>
  evidenceOn(requirement.id).failures.length > 0 && blockingOf(requirement, evidenceOn) === undefined;

/** Returns what reports each change in the requirements that fail: one stops failing if it depends on another that only failed. */
export const createFailureWatch = (
  catalogue: readonly Requirement[],
  evidenceOn: EvidenceOf,
  report: (kind: 'failed' | 'blocked', requirement: string) => void,
) => {
  const failing = new Set<string>();
  return (): void => {
    for (const requirement of catalogue) {
      const { id } = requirement;
      const fails = isFailing(requirement, evidenceOn);
      if (fails === failing.has(id)) continue;
      if (fails) failing.add(id);
      else failing.delete(id);
      report(fails ? 'failed' : 'blocked', id);
    }
  };
};

/** Requirements that depend on it cannot be tested. */
const hasOnlyFailed = ({ passed, failures }: Evidence): boolean => passed === 0 && failures.length > 0;

interface Sharing {
  readonly client: Pick<Client, 'isShared'>;
  /** `sharedKey`: the user said that others use the API key. */
  readonly settings: Pick<RunSettings, 'sharedKey'>;
}

/**
 * The evidence on a requirement, without effects of others who use the same key. They probably have the rate limit key too: then a pass
 * counts, but no failure does. With --shared-key, the rate limit key is not shared.
 */
export const withoutSharedKeys = (
  requirement: string,
  evidence: Evidence,
  { client, settings }: Sharing,
): Evidence => {
  if (!needsOwnKey.includes(requirement)) return evidence;
  if (client.isShared('rate-limit')) return inconclusiveFor('rate-limit', evidence);
  const isDoubtful = settings.sharedKey ? evidence.failures.some(isOfMainKey) : evidence.failures.length > 0;
  return client.isShared('main') && isDoubtful ? inconclusiveFor('main', evidence) : evidence;
};

const inconclusiveFor = (slot: KeySlot, evidence: Evidence): Evidence => ({
  ...evidence,
  passed: 0,
  failures: [],
  inconclusive: new Map([[slot, { reason: { code: 'shared-key', detail: 'others', key: slot }, count: 1 }]]),
});

const isOfMainKey = ({ breach }: FoundFailure): boolean =>
  breach.exchange.request.credential.chargedTo === 'main';

/** The keys that others were seen to use. */
export const otherClients = ({ client, settings }: Sharing): readonly KeySlot[] =>
  (['main', 'rate-limit'] as const).filter(
    (slot) => client.isShared(slot) && !(slot === 'main' && settings.sharedKey),
  );

/** Requirements that any later response may fail. GET-4 is one of them, because an operation may fail occasionally. */
const onLaterResponses: readonly string[] = [...oracleRequirements, 'GET-4'];

/**
 * Decides the requirements whose checks have all run, with the checks of the requirements that they depend on. Requirements on every
 * response are certain only at the end, and so are the ones that `isOpen` names.
 */
export const createEarlyDecisions = (
  catalogue: readonly Requirement[],
  checks: readonly Check[],
  isOpen: (id: string) => boolean,
  decided: (requirement: Requirement) => void,
) => {
  const isEarly = (id: string) => !onLaterResponses.includes(id) && !isOpen(id);
  const waiting = new Map(
    catalogue
      .filter(({ id, dependsOn }) => [id, ...dependsOn].every(isEarly))
      .map((requirement) => {
        const ids = [requirement.id, ...requirement.dependsOn];
        const needed = checks.filter((check) => coveredBy(check).some((id) => ids.includes(id)));
        return [requirement, new Set(needed)] as const;
      })
      .filter(([, needed]) => needed.size > 0),
  );
  return {
    /** All cases of a check were run. */
    checked: (check: Check): void => {
      for (const [requirement, needed] of waiting) {
        if (!needed.delete(check) || needed.size > 0) continue;
        waiting.delete(requirement);
        decided(requirement);
      }
    },
  };
};
