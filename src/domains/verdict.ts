import type { Reason } from '../finding/reason.ts';
import type { Requirement } from '../openapi/requirement.ts';
import { type DecidedVerdict, decideVerdict } from '../run/decide-verdict.ts';
import type { DomainFinding } from './finding.ts';

/** Findings of one kind. */
export type Found<Kind extends DomainFinding['kind']> = Extract<DomainFinding, { kind: Kind }>;

export const ofKind = <Kind extends DomainFinding['kind']>(
  findings: readonly DomainFinding[],
  kind: Kind,
): readonly Found<Kind>[] => findings.filter((finding): finding is Found<Kind> => finding.kind === kind);

/** What decides a requirement. An observation decides only what is not specified. */
export const resultsOn = (
  { id, level }: Pick<Requirement, 'id' | 'level'>,
  findings: readonly DomainFinding[],
): readonly DomainFinding[] =>
  findings.filter(
    ({ requirement, kind }) => requirement === id && (kind !== 'observation' || level === 'OPEN'),
  );

/** The verdict of a requirement, decided as in a run. A pass counts only if no domain is open. `skipped`: why it was not tested. */
export const verdictOf = (
  requirement: Requirement,
  findings: readonly DomainFinding[],
  skipped: Reason | null = null,
): DecidedVerdict => {
  const own = resultsOn(requirement, findings);
  const failures = ofKind(own, 'breach');
  const open = ofKind(own, 'inconclusive').map(
    ({ reason }, index) => [`${index}`, { reason, count: 1 }] as const,
  );
  const passed = open.length > 0 ? 0 : own.length - failures.length;
  return decideVerdict(requirement, {
    evidenceOn: () => ({ passed, failures, inconclusive: new Map(open), errors: [] }),
    casesOf: () => ({ total: own.length, lost: new Map() }),
    skipped: () => (own.length === 0 ? skipped : null),
    ended: null,
  });
};

/** All findings of a test. */
export const findingsOf = ({
  domains,
  findings,
}: {
  readonly domains: readonly { readonly findings: readonly DomainFinding[] }[];
  readonly findings: readonly DomainFinding[];
}): readonly DomainFinding[] => [...findings, ...domains.flatMap((each) => each.findings)];

/** DOMAIN-1 is about the plan, which the file has: no response decides it. */
export const isDecidedByFile = ({ id }: { readonly id: string }): boolean => id === 'DOMAIN-1';
