import type { DomainProblem } from '../finding/kinds/domains.ts';
import type { DomainReason } from '../finding/reasons/domains.ts';
import type { Certificate, DnsExchange, PageExchange } from './network/network.ts';

/** What shows a problem. */
export interface DomainEvidence {
  readonly dns: readonly DnsExchange[];
  readonly certificate: Certificate | null;
  readonly exchange: PageExchange | null;
}

/** A result for one requirement and one domain; null: the project. */
export type DomainFinding = { readonly requirement: string; readonly domain: string | null } & (
  | { readonly kind: 'passed' }
  | { readonly kind: 'breach'; readonly problem: DomainProblem; readonly evidence: DomainEvidence }
  | {
      readonly kind: 'inconclusive';
      readonly reason: DomainReason;
      /** What fails unless waiting helps. Absent: nothing is known to be wrong. */
      readonly problem?: DomainProblem;
    }
  | {
      readonly kind: 'observation';
      /** The answer of the resolver, compared with those of the authoritative servers. `ttl`: the seconds left of it. */
      readonly propagation: { readonly differs: boolean; readonly ttl: number };
    }
);

const noEvidence: DomainEvidence = { dns: [], certificate: null, exchange: null };

type Of = Pick<DomainFinding, 'requirement' | 'domain'>;

export const passed = (of: Of): DomainFinding => ({ ...of, kind: 'passed' });

export const breach = (
  of: Of,
  problem: DomainProblem,
  evidence: Partial<DomainEvidence> = {},
): DomainFinding => ({ ...of, kind: 'breach', problem, evidence: { ...noEvidence, ...evidence } });

export const inconclusive = (of: Of, reason: DomainReason): DomainFinding => ({
  ...of,
  kind: 'inconclusive',
  reason,
});
