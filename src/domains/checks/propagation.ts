import type { DnsExchange } from '../../finding/domain-evidence.ts';
import { observation } from '../../finding/finding.ts';
import { propagationSubject, propagationText } from '../../finding/words/dns.ts';
import type { DnsView } from '../dns/observe.ts';
import { about, isAnswered, isAuthoritative, valuesAt } from '../dns/responses.ts';
import type { DomainFinding } from '../finding.ts';

/** DOMAIN-9: whether the resolver already has what an authoritative server has. */
export const observePropagation = (view: DnsView): readonly DomainFinding[] => {
  const { name } = view.domain;
  const types = view.zone.kind === 'apex' ? (['A', 'AAAA'] as const) : (['CNAME'] as const);
  const compared = types.flatMap((type) => {
    const [resolved] = about(view.resolved, name, type).filter(isAnswered);
    const authoritative = about(view.authoritative, name, type).filter(isAuthoritative);
    return resolved === undefined || authoritative.length === 0 ? [] : [{ resolved, authoritative }];
  });
  if (compared.length === 0) return [];
  const different = compared.filter(
    ({ resolved, authoritative }) => !authoritative.some((exchange) => isSame(exchange, resolved)),
  );
  const ttls = different.map(({ resolved }) => ttlOf(resolved));
  const value = propagationText(different.length > 0 ? Math.max(...ttls) : null);
  return [{ ...observation('DOMAIN-9', propagationSubject(name), value), domain: name }];
};

/** Both have nothing, or a value in common: addresses may vary. */
const isSame = (one: DnsExchange, other: DnsExchange): boolean => {
  const { name, type } = one;
  const [values, others] = [one, other].map(({ response }) => valuesAt(response?.answers ?? [], name, type));
  if (values === undefined || others === undefined) return false;
  return values.length === 0 ? others.length === 0 : values.some((value) => others.includes(value));
};

/** How long the resolver keeps a response: its shortest TTL; without answers, that of the SOA record (RFC 2308), which some leave out. */
const ttlOf = ({ response }: DnsExchange): number => {
  const records = response?.answers.length === 0 ? response.authorities : response?.answers;
  const [first = 0, ...others] = (records ?? []).map(({ ttl }) => ttl);
  return Math.min(first, ...others);
};
