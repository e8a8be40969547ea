import { count } from '../units.ts';

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
