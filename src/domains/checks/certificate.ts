import type { Certificate } from '../../finding/domain-evidence.ts';
import type { ProblemOf, RuleCode } from '../../finding/problem.ts';
import { breach, type DomainFinding, inconclusive, passed } from '../finding.ts';
import type { Handshake } from '../network/network.ts';
import type { AttachedDomain } from '../settings.ts';

/** "If it is absent after 30 minutes". */
const ISSUANCE_MS = 30 * 60_000;

/** A handshake for the domain, and one for a name that nobody uses at the same address. */
export interface CertificateView {
  readonly handshake: Handshake;
  /** Null: it was not needed. */
  readonly unused: Handshake | null;
}

/** Whether a certificate has a name in subjectAltName. A wildcard matches one whole label (RFC 9525 6.3). */
export const coversName = (
  { subjectAltName }: Pick<Certificate, 'subjectAltName'>,
  name: string,
): boolean => {
  const [, ...parent] = name.split('.');
  const wildcard = parent.length > 1 ? `*.${parent.join('.')}` : null;
  return subjectAltName.some((each) => {
    const pattern = each.toLowerCase().replace(/\.$/, '');
    return pattern === name || pattern === wildcard;
  });
};

type CertificateProblem = ProblemOf<Extract<RuleCode, `certificate-${string}`>>;

const certificateProblem = (
  { handshake, unused }: CertificateView,
  name: string,
  now: number,
): CertificateProblem | null => {
  const { address, certificate, failure } = handshake;
  if (certificate === null)
    return { rule: 'certificate-missing', name, address, shown: { code: failure.code } };
  const { subjectAltName, validFrom, validTo, error } = certificate;
  if (!coversName(certificate, name)) {
    if (certificate.fingerprint === unused?.certificate?.fingerprint)
      return { rule: 'certificate-missing', name, address, shown: 'default' };
    return { rule: 'certificate-name', name, address, names: subjectAltName.slice(0, 5) };
  }
  if (validTo <= now) return { rule: 'certificate-expired', name, address, at: validTo };
  if (validFrom > now) return { rule: 'certificate-not-yet-valid', name, address, at: validFrom };
  return error === null ? null : { rule: 'certificate-untrusted', name, address, code: error };
};

/** A certificate is wrong, or there is none although the server listens or could listen. */
const isVerdict = ({ handshake: { failure } }: CertificateView): boolean =>
  failure === null || failure.kind === 'refused' || failure.kind === 'closed';

/**
 * DOMAIN-6: the certificate exists, and is valid for the domain. A wrong certificate at one of several addresses fails it. An address without
 * any does not if another one has a valid certificate.
 */
export const checkCertificate = (
  { name, target, verified }: AttachedDomain,
  views: readonly CertificateView[],
  now: number,
): DomainFinding => {
  const of = { requirement: 'DOMAIN-6', domain: name };
  const [first] = views;
  if (first === undefined) return inconclusive(of, { code: 'no-address', name: target });
  const judged = views
    .filter(isVerdict)
    .map((view) => ({ view, problem: certificateProblem(view, name, now) }));
  const isValid = judged.some(({ problem }) => problem === null);
  const wrong = judged.find(({ view, problem }) => problem !== null && view.handshake.certificate !== null);
  const missing = judged.find(({ problem }) => problem !== null);
  const timedOut = views.find(({ handshake }) => handshake.failure?.kind === 'timeout');
  const found = wrong ?? (isValid || timedOut !== undefined ? undefined : missing);
  if (found === undefined || found.problem === null) {
    if (isValid) return passed(of);
    const { address, failure } = (timedOut ?? first).handshake;
    return inconclusive(of, { code: failure?.kind === 'unreachable' ? 'no-connection' : 'timeout', address });
  }
  const { problem, view } = found;
  const until = verified === null ? 0 : verified + ISSUANCE_MS;
  // Without the certificate for unknown names to compare with, a wrong name may be that one.
  const isCompared = view.unused?.failure?.kind !== 'timeout' || problem.rule !== 'certificate-name';
  const mayBeMissing = problem.rule === 'certificate-missing' || !isCompared;
  if (mayBeMissing && verified !== null && now < until)
    return inconclusive(of, { code: 'issuing', until }, problem);
  return breach(of, problem, { certificate: view.handshake.certificate });
};

/** Whether the certificate is that of the domain, so that a page can be asked for. */
export const isValidFor = (view: CertificateView, name: string, now: number): boolean =>
  isVerdict(view) && certificateProblem(view, name, now) === null;

/** Whether the certificate has to be compared with that of a name that nobody uses. */
export const needsComparison = ({ certificate }: Handshake, name: string): boolean =>
  certificate !== null && !coversName(certificate, name);
