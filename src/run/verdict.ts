import { type Check, coveredBy } from '../check/check.ts';
import { needsOwnKey } from '../config/selection.ts';
import type { RunSettings } from '../config/settings.ts';
import type { Client } from '../http/client-types.ts';
import type { KeySlot } from '../http/exchange.ts';
import type { Requirement } from '../openapi/requirement.ts';
import { oracleRequirements } from '../oracle/oracle.ts';
import { type EvidenceOf, isFailing } from './decide-verdict.ts';
import type { Evidence } from './evidence.ts';
import type { FoundFailure } from './found-outcome.ts';

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
