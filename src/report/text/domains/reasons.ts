import { count } from '../units.ts';

/** A domain needed so long, as the value of an observation. */
export const waitedText = (seconds: number): string => `right after ${count(seconds)} s of waiting`;

/** Why nothing could be judged. */
export const domainsEnded = {
  silent: 'no DNS server responded: check the resolver, and the network of this machine',
  undecided: 'no response decided anything: each domain has its reasons',
  interrupted: 'interrupted',
} as const;
