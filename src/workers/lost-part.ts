import { type EndReason, reasonText } from '../finding/reason.ts';
import type { Shard } from '../report/merge.ts';

/** The part of a worker that ended before it had a result: no requirement is tested. `other`: the part of another worker. */
export const lostPart = ({ report }: Shard, why: EndReason): Shard => {
  const reason = reasonText(why);
  return {
    report: {
      ...report,
      verdict: 'not-judged',
      ended: reason,
      endedCode: why.code,
      durationMs: 0,
      requirements: report.requirements.map(({ id, level, statement, section }) => ({
        ...{ id, level, statement, section, verdict: 'skipped', reason, reasonCode: why.code, known: null },
        ...{ checks: 0, evidence: { passed: 0, cases: 0, lost: {} }, durationMs: 0, failures: [] },
      })),
      observations: [],
      traffic: {
        ...{ requests: 0, created: 0, byOperation: {}, byStatus: {}, unanswered: {} },
        ...{ rateLimited: 0, rateLimitedUnasked: 0, latency: {} },
      },
      created: [],
      coverage: [],
    },
    exchanges: [],
  };
};
