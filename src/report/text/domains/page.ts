import { shownName } from '../../../domains/names.ts';
import { counted, duration } from '../units.ts';

interface Shown {
  readonly name: string;
  readonly kind: string;
  readonly chain: readonly string[];
  readonly addresses: readonly string[];
  readonly certificate: { readonly daysLeft: number } | null;
  readonly redirect: { readonly to: string; readonly status: number } | null;
}

interface ShownEntry {
  readonly open: readonly unknown[];
  readonly brokenAt: string | null;
}

interface ShownCertificate {
  readonly subject: string;
  readonly issuer: string;
  readonly subjectAltName: readonly string[];
  readonly validFrom: string;
  readonly validTo: string;
  readonly chain: readonly string[];
  readonly error: string | null;
}

const nameText = (name: string): string => (shownName(name) === name ? name : `${shownName(name)} (${name})`);

/** The words of the page and the terminal about domains. */
export const domainWords = {
  title: ({ name, kind }: Shown) => `${nameText(name)} (${kind})`,
  /** A domain that is right, in one line. */
  right: (entry: Shown, primary: string) => {
    const { name, kind, chain, addresses, certificate, redirect } = entry;
    const target = chain.length > 1 ? `CNAME ${chain[1]}` : addresses.join(', ');
    const days = certificate === null ? [] : [`certificate for ${counted(certificate.daysLeft, 'more day')}`];
    const end = redirect === null ? 'serves the project' : `${redirect.status} to ${redirect.to}`;
    return [
      `${nameText(name)} (${kind})`,
      target,
      ...days,
      `${end}${name === primary ? ', primary' : ''}`,
    ].join(', ');
  },
  project: 'The project',
  product: 'custom domains of',
  requirements: 'Requirements',
  observations: 'Observations',
  skip: 'Skip to the requirements',
  evidence: 'Evidence',
  breaksHere: 'Breaks here',
  authoritative: ', authoritative',
  places: {
    name: 'Name',
    alias: 'CNAME',
    platform: 'Platform host',
    certificate: 'Certificate',
    redirect: 'Redirect',
    primary: 'Primary domain',
    project: 'Project',
  },
  certificate: (certificate: Shown['certificate']) =>
    certificate === null ? 'not seen' : `${counted(certificate.daysLeft, 'day')} left`,
  certificateLines: ({
    subject,
    issuer,
    subjectAltName,
    validFrom,
    validTo,
    chain,
    error,
  }: ShownCertificate) => [
    `subject         ${subject}`,
    `issuer          ${issuer}`,
    `subjectAltName  ${subjectAltName.join(', ') || 'none'}`,
    `valid           ${validFrom} to ${validTo}`,
    `chain           ${chain.join(' <- ')}`,
    ...(error === null ? [] : [`error           ${error}`]),
  ],
  /** What the picture shows, for readers who do not see it. */
  way: (name: string) => `Way from ${name} to the project`,
  lead: (entries: readonly Pick<ShownEntry, 'open' | 'brokenAt'>[]) => {
    const right = entries.filter(({ open, brokenAt }) => open.length === 0 && brokenAt === null).length;
    return `${right} of ${counted(entries.length, 'domain')} right.`;
  },
  removed: (name: string) => `${nameText(name)} (removed), not served by the platform`,
  waitUntil: (time: string) => `Wait until ${time}. Only if it is still wrong then:`,
  counts: (counts: string, ms: number) => `Requirements  ${counts}, in ${duration(ms)}`,
  report: (path: string) => `Reports       ${path}`,
  opening: (names: readonly string[], platformHost: string) =>
    `Testing ${counted(names.length, 'domain')} of ${platformHost}`,
  /** `--wait`: what is missing, and how long it may take. */
  waiting: (open: number, pause: number, left: number) =>
    `${counted(open, 'domain')} not right yet: next test in ${duration(pause)}, at most ${duration(left)} more`,
  mayTake: {
    dns: 'DNS may take up to 48 hours',
    certificate: 'the certificate may take up to 30 minutes',
    other: 'nothing to wait for by the document',
  },
  missing: (name: string, ids: readonly string[], time: string) =>
    `  ${nameText(name)}: ${ids.join(', ')} missing, ${time}`,
} as const;
