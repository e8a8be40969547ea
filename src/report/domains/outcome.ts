import type { DomainFinding } from '../../domains/finding.ts';
import type { DomainKind, DomainsSettings, Redirect } from '../../domains/settings.ts';
import type { TestedDomain, TestedDomains } from '../../domains/test-domains.ts';
import { type Found, findingsOf, isDecidedByFile, ofKind, verdictOf } from '../../domains/verdict.ts';
import type { ProblemText } from '../../finding/define-problem.ts';
import { domainProblemText, timeText } from '../../finding/kinds/domains.ts';
import { type Reason, type ReasonCode, reasonText } from '../../finding/reason.ts';
import { packageVersion } from '../../openapi/package-root.ts';
import type { Requirement } from '../../openapi/requirement.ts';
import {
  isDecided,
  type Outcome,
  type RecordedExchange,
  type RequirementResult,
  sortObservations,
  type Verdict,
} from '../../run/outcome.ts';
import { domainsEnded, waitedText } from '../text/domains/reasons.ts';
import { type Remedy, remedyOf } from '../text/domains/remedies.ts';
import { type EvidenceView, evidenceView, pageView } from './evidence.ts';

/** A requirement that a domain fails. */
export interface DomainFailure extends ProblemText {
  readonly rule: string;
  /** Null: the project. */
  readonly domain: string | null;
  readonly evidence: EvidenceView;
  readonly remedy: Remedy;
}

/** Why a domain has no clear result for a requirement. `remedy`: what to do if waiting does not help; null: nothing is known to be wrong. */
export interface OpenResult {
  readonly id: string;
  readonly reason: string;
  readonly reasonCode: ReasonCode;
  readonly remedy: Remedy | null;
}

export interface DomainResult extends Omit<RequirementResult, 'failures' | 'reasonCode' | 'durationMs'> {
  readonly reasonCode: ReasonCode | null;
  readonly failures: readonly DomainFailure[];
}

/** Where the way from a name to the project breaks. */
export type BrokenAt = 'dns' | 'certificate' | 'redirect' | 'primary';

/** A domain in a report. */
export interface DomainEntry {
  readonly name: string;
  readonly kind: DomainKind;
  readonly chain: readonly string[];
  readonly addresses: readonly string[];
  readonly certificate: {
    readonly subjectAltName: readonly string[];
    readonly issuer: string;
    readonly validTo: string;
    readonly daysLeft: number;
  } | null;
  readonly redirect: Pick<Redirect, 'to' | 'status'> | null;
  readonly brokenAt: BrokenAt | null;
  readonly verdicts: Readonly<Record<string, Verdict>>;
  readonly open: readonly OpenResult[];
}

type Shared =
  | 'tool'
  | 'interface'
  | 'startedAt'
  | 'durationMs'
  | 'seed'
  | 'verdict'
  | 'ended'
  | 'observations';

/** The result of a test of domains, in words. */
export interface DomainsOutcome extends Pick<Outcome, Shared | 'created' | 'coverage' | 'exchanges'> {
  readonly traffic: Omit<Outcome['traffic'], 'unanswered'>;
  readonly endedCode?: 'interrupted' | 'run-ended';
  readonly target: {
    readonly platformHost: string;
    readonly plan: string | null;
    readonly domains: readonly string[];
    readonly removed: readonly string[];
    readonly resolver: string;
  };
  readonly primary: string;
  readonly requirements: readonly DomainResult[];
  readonly domains: readonly DomainEntry[];
}

export interface DomainsRun {
  readonly settings: DomainsSettings;
  readonly tested: TestedDomains;
  /** The catalogue's requirements on domains. */
  readonly requirements: readonly Requirement[];
  readonly interfaceVersion: string;
  readonly resolver: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly seed: number;
  readonly interrupted: boolean;
  /** Seconds after which domains became right, by name; absent: they were, or are not. */
  readonly waited: ReadonlyMap<string, number>;
}

const untilOf = (reason: Reason): number | null =>
  reason.code === 'propagating' || reason.code === 'issuing' ? reason.until : null;

const failureOf = (breach: Found<'breach'>): DomainFailure => ({
  rule: breach.problem.rule,
  domain: breach.domain,
  ...domainProblemText(breach.problem),
  evidence: evidenceView(breach),
  remedy: remedyOf(breach.problem, null),
});

/** Why a requirement was not tested. */
const skippedBecause: Readonly<Record<string, Reason>> = {
  'DOMAIN-1': { code: 'no-plan' },
  'DOMAIN-2': { code: 'no-subdomain' },
  'DOMAIN-3': { code: 'no-apex' },
  'DOMAIN-4': { code: 'no-subdomain' },
  'DOMAIN-5': { code: 'no-authority' },
  'DOMAIN-8': { code: 'no-removed' },
  'DOMAIN-9': { code: 'no-authoritative-server' },
};

const reasonOf = (verdict: Verdict, id: string, open: readonly Found<'inconclusive'>[]) => {
  if (verdict === 'skipped') {
    const reason = skippedBecause[id];
    return reason === undefined ? null : { text: reasonText(reason), code: reason.code };
  }
  const [first] = open;
  if (verdict !== 'inconclusive' || first === undefined) return null;
  const lines = open.map(({ domain, reason }) => `${domain ?? ''}: ${reasonText(reason)}`);
  return { text: lines.join('; '), code: first.reason.code };
};

const resultOf = (
  { id, level, statement, section }: Requirement,
  all: readonly DomainFinding[],
): DomainResult => {
  const findings = all.filter(({ requirement }) => requirement === id);
  const breaches = ofKind(findings, 'breach');
  const verdict = verdictOf(findings);
  const reason = reasonOf(verdict, id, ofKind(findings, 'inconclusive'));
  return {
    ...{ id, level, statement, section, verdict },
    known: null,
    reason: reason?.text ?? null,
    reasonCode: reason?.code ?? null,
    checks: findings.length - ofKind(findings, 'inconclusive').length,
    failures: breaches.map(failureOf),
  };
};

/** Findings are in the order of the way, so it breaks at the first breach. */
const brokenAt = (findings: readonly DomainFinding[]): BrokenAt | null => {
  const [first] = ofKind(findings, 'breach');
  if (first === undefined) return null;
  if (/^DOMAIN-[234]$/.test(first.requirement)) return 'dns';
  if (/^DOMAIN-[56]$/.test(first.requirement)) return 'certificate';
  return first.problem.rule === 'project-not-served' ? 'primary' : 'redirect';
};

const DAY_MS = 86_400_000;

const entryOf = (tested: TestedDomain, { settings, endedAt }: DomainsRun): DomainEntry => {
  const { domain, kind, chain, addresses, certificate, findings } = tested;
  const { name } = domain;
  const redirect = settings.redirects.find(({ from, path }) => from === name && path === null);
  const ids = new Set(findings.map(({ requirement }) => requirement));
  return {
    ...{ name, kind, chain, addresses },
    certificate:
      certificate === null
        ? null
        : {
            subjectAltName: certificate.subjectAltName.slice(0, 50),
            issuer: certificate.issuer,
            validTo: timeText(certificate.validTo),
            daysLeft: Math.floor((certificate.validTo - endedAt) / DAY_MS),
          },
    redirect: redirect === undefined ? null : { to: redirect.to, status: redirect.status },
    brokenAt: brokenAt(findings),
    verdicts: Object.fromEntries(
      [...ids].map((id) => [id, verdictOf(findings.filter(({ requirement }) => requirement === id))]),
    ),
    open: ofKind(findings, 'inconclusive').map(({ requirement, reason, problem }) => ({
      id: requirement,
      reason: reasonText(reason),
      reasonCode: reason.code,
      remedy: problem === undefined ? null : remedyOf(problem, untilOf(reason)),
    })),
  };
};

/** The exchanges of failures, for the HAR. */
const exchangesOf = (findings: readonly DomainFinding[], at: number): readonly RecordedExchange[] =>
  ofKind(findings, 'breach').flatMap(({ requirement, domain, exchange }, index) => {
    if (exchange === null) return [];
    const { request, response } = pageView(exchange);
    const facts = { id: index, check: requirement, operation: domain ?? '', startedAt: at, durationMs: 0 };
    return [
      { ...facts, request, response, failure: exchange.failure?.kind ?? null, breaches: [requirement] },
    ];
  });

/** Why nothing was judged; null: something was. */
const endedOf = (
  facts: Readonly<Record<'interrupted' | 'isSilent' | 'isUndecided', boolean>>,
): string | null => {
  if (facts.interrupted) return domainsEnded.interrupted;
  if (facts.isSilent) return domainsEnded.silent;
  return facts.isUndecided ? domainsEnded.undecided : null;
};

/** A test of domains in words, for every report. */
export const domainsOutcome = (run: DomainsRun): DomainsOutcome => {
  const { settings, tested, startedAt, endedAt, seed, interrupted } = run;
  const findings = findingsOf(tested);
  const requirements = run.requirements.map((requirement) => resultOf(requirement, findings));
  const isUndecided = !requirements.some((result) => isDecided(result) && !isDecidedByFile(result));
  const isUnjudged = tested.isSilent || interrupted || isUndecided;
  const verdict = requirements.some((result) => result.verdict === 'failed') ? 'nonconformant' : 'conformant';
  const ended = endedOf({
    interrupted,
    isSilent: tested.isSilent,
    isUndecided: isUndecided && verdict === 'conformant',
  });
  return {
    tool: { name: 'animal-store-conformance', version: packageVersion() },
    interface: { version: run.interfaceVersion },
    target: {
      platformHost: settings.platformHost,
      plan: settings.plan,
      domains: settings.domains.map(({ name }) => name),
      removed: settings.removed,
      resolver: run.resolver,
    },
    primary: settings.primary,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.round(endedAt - startedAt),
    seed,
    verdict: isUnjudged && (tested.isSilent || verdict === 'conformant') ? 'not-judged' : verdict,
    ended,
    ...(ended === null ? {} : { endedCode: interrupted ? 'interrupted' : 'run-ended' }),
    requirements,
    domains: tested.domains.map((each) => entryOf(each, run)),
    observations: observationsOf(findings, run),
    traffic: {
      ...tested.traffic,
      created: 0,
      byOperation: {},
      rateLimited: 0,
      rateLimitedUnasked: 0,
      latency: {},
    },
    created: [],
    coverage: [],
    exchanges: exchangesOf(findings, startedAt),
  };
};

const observationsOf = (
  findings: readonly DomainFinding[],
  { waited }: DomainsRun,
): Outcome['observations'] =>
  sortObservations(
    ofKind(findings, 'observation').map(({ requirement, domain, subject, value: propagation }) => {
      const seconds = waited.get(domain ?? '');
      const value = [propagation, ...(seconds === undefined ? [] : [waitedText(seconds)])].join(', ');
      return { id: requirement, subject, value, values: [value] };
    }),
  );
