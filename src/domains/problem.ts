import type { DnsRecord } from './network/network.ts';

/** What is wrong with a domain, as facts. `rule` is its permanent code, and src/report/text makes the sentences. */
export type DomainProblem =
  | { readonly rule: 'plan'; readonly plan: string }
  | DnsProblem
  | CaaProblem
  | CertificateProblem
  | RedirectProblem
  | ServingProblem;

/** DOMAIN-2 to DOMAIN-4: the records of a domain. */
export type DnsProblem = { readonly name: string; readonly target: string } & (
  | {
      readonly rule: 'cname-missing';
      /** `name`: the name does not exist (NXDOMAIN). `cname`: it has no CNAME record. */
      readonly missing: 'name' | 'cname';
    }
  | { readonly rule: 'cname-value'; readonly value: string }
  | { readonly rule: 'cname-several'; readonly values: readonly string[] }
  | { readonly rule: 'conflicting-record'; readonly records: readonly Pick<DnsRecord, 'type' | 'value'>[] }
  | { readonly rule: 'apex-cname'; readonly values: readonly string[] }
  | { readonly rule: 'apex-no-address' }
  | {
      readonly rule: 'apex-addresses';
      readonly type: 'A' | 'AAAA';
      readonly values: readonly string[];
      /** Empty: the target has no address of the family. */
      readonly targets: readonly string[];
    }
);

/** DOMAIN-5. `at`: the name that has the records. */
export type CaaProblem = { readonly name: string; readonly at: string } & (
  | { readonly rule: 'caa-critical'; readonly tags: readonly string[]; readonly values: readonly string[] }
  | {
      readonly rule: 'caa-issuer';
      readonly authorities: readonly string[];
      /** The values of `issue`. */
      readonly values: readonly string[];
      /** The records are those of a name that the domain is an alias of. */
      readonly isOfTarget: boolean;
    }
);

/** DOMAIN-6. */
export type CertificateProblem = { readonly name: string; readonly address: string } & (
  | {
      readonly rule: 'certificate-missing';
      /** `default`: the platform has the same certificate for names that it does not know. */
      readonly shown: 'default' | { readonly code: string };
    }
  | { readonly rule: 'certificate-name'; readonly names: readonly string[] }
  | { readonly rule: 'certificate-expired' | 'certificate-not-yet-valid'; readonly at: number }
  | { readonly rule: 'certificate-untrusted'; readonly code: string }
);

/** DOMAIN-7: a redirect. */
export type RedirectProblem = { readonly name: string; readonly url: string; readonly to: string } & (
  | { readonly rule: 'redirect-status'; readonly expected: number; readonly status: number | null }
  | { readonly rule: 'redirect-location'; readonly location: string | null }
);

/** DOMAIN-7 and DOMAIN-8: what is served. */
export type ServingProblem =
  | {
      readonly rule: 'not-served';
      readonly name: string;
      readonly url: string;
      readonly isPrimary: boolean;
      readonly because: NotServed;
    }
  | { readonly rule: 'removed-served'; readonly name: string; readonly url: string; readonly status: number };

/** Why a domain does not serve the project. */
export type NotServed =
  | { readonly kind: 'status'; readonly status: number; readonly expected: number | null }
  | { readonly kind: 'elsewhere'; readonly location: string }
  | { readonly kind: 'loop' | 'default-page' | 'closed' }
  | { readonly kind: 'content'; readonly contains: string };

/** Why a domain has no clear result. Codes are permanent. */
export type DomainReason =
  | { readonly code: 'blocked'; readonly requirement: string }
  /** DNS was changed less than 48 hours ago, or the domain verified less than 30 minutes ago. */
  | { readonly code: 'propagating' | 'issuing'; readonly until: number }
  | { readonly code: 'no-authoritative-server' }
  | { readonly code: 'no-dns-answer'; readonly name: string; readonly why: string }
  | { readonly code: 'addresses-vary' | 'no-address' }
  | { readonly code: 'wildcard'; readonly types: readonly string[] }
  | { readonly code: 'no-connection' | 'timeout'; readonly address: string }
  | { readonly code: 'status'; readonly status: number }
  | { readonly code: 'max-body'; readonly bytes: number }
  | { readonly code: 'no-plan' | 'no-authority' | 'no-subdomain' | 'no-apex' | 'no-removed' };
