import type { SettingValue } from '../../run/outcome.ts';
import type { Report } from '../conformance.ts';
import { claimWords as words } from '../text/matrix.ts';
import { isOfSuite } from '../text/shown-verdicts.ts';

/** Settings whose values are ids of requirements or a plan. Texts of other settings may be addresses, paths, or names. */
const publicTexts: readonly string[] = ['only', 'skip', 'plan'];

const isPublic = ([name, value]: readonly [string, SettingValue]): boolean =>
  typeof value === 'number' || typeof value === 'boolean' || publicTexts.includes(name);

/**
 * A report that may be published: verdicts, version, seed, and settings. It is a valid report, without bodies, addresses, keys, and everything
 * else that the server, its operator, or the user wrote.
 */
export const toClaim = (report: Report): Report => {
  const { endedCode, settings = {}, shard, operations } = report;
  const { baseUrl: _, ...target } = report.target;
  const { title } = report.interface;
  return {
    schemaVersion: report.schemaVersion,
    isClaim: true,
    tool: report.tool,
    interface: { ...report.interface, ...(title === undefined ? {} : { title: words.withheld }) },
    target: { ...target, baseUrl: words.withheld },
    startedAt: report.startedAt,
    durationMs: report.durationMs,
    seed: report.seed,
    ...(shard === undefined ? {} : { shard }),
    verdict: report.verdict,
    requirements: report.requirements.map(({ evidence: _, ...result }) => ({
      ...result,
      ...(isOfSuite(result.id) ? {} : { statement: words.withheld, section: words.withheld }),
      known: result.known === null ? null : words.withheld,
      reason: result.reason === null ? null : words.withheld,
      failures: [],
    })),
    observations: [],
    // Operations of another API are its paths.
    traffic: { ...report.traffic, byOperation: {}, latency: {} },
    ended: report.ended === null ? null : words.withheld,
    ...(endedCode === undefined ? {} : { endedCode }),
    created: [],
    coverage: [],
    ...(operations === undefined ? {} : { operations: { ...operations, notRequested: [] } }),
    settings: Object.fromEntries(Object.entries(settings).filter(isPublic)),
  };
};
