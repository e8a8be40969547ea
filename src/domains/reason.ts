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
