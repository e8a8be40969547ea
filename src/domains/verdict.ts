import type { DomainFinding } from './finding.ts';

/** Findings of one kind. */
export type Found<Kind extends DomainFinding['kind']> = Extract<DomainFinding, { kind: Kind }>;

export const ofKind = <Kind extends DomainFinding['kind']>(
  findings: readonly DomainFinding[],
  kind: Kind,
): readonly Found<Kind>[] => findings.filter((finding): finding is Found<Kind> => finding.kind === kind);

/** Failed if one is failed, else inconclusive if one is, else passed. */
export const verdictOf = (
  findings: readonly DomainFinding[],
): 'passed' | 'failed' | 'inconclusive' | 'observed' | 'skipped' => {
  const kinds = new Set(findings.map(({ kind }) => kind));
  if (kinds.has('breach')) return 'failed';
  if (kinds.has('inconclusive')) return 'inconclusive';
  if (kinds.has('passed')) return 'passed';
  return kinds.has('observation') ? 'observed' : 'skipped';
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
