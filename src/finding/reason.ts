import { type CaseReason, cases, type LossCode } from './reasons/cases.ts';
import { type ReasonOf, sayWith } from './reasons/derive.ts';
import { domains } from './reasons/domains.ts';
import { ends } from './reasons/ends.ts';

export type { CaseReason, LossCode } from './reasons/cases.ts';

/**
 * Why a requirement has no clear result, or why a run ended. Codes are permanent and part of reports. The other members are the facts for
 * the sentence. `detail` distinguishes the sentences of one code.
 */
export type Reason = CaseReason | ReasonOf<typeof domains> | ReasonOf<typeof ends>;

/** Why there is no clear result, or why a run ended, in a sentence without a full stop. */
export const reasonText: (reason: Reason) => string = sayWith({ ...cases, ...domains, ...ends });

/** Why testing of a server ended early or could not start. */
export type RunEnd = WithoutCode<ReasonOf<typeof ends>>;

type WithoutCode<End> = End extends unknown ? Omit<End, 'code'> : never;

export type ReasonCode = Reason['code'];

/** Why a run ended early, or could not judge. */
export type EndReason = Extract<Reason, { readonly code: 'interrupted' | 'run-ended' | 'no-response' }>;

/** The limit of a key, and until when it is used up. */
type UsedUpLimit = Extract<Reason, { readonly code: 'rate-limit'; readonly detail: 'used-up' }>;

export const isUsedUpLimit = (reason: Reason): reason is UsedUpLimit =>
  reason.code === 'rate-limit' && 'detail' in reason && reason.detail === 'used-up';

/** Why a requirement cannot pass: cases that could have failed it were lost. The code is the most frequent cause. Null: none was. */
export const lossReason = (
  of: number,
  lost: ReadonlyMap<LossCode, number>,
  limit?: UsedUpLimit,
): Reason | null => {
  const [most] = [...lost].toSorted(([, a], [, b]) => b - a);
  if (most === undefined) return null;
  const count = lost.values().reduce((sum, each) => sum + each, 0);
  return {
    ...{ code: most[0], detail: 'lost', lost: count, of, to: [...lost.keys()] },
    ...(limit === undefined ? {} : { limit }),
  };
};

/** Settings that may give a result, by code. */
const settings: ReadonlyMap<ReasonCode | null, readonly string[]> = new Map([
  ['needs-rate-limit-key', ['--rate-limit-key']],
  ['needs-exhaust-daily', ['--exhaust-daily']],
  ['needs-risky', ['--risky']],
  ['unknown-plan', ['--plan']],
  ['path-waived', ['--allow-any-path']],
  ['read-only', ['--read-only']],
  ['max-creates', ['--max-creates']],
  ['max-body', ['--max-body']],
  ['budget', ['--budget']],
]);

/** Returns the settings that may give a result. Unknown codes, from reports of other versions, have none. */
export const settingsFor = (code: ReasonCode | null): readonly string[] => settings.get(code) ?? [];

/** The 429 may come from another limit than the headers show. */
export const otherLimit: Reason = { code: 'other-limit', detail: 'plan' };
