import type { DnsExchange, DnsRecord, DnsResponse, QueryType } from '../../finding/domain-evidence.ts';

/** An exchange whose response says what the name has, or that it has nothing. */
export interface Answered extends DnsExchange {
  readonly response: DnsResponse;
}

const decisive: readonly string[] = ['NOERROR', 'NXDOMAIN'];

/** The server said what it knows. It did not refuse, fail, or stay silent. */
export const isAnswered = (exchange: DnsExchange): exchange is Answered =>
  exchange.response !== null && decisive.includes(exchange.response.rcode);

/** The server answered from its own zone. A lame server knows nothing of the zone. */
export const isAuthoritative = (exchange: DnsExchange): exchange is Answered =>
  isAnswered(exchange) && exchange.response.authoritative;

/** The records of a type at a name itself, each once. */
export const recordsAt = (
  records: readonly DnsRecord[],
  name: string,
  type: QueryType,
): readonly DnsRecord[] => {
  const own = records.filter((record) => record.name === name && record.type === type);
  return [...new Map(own.map((record) => [record.value, record])).values()];
};

/** The values of the records of a type at a name itself. */
export const valuesAt = (records: readonly DnsRecord[], name: string, type: QueryType): readonly string[] =>
  recordsAt(records, name, type).map(({ value }) => value);

/** The name and the names that it is an alias of. It ends before a name repeats. */
export const chainIn = (records: readonly DnsRecord[], name: string): readonly string[] => {
  const targets = new Map<string, string>();
  for (const record of records)
    if (record.type === 'CNAME' && !targets.has(record.name)) targets.set(record.name, record.value);
  const chain = new Set([name]);
  for (let next = targets.get(name); next !== undefined && !chain.has(next); next = targets.get(next))
    chain.add(next);
  return [...chain];
};

/** The records of a type at a name, or at the names that it is an alias of. */
export const recordsAlong = (
  records: readonly DnsRecord[],
  name: string,
  type: QueryType,
): readonly DnsRecord[] => {
  const chain = chainIn(records, name);
  return chain.map((each) => recordsAt(records, each, type)).find((found) => found.length > 0) ?? [];
};

/** The exchanges about a name and a type. */
export const about = <Each extends DnsExchange>(
  exchanges: readonly Each[],
  name: string,
  type: QueryType,
): readonly Each[] => exchanges.filter((exchange) => exchange.name === name && exchange.type === type);

/** The answers of exchanges that have some. */
export const answersOf = (exchanges: readonly DnsExchange[]): readonly DnsRecord[] =>
  exchanges.filter(isAnswered).flatMap(({ response }) => response.answers);
