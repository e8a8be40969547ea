import type { DomainReason } from '../../../domains/reason.ts';
import { timeText } from '../../../finding/kinds/domains.ts';
import { count } from '../units.ts';

export const dnsSilence: Readonly<Record<string, string>> = {
  timeout: 'no response in time',
  refused: 'nothing listens there',
  unreachable: 'this machine has no route to it',
  malformed: 'the response is not DNS',
  lame: 'the servers do not know the zone',
};

const reasons: {
  readonly [C in DomainReason['code']]: (reason: Extract<DomainReason, { code: C }>) => string;
} = {
  blocked: ({ requirement }) => `blocked by ${requirement}`,
  propagating: ({ until }) => `wrong, but DNS changes can take up to 48 hours: wait until ${timeText(until)}`,
  issuing: ({ until }) =>
    `no certificate yet, usually it takes a couple of minutes: wait until ${timeText(until)}`,
  'no-authoritative-server': () => 'no authoritative server was found',
  'no-dns-answer': ({ name, why }) => `DNS gave no answer about ${name}: ${dnsSilence[why] ?? why}`,
  'addresses-vary': () =>
    'the addresses of the domain and of the platform host vary, without one in common so far',
  'no-address': () => 'DNS gives no address to connect to',
  wildcard: ({ types }) => `${types.join(', ')} may be records of a wildcard, or of the name itself`,
  'no-connection': ({ address }) => `this machine has no route to ${address}`,
  timeout: ({ address }) => `no response from ${address} in time`,
  status: ({ status }) => `status ${status} does not show whether the project is served`,
  'max-body': ({ bytes }) => `the response body was cut at ${bytes} bytes`,
  'no-plan': () => 'needs --plan',
  'no-authority': () => 'needs certificateAuthority (--ca)',
  'no-subdomain': () => 'no domain is a subdomain',
  'no-apex': () => 'no domain is an apex',
  'no-removed': () => 'no domain was removed',
};

const reasonIn = <C extends DomainReason['code']>(
  code: C,
  reason: Extract<DomainReason, { code: C }>,
): string => reasons[code](reason);

/** Why there is no clear result, in words. */
export const domainReasonText = (reason: DomainReason): string => reasonIn(reason.code, reason as never);

/** How far a change of DNS has propagated, as the value of an observation. */
export const propagationText = ({
  differs,
  ttl,
}: {
  readonly differs: boolean;
  readonly ttl: number;
}): string =>
  differs
    ? `resolver differs, ${count(ttl)} s of its TTL left`
    : 'resolver agrees with the authoritative servers';

export const propagationSubject = (name: string): string => `propagation of ${name}`;

/** A domain needed so long, as the value of an observation. */
export const waitedText = (seconds: number): string => `right after ${count(seconds)} s of waiting`;

/** Why nothing could be judged. */
export const domainsEnded = {
  silent: 'no DNS server responded: check the resolver, and the network of this machine',
  undecided: 'no response decided anything: each domain has its reasons',
  interrupted: 'interrupted',
} as const;
