import { type Check, coveredBy } from '../check/check.ts';
import type { RunSettings } from '../config/settings.ts';
import type { Client } from '../http/client-types.ts';
import type { KeySlot } from '../http/exchange.ts';
import type { Requirement } from '../openapi/requirement.ts';
import { oracleRequirements } from '../oracle/oracle.ts';
import type { Reason } from '../oracle/reason.ts';
import type { CaseCount, Cause, Entry } from './evidence.ts';
import type { Observation, Verdict } from './outcome.ts';

export interface Judgement {
  readonly verdict: Verdict;
  readonly reason: Reason | null;
}

interface Evidence {
  entry(requirement: string): Entry;
  /** The cases that could have failed a requirement. */
  casesOf(requirement: string): CaseCount;
  /** Why a requirement was not tried at all; null: it was. */
  skipped(requirement: string): Reason | null;
  /** Why the run ended early; null: it did not. */
  readonly ended: Reason | null;
}

/** The verdict of a requirement, from the evidence on it and on what it depends on. */
export const judgementOf = (requirement: Requirement, evidence: Evidence): Judgement => {
  const { id, level, dependsOn } = requirement;
  const entry = evidence.entry(id);
  const broken = dependsOn.find((dependency) => isBroken(evidence.entry(dependency)));
  if (entry.causes.length > 0 && broken === undefined) {
    return { verdict: level === 'SHOULD' ? 'warned' : 'failed', reason: null };
  }
  const [error] = entry.errors;
  if (error !== undefined) return { verdict: 'error', reason: { code: 'suite-error', error } };
  const skipped = evidence.skipped(id);
  if (skipped !== null && entry.met === 0) return { verdict: 'skipped', reason: skipped };
  if (broken !== undefined)
    return { verdict: 'inconclusive', reason: { code: 'blocked', requirement: broken } };
  if (entry.met > 0) return level === 'OPEN' ? { verdict: 'observed', reason: null } : passed(id, evidence);
  const [reason] = mostFrequent(entry.undecided);
  return reason === undefined
    ? { verdict: 'skipped', reason: skipped ?? evidence.ended ?? { code: 'not-tested' } }
    : { verdict: 'inconclusive', reason };
};

/** Only if no case that could have failed it was lost to a limit of the run. */
const passed = (id: string, { casesOf }: Evidence): Judgement => {
  const reason = lossReason(casesOf(id));
  return reason === null ? { verdict: 'passed', reason } : { verdict: 'inconclusive', reason };
};

/** Breached, and never once met: what depends on it has nothing to stand on. */
const isBroken = (entry: Entry): boolean => entry.met === 0 && entry.causes.length > 0;

const mostFrequent = (reasons: Entry['undecided']): readonly Reason[] =>
  [...reasons.values()].sort((a, b) => b.count - a.count).map(({ reason }) => reason);

interface Sharing {
  readonly client: Pick<Client, 'isShared'>;
  /** `sharedKey`: it was declared of the API key. */
  readonly settings: Pick<RunSettings, 'sharedKey'>;
}

/** What only a key tells that nobody else uses: others may have used up what remained. */
const needExclusiveKey: readonly string[] = ['RATE-5', 'RATE-6', 'RATE-8', 'RATE-9', 'RATE-13'];

const undecidedFor = (slot: KeySlot, entry: Entry): Entry => ({
  ...entry,
  met: 0,
  causes: [],
  undecided: new Map([[slot, { reason: { code: 'shared-key', detail: 'others', key: slot }, count: 1 }]]),
});

const isOfMain = ({ breach }: Cause): boolean => breach.exchange.request.credential.charges === 'main';

/**
 * The evidence on a requirement without what others may have caused who use the same key, whenever it was found. Who has the API key as
 * well has probably been given the same rate limit key: so no failure is believed then, but what was met is. Who declares
 * that the API key is shared has a rate limit key of their own.
 */
export const besideOthers = (requirement: string, entry: Entry, { client, settings }: Sharing): Entry => {
  if (!needExclusiveKey.includes(requirement)) return entry;
  if (client.isShared('rate-limit')) return undecidedFor('rate-limit', entry);
  const doubtful = settings.sharedKey ? entry.causes.some(isOfMain) : entry.causes.length > 0;
  return client.isShared('main') && doubtful ? undecidedFor('main', entry) : entry;
};

const names: Readonly<Record<KeySlot, string>> = { main: 'API key', 'rate-limit': 'rate limit key' };

/** The keys that others were seen to use, as the report shows it. */
export const otherClients = ({ client, settings }: Sharing): readonly Observation[] => {
  const slots = (['main', 'rate-limit'] as const).filter(
    (slot) => client.isShared(slot) && !(slot === 'main' && settings.sharedKey),
  );
  return slots.map((slot) => ({
    id: 'RATE-6',
    subject: 'other clients',
    value: `others use the ${names[slot]} at the same time: X-RateLimit-Remaining falls by more than this run sends`,
  }));
};

/** Follows which requirements are decided while checks still run. */
export interface Decisions {
  /** All cases of a check were run. */
  checked(check: Check<unknown>): void;
}

/** What any later response may still break. GET-4 is among it, as an operation may fail now and then. */
const ofEveryResponse: readonly string[] = [...oracleRequirements, 'GET-4'];

/**
 * Decisions on the requirements whose checks, and those of the requirements they depend on, have all run. What every response gives
 * evidence on is certain only at the end, and so is what `isOpen` names.
 */
export const createDecisions = (
  catalogue: readonly Requirement[],
  checks: readonly Check<unknown>[],
  isOpen: (id: string) => boolean,
  decided: (requirement: Requirement) => void,
): Decisions => {
  const isEarly = (id: string) => !ofEveryResponse.includes(id) && !isOpen(id);
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
    checked: (check) => {
      for (const [requirement, needed] of waiting) {
        if (!needed.delete(check) || needed.size > 0) continue;
        waiting.delete(requirement);
        decided(requirement);
      }
    },
  };
};

/** Why "passed" cannot be claimed; null: no case was lost. */
const lossReason = ({ total, lost }: CaseCount): Reason | null => {
  const count = lost.values().reduce((sum, each) => sum + each, 0);
  const [most] = [...lost].toSorted(([, a], [, b]) => b - a);
  return most === undefined
    ? null
    : { code: most[0], detail: 'lost', lost: count, of: total, to: [...lost.keys()] };
};
