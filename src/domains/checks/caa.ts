import type { DnsRecord } from '../../finding/domain-evidence.ts';
import type { CaaOwner } from '../../finding/kinds/domains.ts';
import type { DnsView } from '../dns/observe.ts';
import { chainIn, isAnswered, recordsAlong } from '../dns/responses.ts';
import { breach, type DomainFinding, inconclusive, passed } from '../finding.ts';
import { silenceOf } from './records.ts';

/** Tags that authorities know (RFC 8659 4, and the registry of IANA). */
const knownTags: readonly string[] = [
  ...['issue', 'issuewild', 'iodef'],
  ...['issuemail', 'issuevmc', 'contactemail', 'contactphone'],
];

const label = '[a-z0-9]+(?:-+[a-z0-9]+)*';
const issuerName = new RegExp(`^${label}(?:\\.${label})*$`);
const parameter = new RegExp(`^${label}\\s*=\\s*[\\x21-\\x3a\\x3c-\\x7e]*$`);

/** Returns the authority that an `issue` value names (RFC 8659 4.2). Null: nobody. */
export const issuerOf = (value: string): string | null => {
  // Split, because one pattern for the whole value takes minutes for thousands of spaces.
  const [issuer = '', ...parameters] = value
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  // A semicolon at the end does no harm.
  if (parameters.at(-1) === '') parameters.pop();
  return issuerName.test(issuer) && parameters.every((each) => parameter.test(each)) ? issuer : null;
};

/** DOMAIN-5: the CAA records nearest to the domain, if any, allow an authority to issue. */
export const checkCaa = (
  { domain: { name, target }, zone, caa }: DnsView,
  authorities: readonly string[],
): readonly DomainFinding[] => {
  const of = { requirement: 'DOMAIN-5', domain: name };
  const last = caa.at(-1);
  if (last === undefined || !isAnswered(last)) {
    const why = last === undefined ? 'timeout' : silenceOf(last);
    return [inconclusive(of, { code: 'no-dns-answer', name: last?.name ?? name, why })];
  }
  const records = recordsAlong(last.response.answers, last.name, 'CAA');
  const [at = last.name] = records.map((record) => record.name);
  const critical = records.filter(({ caa: property }) => isUnknownCritical(property));
  const tags = critical.flatMap(({ caa: property }) => property?.tag ?? []);
  const owner = ((): CaaOwner => {
    if (at !== last.name) return chainIn(last.response.answers, target).includes(at) ? 'platform' : 'alias';
    return at === name && zone.kind === 'subdomain' ? 'subdomain' : 'zone';
  })();
  const subject = { name, at, owner };
  const unknown = {
    ...subject,
    rule: 'caa-critical',
    tags,
    values: critical.map(({ value }) => value),
  } as const;
  const values = records.flatMap(({ caa: property }) =>
    property?.tag.toLowerCase() === 'issue' ? [property.value] : [],
  );
  const isAllowed =
    values.length === 0 || values.some((value) => authorities.includes(issuerOf(value) ?? ''));
  const issuer = { ...subject, rule: 'caa-issuer', authorities, values } as const;
  const problems = [...(tags.length > 0 ? [unknown] : []), ...(isAllowed ? [] : [issuer])];
  return problems.length === 0 ? [passed(of)] : problems.map((problem) => breach(of, problem, { dns: caa }));
};

const isUnknownCritical = (property: DnsRecord['caa']): boolean =>
  property?.isCritical === true && !knownTags.includes(property.tag.toLowerCase());
