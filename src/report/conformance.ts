import type { Failure, Outcome, RequirementResult, Traffic } from '../run/outcome.ts';
import { jsonText } from './json-text.ts';
import { rootCauses } from './root-causes.ts';
import { type RootCause, rootCauseText } from './text/root-causes.ts';

/** `conformance.json`: the outcome without its exchanges, which are in `traffic.har`. */
export type Report = { readonly schemaVersion: 1; readonly rootCauses?: readonly ReportedCause[] } & Omit<
  Outcome,
  'exchanges'
>;

/** A likely bug behind failures. */
interface ReportedCause {
  readonly message: string;
  /** The exchange that shows it, in `traffic.har`. */
  readonly exchange: number;
  /** Requirements that fail only because of this bug. */
  readonly clears: readonly string[];
  /** Requirements that could not be tested because of this bug. */
  readonly blocks: readonly string[];
}

// Fields are listed one by one: their order is documented, and no other field may get into the report.

const failureOf = (failure: Failure): Failure => ({
  message: failure.message,
  operation: failure.operation,
  expected: failure.expected,
  actual: failure.actual,
  request: failure.request,
  response: failure.response,
  curl: failure.curl,
  seed: failure.seed,
  path: failure.path,
  replay: failure.replay,
  check: failure.check,
  seen: failure.seen,
  tries: failure.tries,
  occurrences: failure.occurrences,
  exchange: failure.exchange,
  ...(failure.rule === undefined ? {} : { rule: failure.rule }),
  ...(failure.variant === undefined ? {} : { variant: failure.variant }),
  ...(failure.headers === undefined ? {} : { headers: failure.headers }),
  ...(failure.members === undefined ? {} : { members: failure.members }),
  ...(failure.before === undefined ? {} : { before: failure.before }),
  ...(failure.causedBy === undefined ? {} : { causedBy: failure.causedBy }),
  ...(failure.others === undefined ? {} : { others: failure.others }),
  ...(failure.passed === undefined ? {} : { passed: failure.passed }),
});

const requirementOf = (result: RequirementResult): RequirementResult => ({
  id: result.id,
  level: result.level,
  statement: result.statement,
  verdict: result.verdict,
  known: result.known,
  reason: result.reason,
  checks: result.checks,
  failures: result.failures.map(failureOf),
  section: result.section,
  reasonCode: result.reasonCode,
  ...(result.durationMs === undefined ? {} : { durationMs: result.durationMs }),
  ...(result.blockedBy === undefined ? {} : { blockedBy: result.blockedBy }),
});

const trafficOf = (traffic: Traffic): Traffic => ({
  requests: traffic.requests,
  created: traffic.created,
  byOperation: traffic.byOperation,
  byStatus: traffic.byStatus,
  ...(traffic.unanswered === undefined ? {} : { unanswered: traffic.unanswered }),
  rateLimited: traffic.rateLimited,
  rateLimitedUnasked: traffic.rateLimitedUnasked,
  latency: traffic.latency,
});

export const toReport = (outcome: Outcome): Report => ({
  schemaVersion: 1,
  tool: outcome.tool,
  interface: outcome.interface,
  target: outcome.target,
  startedAt: outcome.startedAt,
  durationMs: outcome.durationMs,
  seed: outcome.seed,
  ...(outcome.shard === undefined ? {} : { shard: outcome.shard }),
  verdict: outcome.verdict,
  requirements: outcome.requirements.map(requirementOf),
  observations: outcome.observations,
  traffic: trafficOf(outcome.traffic),
  ended: outcome.ended,
  ...(outcome.endedCode === undefined ? {} : { endedCode: outcome.endedCode }),
  created: outcome.created,
  coverage: outcome.coverage,
  ...(outcome.command === undefined ? {} : { command: outcome.command }),
  ...(outcome.settings === undefined ? {} : { settings: outcome.settings }),
  ...(outcome.timeline === undefined ? {} : { timeline: outcome.timeline }),
  rootCauses: rootCauses(outcome).map(causeOf),
});

const causeOf = (cause: RootCause): ReportedCause => ({
  message: rootCauseText(cause),
  exchange: cause.kind === 'failure' ? cause.failure.exchange : cause.culprit.exchange,
  clears: cause.clears,
  blocks: cause.blocks,
});

/** The text of `conformance.json`: valid UTF-8, and JSON that every parser accepts. */
export const conformanceJson = (outcome: Outcome): string => jsonText(toReport(outcome), 2);
