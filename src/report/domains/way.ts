import type { Verdict } from '../../run/outcome.ts';
import { domainWords as words } from '../text/domains/page.ts';
import type { BrokenAt, DomainEntry, DomainsOutcome } from './outcome.ts';

/** One place on the way from a name to the project. */
export interface Place {
  readonly title: string;
  readonly value: string;
  readonly verdict: Verdict;
  /** The way breaks here. */
  readonly isBroken: boolean;
}

/** The worst verdict of requirements; a domain has not all of them. */
const worstOf = ({ verdicts }: DomainEntry, ...ids: readonly string[]): Verdict => {
  const found = ids.flatMap((id) => verdicts[id] ?? []);
  return (
    (['failed', 'inconclusive', 'passed'] as const).find((verdict) => found.includes(verdict)) ?? 'skipped'
  );
};

/** Name, CNAME chain, platform host, certificate, redirect, primary domain. */
export const wayOf = (entry: DomainEntry, { target, primary, domains }: DomainsOutcome): readonly Place[] => {
  const { name, chain, addresses, certificate, redirect, brokenAt } = entry;
  const dns = worstOf(entry, 'DOMAIN-2', 'DOMAIN-3', 'DOMAIN-4');
  const [, ...aliases] = chain;
  const place = (title: string, value: string, verdict: Verdict, ...at: readonly BrokenAt[]): Place => ({
    ...{ title, value, verdict },
    isBroken: brokenAt !== null && at.includes(brokenAt),
  });
  const links = aliases.filter((alias) => alias !== target.platformHost);
  const end = worstOf(entry, 'DOMAIN-7');
  const isPrimary = name === primary;
  // If only the redirect is wrong, the primary domain may be right.
  const served = domains.find((each) => each.name === primary) ?? entry;
  const last = end === 'failed' ? worstOf(served, 'DOMAIN-7') : end;
  return [
    place(words.places.name, name, dns === 'failed' ? 'failed' : 'passed'),
    ...links.map((alias) => place(words.places.alias, alias, dns)),
    place(words.places.platform, [target.platformHost, ...addresses].join(', '), dns, 'dns'),
    place(
      words.places.certificate,
      words.certificate(certificate),
      worstOf(entry, 'DOMAIN-6'),
      'certificate',
    ),
    ...(redirect === null
      ? // A path of the domain may redirect, too.
        [place(isPrimary ? words.places.primary : words.places.project, name, end, 'primary', 'redirect')]
      : [
          place(words.places.redirect, `${redirect.status} ${redirect.to}`, end, 'redirect'),
          place(words.places.primary, primary, last, ...(isPrimary ? (['primary'] as const) : [])),
        ]),
  ];
};
