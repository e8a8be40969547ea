import type { Plan } from '../openapi/plans.ts';

export type DomainKind = 'apex' | 'subdomain';

/** A domain that is attached to the project. Names are canonical: lower case, A-labels, no trailing dot. */
export interface AttachedDomain {
  readonly name: string;
  /** Null: DNS and the Public Suffix List decide. */
  readonly kind: DomainKind | null;
  /** The value that the dashboard shows. */
  readonly target: string;
  /** When its DNS records were last changed, in milliseconds since the Unix epoch; null: not known. */
  readonly changed: number | null;
  /** When Verify succeeded; null: not known. */
  readonly verified: number | null;
}

/** A domain of which only the name is known. */
export const attachedDomain = (name: string, target: string): AttachedDomain => ({
  name,
  kind: null,
  target,
  changed: null,
  verified: null,
});

export const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308];

/** A redirect of the project. */
export interface Redirect {
  readonly from: string;
  /** Null: the whole domain. */
  readonly path: string | null;
  /** An absolute URL. */
  readonly to: string;
  readonly status: number;
}

/** How to recognize the project. */
export interface Project {
  readonly path: string;
  /** Null: any 2xx. */
  readonly status: number | null;
  /** Null: any body. */
  readonly contains: string | null;
}

/** An IP address with a port. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** Where DNS, HTTP, and HTTPS are reached. */
export interface NetworkSettings {
  /** Empty: the resolvers of the system. */
  readonly resolvers: readonly Endpoint[];
  readonly dnsPort: number;
  readonly httpPort: number;
  readonly httpsPort: number;
  /** Root certificates (PEM) trusted besides the built-in ones. */
  readonly ca: readonly string[];
  readonly timeoutMs: number;
}

/** What the dashboard of a project says about its domains. */
export interface DomainsSettings {
  /** Null: not given. */
  readonly plan: Plan | null;
  readonly platformHost: string;
  /** Issuer domain names of CAA; any of them may issue. Empty: not given. */
  readonly authorities: readonly string[];
  readonly domains: readonly AttachedDomain[];
  readonly primary: string;
  readonly redirects: readonly Redirect[];
  readonly removed: readonly string[];
  readonly project: Project;
  readonly network: NetworkSettings;
}

export const defaultProject: Project = { path: '/', status: null, contains: null };

export const defaultNetwork: NetworkSettings = {
  resolvers: [],
  dnsPort: 53,
  httpPort: 80,
  httpsPort: 443,
  ca: [],
  timeoutMs: 5_000,
};

/** The primary domain if none is named: the only one that does not redirect. */
export const defaultPrimary = (
  names: readonly string[],
  redirects: readonly Pick<Redirect, 'from' | 'path'>[],
): string | null => {
  const redirecting = redirects.filter(({ path }) => path === null).map(({ from }) => from);
  const [only, ...others] = names.filter((name) => !redirecting.includes(name));
  return only !== undefined && others.length === 0 ? only : null;
};
