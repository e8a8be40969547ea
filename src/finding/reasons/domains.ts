import { timeText } from '../kinds/domains.ts';
import { dnsSilence } from '../words/dns.ts';

interface Until {
  /** Milliseconds since the Unix epoch. */
  readonly until: number;
}

interface OfAddress {
  readonly address: string;
}

/** Why a domain has no clear result. */
export const domains = {
  'blocked domain': ({ requirement }: { readonly requirement: string }): string =>
    `blocked by ${requirement}`,
  propagating: ({ until }: Until): string =>
    `wrong, but DNS changes can take up to 48 hours: wait until ${timeText(until)}`,
  issuing: ({ until }: Until): string =>
    `no certificate yet, usually it takes a couple of minutes: wait until ${timeText(until)}`,
  'no-authoritative-server': 'no authoritative server was found',
  'no-dns-answer': ({ name, why }: { readonly name: string; readonly why: string }): string =>
    `DNS gave no answer about ${name}: ${dnsSilence[why] ?? why}`,
  'addresses-vary': 'the addresses of the domain and of the platform host vary, without one in common so far',
  'no-address': ({ name }: { readonly name: string }): string => `DNS has no address of ${name}`,
  wildcard: ({ types }: { readonly types: readonly string[] }): string =>
    `${types.join(', ')} may be records of a wildcard, or of the name itself`,
  'no-connection': ({ address }: OfAddress): string => `this machine has no route to ${address}`,
  timeout: ({ address }: OfAddress): string => `no response from ${address} in time`,
  status: ({ status }: { readonly status: number }): string =>
    `status ${status} does not show whether the project is served`,
  'max-body page': ({ bytes }: { readonly bytes: number }): string =>
    `the response body was cut at ${bytes} bytes`,
  'no-plan': 'needs --plan',
  'no-authority': 'needs certificateAuthority (--ca)',
  'no-subdomain': 'no domain is a subdomain',
  'no-apex': 'no domain is an apex',
  'no-removed': 'no domain was removed',
};
