import type { DomainEvidence } from '../finding/domain-evidence.ts';
import type { Finding } from '../finding/finding.ts';
import type { Reason } from '../finding/reason.ts';

/** A result for one requirement and one domain; null: the project. */
export type DomainFinding = Finding<'domain'> & Pick<DomainEvidence, 'domain'>;

/** What a finding is about. */
export type Subject = Pick<DomainFinding, 'requirement' | 'domain'>;

export const passed = (of: Subject): DomainFinding => ({ ...of, kind: 'passed' });

export const breach = (
  of: Subject,
  problem: DomainEvidence['problem'],
  { dns = [], onlyAt = [], certificate = null, exchange = null }: Partial<DomainEvidence> = {},
): DomainFinding => ({ ...of, kind: 'breach', side: 'domain', problem, dns, onlyAt, certificate, exchange });

export const inconclusive = (
  of: Subject,
  reason: Reason,
  problem?: DomainEvidence['problem'],
): DomainFinding => ({ ...of, kind: 'inconclusive', reason, ...(problem === undefined ? {} : { problem }) });
