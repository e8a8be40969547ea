import { domainToASCII, domainToUnicode } from 'node:url';
import { getDomain } from 'tldts';

/** RFC 1035 2.3.4. */
const MOST_CHARACTERS = 253;
const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/** Returns a host name in lower case, without a trailing dot, IDN as A-labels. Null: it is not a host name. */
export const hostNameOf = (given: string): string | null => {
  if (/[\s/:@?#\\%*[\]]/.test(given)) return null;
  const name = domainToASCII(given.replace(/[.\u3002]$/, '')).toLowerCase();
  const labels = name.split('.');
  const isHost = labels.every((each) => label.test(each)) && !/^\d+$/.test(labels.at(-1) ?? '');
  return isHost && name.length <= MOST_CHARACTERS ? name : null;
};

/** Returns a name of DNS in the form in which names are compared. */
export const canonicalName = (name: string): string => name.toLowerCase().replace(/\.$/, '');

/** The name and its parents, without the root: `www.shop.example`, `shop.example`, `example`. */
export const withParents = (name: string): readonly string[] => {
  const labels = name.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
};

/** It is registrable below a suffix in the ICANN section of the Public Suffix List. */
export const isRegistrable = (name: string): boolean =>
  getDomain(name, { allowPrivateDomains: false, validateHostname: false }) === name;

/** A name as people write it: IDN in their own letters. */
export const shownName = (name: string): string => domainToUnicode(name) || name;
