import schema from '../../spec/report.schema.json' with { type: 'json' };
import type { Outcome } from '../run/outcome.ts';
import { jsonText } from './json-text.ts';
import { type RootCause, rootCauses, rootCauseText } from './root-causes.ts';

/** `conformance.json`: the outcome without its exchanges, which are in `traffic.har`. */
export type Report = {
  readonly schemaVersion: 1;
  /** What to fix first. Absent: the report is a claim. */
  readonly rootCauses?: readonly ReportedCause[];
  /** Everything that a server, its operator, or the user wrote is withheld. */
  readonly isClaim?: true;
} & Omit<Outcome, 'exchanges'>;

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

/** Returns the members that the schema describes, in its order: no other member may get into the report. */
export const described = <Members extends object>(
  members: Members,
  { properties }: { readonly properties: object },
): Members => {
  const given = new Map<string, unknown>(Object.entries(members));
  return Object.fromEntries(
    Object.keys(properties).flatMap((name) => (given.has(name) ? [[name, given.get(name)]] : [])),
  ) as Members;
};

const causeOf = (cause: RootCause): ReportedCause => ({
  message: rootCauseText(cause),
  exchange: cause.kind === 'failure' ? cause.failure.exchange : cause.culprit.exchange,
  clears: cause.clears,
  blocks: cause.blocks,
});

export const toReport = ({ exchanges, ...outcome }: Outcome): Report => {
  const { failure, requirement, traffic } = schema.$defs;
  return described(
    {
      schemaVersion: 1,
      ...outcome,
      requirements: outcome.requirements.map((result) => {
        const failures = result.failures.map((each) => described(each, failure));
        return described({ ...result, failures }, requirement);
      }),
      traffic: described(outcome.traffic, traffic),
      rootCauses: rootCauses({ ...outcome, exchanges }).map(causeOf),
    },
    schema,
  );
};

/** The text of `conformance.json`: valid UTF-8, and JSON that every parser accepts. */
export const conformanceJson = (outcome: Outcome): string => jsonText(toReport(outcome), 2);
