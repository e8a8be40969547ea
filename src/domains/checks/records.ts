import type { DnsExchange, DnsRecord, QueryType } from '../../finding/domain-evidence.ts';
import type { ProblemOf } from '../../finding/problem.ts';
import { conflictingTypes, type DnsView } from '../dns/observe.ts';
import { addressesIn } from '../dns/resolver.ts';
import { about, isAnswered, isAuthoritative, recordsAt, valuesAt } from '../dns/responses.ts';
import { breach, type DomainFinding, inconclusive, passed, type Subject } from '../finding.ts';

const HOUR_MS = 3_600_000;
/** "DNS changes can take up to 48 hours to propagate." */
const PROPAGATION_MS = 48 * HOUR_MS;

/** A failure is inconclusive while a change of DNS may not have reached all servers. */
export const unlessPropagating = (
  findings: readonly DomainFinding[],
  { changed }: DnsView['domain'],
  now: number,
): readonly DomainFinding[] => {
  if (changed === null || now - changed >= PROPAGATION_MS) return findings;
  const reason = { code: 'propagating', until: changed + PROPAGATION_MS } as const;
  return findings.map((finding) =>
    finding.kind === 'breach'
      ? inconclusive({ requirement: finding.requirement, domain: finding.domain }, reason, finding.problem)
      : finding,
  );
};

/**
 * Why no authoritative server answered about one of the types: it was not found, perhaps because the resolver did not answer. Null: all
 * were answered.
 */
export const unanswered = (
  of: Subject,
  { zone, domain: { name }, authoritative, resolved }: DnsView,
  types: readonly QueryType[],
): DomainFinding | null => {
  const asked = types.map((type) => about(authoritative, name, type));
  const silent = asked.find((exchanges) => !exchanges.some((each) => isAuthoritative(each)));
  if (silent === undefined) return null;
  const [first] = zone.servers.length > 0 ? silent : resolved.filter((each) => !isAnswered(each));
  if (first === undefined) return inconclusive(of, { code: 'no-authoritative-server' });
  return inconclusive(of, { code: 'no-dns-answer', name, why: silenceOf(first) });
};

/** Why an exchange says nothing: a failure, a code, or that the server is lame. */
export const silenceOf = ({ failure, response }: DnsExchange): string => {
  if (response === null) return failure ?? 'timeout';
  return response.rcode === 'NOERROR' || response.rcode === 'NXDOMAIN' ? 'lame' : response.rcode;
};

const serversOf = (exchanges: readonly DnsExchange[]): readonly string[] => [
  ...new Set(exchanges.flatMap(({ server }) => (server.recursion ? [] : [server.name]))),
];

/** The breaches of different servers with the same problem are one. */
export const merged = (
  findings: readonly DomainFinding[],
  { authoritative }: Pick<DnsView, 'authoritative'>,
): readonly DomainFinding[] => {
  const byProblem = new Map<string, Extract<DomainFinding, { kind: 'breach' }>>();
  for (const finding of findings) {
    if (finding.kind !== 'breach') continue;
    const key = JSON.stringify(finding.problem);
    const known = byProblem.get(key);
    byProblem.set(key, { ...finding, dns: [...(known?.dns ?? []), ...finding.dns] });
  }
  const found = [...byProblem.values()];
  const wrong = serversOf(found.flatMap(({ dns }) => dns));
  const isSomeRight = wrong.length < serversOf(authoritative.filter(isAuthoritative)).length;
  return isSomeRight ? found.map((each) => ({ ...each, onlyAt: serversOf(each.dns) })) : found;
};

/** DOMAIN-2: each authoritative server has exactly one CNAME at the name, equal to the target. */
export const checkCname = (view: DnsView): readonly DomainFinding[] => {
  const { name, target } = view.domain;
  const of = { requirement: 'DOMAIN-2', domain: name };
  const open = unanswered(of, view, ['CNAME']);
  if (open !== null) return [open];
  const hasAddress =
    addressesIn(view.target, target).length > 0 || !view.target.every((each) => isAnswered(each));
  const answered = about(view.authoritative, name, 'CNAME').filter(isAuthoritative);
  const breaches = answered.flatMap((exchange) => {
    const values = valuesAt(exchange.response.answers, name, 'CNAME');
    const problem = cnameProblem(values, exchange.response.rcode === 'NXDOMAIN', {
      name,
      target,
      hasAddress,
    });
    return problem === null ? [] : [breach(of, problem, { dns: [exchange] })];
  });
  return breaches.length > 0 ? merged(breaches, view) : [passed(of)];
};

const cnameProblem = (
  values: readonly string[],
  isUnknown: boolean,
  subject: Pick<ProblemOf<'cname-value'>, 'name' | 'target' | 'hasAddress'>,
): ProblemOf<'cname-missing' | 'cname-several' | 'cname-value'> | null => {
  const [value] = values;
  if (value === undefined)
    return { ...subject, rule: 'cname-missing', missing: isUnknown ? 'name' : 'cname' };
  if (values.length > 1) return { ...subject, rule: 'cname-several', values: values.toSorted() };
  return value === subject.target ? null : { ...subject, rule: 'cname-value', value };
};

/** DOMAIN-4: no authoritative server has another record at the name. */
export const checkConflicts = (view: DnsView): readonly DomainFinding[] => {
  const { name, target } = view.domain;
  const of = { requirement: 'DOMAIN-4', domain: name };
  const found = view.authoritative.flatMap((exchange) => {
    const records = ownRecords(exchange, view);
    return records.length === 0 ? [] : [{ exchange, records, origin: originOf(view, exchange, records) }];
  });
  const conflicts = found.filter(({ origin }) => origin === 'name');
  if (conflicts.length > 0) {
    const records = conflicts.flatMap((conflict) => conflict.records);
    const distinct = new Map(records.map(({ type, value }) => [`${type} ${value}`, { type, value }]));
    const problem = { rule: 'conflicting-record', name, target, records: [...distinct.values()] } as const;
    return merged([breach(of, problem, { dns: conflicts.map(({ exchange }) => exchange) })], view);
  }
  const open = unanswered(of, view, conflictingTypes);
  if (open !== null) return [open];
  const types = found.filter(({ origin }) => origin === 'unclear').map(({ exchange }) => exchange.type);
  return types.length > 0
    ? [inconclusive(of, { code: 'wildcard', types: [...new Set(types)] })]
    : [passed(of)];
};

/**
 * The records of the type asked for at the name itself. A server delegates a name with NS records in the authority section. That is no
 * conflict if a zone may begin there, whose servers do not answer.
 */
const ownRecords = (
  { type, response }: DnsExchange,
  { domain: { name }, zone }: DnsView,
): readonly DnsRecord[] => {
  if (response === null || type === 'CNAME') return [];
  const { answers, authorities, authoritative } = response;
  if (authoritative) return recordsAt(answers, name, type);
  return type === 'NS' && zone.isKindKnown ? recordsAt(authorities, name, type) : [];
};

/**
 * Whether records are those of the name, or of a wildcard. `unclear`: a wildcard has the same, but the server knows the name itself. Beside
 * a CNAME of the same server, they conflict anyway.
 */
const originOf = (
  { domain: { name }, authoritative, unused }: DnsView,
  { server, type }: DnsExchange,
  records: readonly DnsRecord[],
): 'name' | 'wildcard' | 'unclear' => {
  const isHere = (exchange: DnsExchange) => exchange.server.address === server.address;
  const aliases = about(authoritative, name, 'CNAME').filter(isHere);
  if (aliases.some(({ response }) => recordsAt(response?.answers ?? [], name, 'CNAME').length > 0))
    return 'name';
  const [isBeside, isBelow] = unused
    .filter((each) => isHere(each) && each.type === type)
    .map((each) => {
      const values = valuesAt(each.response?.answers ?? [], each.name, type);
      return values.length > 0 && records.every(({ value }) => values.includes(value));
    });
  if (isBeside !== true) return 'name';
  return isBelow === true ? 'wildcard' : 'unclear';
};
