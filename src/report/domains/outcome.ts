import type { DomainFinding } from '../../domains/finding.ts';
import type { DomainKind, DomainsSettings, Redirect } from '../../domains/settings.ts';
import type { TestedDomain, TestedDomains } from '../../domains/test-domains.ts';
import {
  type Found,
  findingsOf,
  isDecidedByFile,
  ofKind,
  resultsOn,
  verdictOf,
} from '../../domains/verdict.ts';
import { domainProblemText, onlyAtText, timeText } from '../../finding/kinds/domains.ts';
import { type Reason, type ReasonCode, reasonText } from '../../finding/reason.ts';
import { packageVersion } from '../../openapi/package-root.ts';
import type { Requirement } from '../../openapi/requirement.ts';
import { decideRun, factsOf } from '../../run/decide-run.ts';
import {
  type FailureFacts,
  isDecided,
  type Outcome,
  type RecordedExchange,
  type RequirementResult,
  sortObservations,
  type Verdict,
} from '../../run/outcome.ts';
import { domainsEnded, waitedText } from '../text/domains/reasons.ts';
import { type Remedy, remedyOf } from '../text/domains/remedies.ts';
import { factsIn } from '../text/failures.ts';
import { type EvidenceView, evidenceView, pageView } from './evidence.ts';

/** A requirement that a domain fails. */
export interface DomainFailure extends FailureFacts<'domain'> {
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

/** The result of a test of domains, in words. */
export interface DomainsOutcome extends Omit<Outcome<DomainFailure>, 'target' | 'traffic'> {
  readonly traffic: Omit<Outcome['traffic'], 'unanswered'>;
  readonly target: {
    readonly platformHost: string;
    readonly plan: string | null;
    readonly domains: readonly string[];
    readonly removed: readonly string[];
    readonly resolver: string;
  };
  readonly primary: string;
  readonly domains: readonly DomainEntry[];
}

/** What fails for a domain, or for the project (null), with the requirement. */
export const failuresOf = (
  name: string | null,
  { requirements }: DomainsOutcome,
): readonly (DomainFailure & { readonly id: string })[] =>
  requirements.flatMap(({ id, failures }) =>
    failures.filter(({ domain }) => domain === name).map((failure) => ({ ...failure, id })),
  );

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

/** There are no keys in what a test of domains sends. */
const withoutKeys = (text: string): string => text;

const failureOf = (breach: Found<'breach'>): DomainFailure => {
  const { problem, domain, onlyAt } = breach;
  const text = domainProblemText(problem);
  return {
    side: 'domain',
    ...factsIn(problem, withoutKeys),
    domain,
    ...text,
    message: onlyAt.length === 0 ? text.message : onlyAtText(text.message, onlyAt),
    check: breach.requirement,
    occurrences: 1,
    evidence: evidenceView(breach),
    remedy: remedyOf(problem, null, onlyAt),
  };
};

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

const resultOf = (
  requirement: Requirement,
  findings: readonly DomainFinding[],
): RequirementResult<DomainFailure> => {
  const { id, level, statement, section } = requirement;
  const { verdict, reason } = verdictOf(requirement, findings, skippedBecause[id]);
  const own = resultsOn(requirement, findings);
  const open = ofKind(own, 'inconclusive');
  const reasons = open.map((each) => `${each.domain ?? ''}: ${reasonText(each.reason)}`);
  return {
    ...{ id, level, statement, section, verdict },
    known: null,
    reason: verdict === 'inconclusive' ? reasons.join('; ') : reason && reasonText(reason),
    reasonCode: reason?.code ?? null,
    checks: own.length - open.length,
    durationMs: 0,
    failures: ofKind(own, 'breach').map(failureOf),
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

const entryOf = (tested: TestedDomain, { settings, endedAt, requirements }: DomainsRun): DomainEntry => {
  const { domain, kind, chain, addresses, certificate, findings } = tested;
  const { name } = domain;
  const redirect = settings.redirects.find(({ from, path }) => from === name && path === null);
  const own = requirements.filter(({ id }) => findings.some(({ requirement }) => requirement === id));
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
    verdicts: Object.fromEntries(own.map((each) => [each.id, verdictOf(each, findings).verdict])),
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
  requirements: readonly RequirementResult<DomainFailure>[],
  { tested, interrupted }: DomainsRun,
): string | null => {
  if (interrupted) return domainsEnded.interrupted;
  if (tested.isSilent) return domainsEnded.silent;
  const isJudged = requirements.some(
    (result) => result.verdict === 'failed' || (isDecided(result) && !isDecidedByFile(result)),
  );
  return isJudged ? null : domainsEnded.undecided;
};

/** A test of domains in words, for every report, with the exit code of the command. */
export const domainsOutcome = (run: DomainsRun) => {
  const { settings, tested, startedAt, endedAt, seed, interrupted } = run;
  const findings = findingsOf(tested);
  const requirements = run.requirements.map((requirement) => resultOf(requirement, findings));
  const ended = endedOf(requirements, run);
  const facts = factsOf(requirements, { strict: false });
  const { verdict, exit } = decideRun({
    ...facts,
    failed: facts.failed && !tested.isSilent,
    ...{ hasUnreadOperation: false, missesMost: false },
    end: interrupted ? 'interrupted' : ended === null ? 'complete' : 'stopped',
  });
  const outcome: DomainsOutcome = {
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
    verdict,
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
  return { outcome, exit };
};

const observationsOf = (
  findings: readonly DomainFinding[],
  { waited }: DomainsRun,
): Outcome['observations'] =>
  sortObservations(
    ofKind(findings, 'observation').map(({ requirement, domain, subject, value: seen }) => {
      const seconds = requirement === 'DOMAIN-9' ? waited.get(domain ?? '') : undefined;
      const value = [seen, ...(seconds === undefined ? [] : [waitedText(seconds)])].join(', ');
      return { id: requirement, subject, value, values: [value] };
    }),
  );
