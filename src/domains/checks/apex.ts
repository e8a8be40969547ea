import type { DnsExchange } from '../../finding/domain-evidence.ts';
import type { DnsView } from '../dns/observe.ts';
import { addressesIn } from '../dns/resolver.ts';
import {
  type Answered,
  about,
  isAnswered,
  isAuthoritative,
  recordsAlong,
  valuesAt,
} from '../dns/responses.ts';
import { breach, type DomainFinding, inconclusive, passed, type Subject } from '../finding.ts';
import { merged, silenceOf, unanswered } from './records.ts';

type View = Pick<DnsView, 'domain' | 'authoritative' | 'target'>;

const families = ['A', 'AAAA'] as const;
type Family = (typeof families)[number];

/** The addresses of one side and one family, in the responses of several rounds. */
interface Seen {
  readonly values: readonly string[];
  /** Not every response had the same. */
  readonly varies: boolean;
}

const seenIn = (rounds: readonly (readonly string[])[]): Seen => ({
  values: [...new Set(rounds.flat())].toSorted(),
  varies: new Set(rounds.map((values) => JSON.stringify(values.toSorted()))).size > 1,
});

/**
 * The addresses of an apex at one server, compared with those of its target. IPv4 and IPv6 are compared apart. `unknown`: the server or the
 * resolver did not answer.
 */
interface Comparison {
  readonly type: Family;
  readonly own: Seen;
  readonly target: Seen;
  readonly result: 'unknown' | 'none' | 'shared' | 'varying' | 'other';
  readonly dns: readonly DnsExchange[];
}

/** For each server that answered, both families. */
const comparisonsOf = (view: View): readonly (readonly Comparison[])[] => {
  const answered = view.authoritative.filter(isAuthoritative);
  const servers = [...new Set(answered.map(({ server }) => server.address))];
  return servers.map((address) => {
    const here = answered.filter(({ server }) => server.address === address);
    return families.map((type) => comparisonOf(type, here, view));
  });
};

const comparisonOf = (
  type: Family,
  here: readonly Answered[],
  { domain: { name, target }, target: asked }: View,
): Comparison => {
  const dns = about(here, name, type);
  const targets = about(asked, target, type).filter(isAnswered);
  const own = seenIn(dns.map(({ response }) => valuesAt(response.answers, name, type)));
  const other = seenIn(
    targets.map(({ response }) => recordsAlong(response.answers, target, type).map(({ value }) => value)),
  );
  const isKnown = dns.length > 0 && (targets.length > 0 || own.values.length === 0);
  const result = isKnown ? compare(own, other) : 'unknown';
  return { type, own, target: other, result, dns: [...dns, ...targets] };
};

const compare = (own: Seen, target: Seen): Comparison['result'] => {
  if (own.values.length === 0) return 'none';
  if (own.values.some((value) => target.values.includes(value))) return 'shared';
  return own.varies && target.varies ? 'varying' : 'other';
};

/** Whether nothing is gained by asking again. */
export const isShared = (view: View): boolean =>
  comparisonsOf(view)
    .flat()
    .every(({ result }) => result === 'none' || result === 'shared');

/** DOMAIN-3: an apex has no CNAME, and shares an address of each family that it has with its target. */
export const checkApex = (view: DnsView): readonly DomainFinding[] => {
  const { name, target } = view.domain;
  const of = { requirement: 'DOMAIN-3', domain: name };
  const aliases = aliasesOf(of, view);
  // An alias has no addresses of its own, so missing addresses are not a second problem.
  const compared = comparisonsOf(view).filter(
    (each) => aliases.length === 0 || each.some(({ result }) => result !== 'none'),
  );
  const breaches = [...aliases, ...compared.flatMap((each) => breachesOf(of, view, each))];
  if (breaches.length > 0) return merged(breaches, view);
  const open = unanswered(of, view, ['CNAME', ...families]);
  if (open !== null) return [open];
  const results = comparisonsOf(view)
    .flat()
    .map(({ result }) => result);
  const [silent] = view.target.filter((exchange) => !isAnswered(exchange));
  if (silent !== undefined && results.includes('unknown'))
    return [inconclusive(of, { code: 'no-dns-answer', name: target, why: silenceOf(silent) })];
  if (results.includes('varying')) return [inconclusive(of, { code: 'addresses-vary' })];
  return [results.includes('other') ? inconclusive(of, { code: 'no-address', name: target }) : passed(of)];
};

const aliasesOf = (
  of: Subject,
  { domain: { name, target }, authoritative }: DnsView,
): readonly DomainFinding[] =>
  about(authoritative, name, 'CNAME')
    .filter(isAuthoritative)
    .flatMap((exchange) => {
      const values = valuesAt(exchange.response.answers, name, 'CNAME');
      const problem = { rule: 'apex-cname', name, target, values } as const;
      return values.length > 0 ? [breach(of, problem, { dns: [exchange] })] : [];
    });

/** What is wrong at one server. A target without any address shows nothing about the apex. */
const breachesOf = (
  of: Subject,
  { domain: { name, target }, target: asked }: DnsView,
  comparisons: readonly Comparison[],
): readonly DomainFinding[] => {
  const dns = comparisons.flatMap((comparison) => comparison.dns);
  if (comparisons.every(({ result }) => result === 'none'))
    return [breach(of, { rule: 'apex-no-address', name, target }, { dns })];
  if (addressesIn(asked, target).length === 0) return [];
  const isPartlyRight = comparisons.some(({ result }) => result === 'shared');
  return comparisons.flatMap((comparison) => {
    const { type, own, result } = comparison;
    if (result !== 'other') return [];
    const targets = comparison.target.values;
    const subject = { rule: 'apex-addresses', name, target, type, isPartlyRight } as const;
    return [breach(of, { ...subject, values: own.values, targets }, { dns: comparison.dns })];
  });
};
