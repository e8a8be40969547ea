import { type Answer, type DecodedPacket, decode, encode, type Packet, RECURSION_DESIRED } from 'dns-packet';
import type { DnsQuery, DnsRecord, DnsResponse } from '../../finding/domain-evidence.ts';
import { canonicalName } from '../names.ts';

/** What servers may send by UDP; larger packets are often dropped as fragments. */
const UDP_BYTES = 1_232;
/** Characters kept of one value: a TXT record may have 64 KiB. */
const MOST_CHARACTERS = 1_000;

/** `edns`: allow long responses by UDP (RFC 6891). */
export const encodeQuery = (
  { server, name, type }: DnsQuery,
  { id, edns }: { readonly id: number; readonly edns: boolean },
): Buffer => {
  const options = { name: '.', type: 'OPT', udpPayloadSize: UDP_BYTES, flags: 0, options: [] } as const;
  const packet = {
    type: 'query',
    id,
    flags: server.recursion ? RECURSION_DESIRED : 0,
    questions: [{ name, type }],
    ...(edns ? { additionals: [options] } : {}),
  } as const;
  return encode(packet as unknown as Packet);
};

/** A decoded message. `foreign`: it belongs to another query. */
export type Decoded =
  | { readonly kind: 'response'; readonly response: DnsResponse }
  | { readonly kind: 'truncated' | 'foreign' | 'malformed' };

const HEADER_BYTES = 12;
/** TC in the third byte (RFC 1035 4.1.1). */
const TRUNCATED_FLAG = 0x02;

/** Reads the response to a query. Never throws, whatever the bytes are. `mayBeCut`: there is a way to ask for the whole response. */
export const decodeResponse = (
  bytes: Buffer,
  query: DnsQuery,
  { id, mayBeCut }: { readonly id: number; readonly mayBeCut: boolean },
): Decoded => {
  if (bytes.length < HEADER_BYTES || bytes.readUInt16BE(0) !== id) return { kind: 'foreign' };
  // The last record may be cut, so that the rest cannot be decoded.
  if ((bytes.readUInt8(2) & TRUNCATED_FLAG) !== 0 && mayBeCut) return { kind: 'truncated' };
  try {
    const packet = decode(withoutAdditionals(bytes));
    if (!isAbout(packet, query)) return { kind: 'foreign' };
    // The library reads values beyond the end as empty.
    if (!(decode.bytes <= bytes.length)) return { kind: 'malformed' };
    const response = {
      rcode: Reflect.get(packet, 'rcode'),
      authoritative: packet.flag_aa,
      answers: recordsOf(packet.answers ?? []),
      authorities: recordsOf(packet.authorities ?? []),
    };
    return { kind: 'response', response };
  } catch {
    return { kind: 'malformed' };
  }
};

/** Nothing is read from the additional section, so what is malformed there does not matter. */
const withoutAdditionals = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes);
  copy.writeUInt16BE(0, 10);
  return copy;
};

/** Servers that refuse a query may leave out the question. */
const isAbout = ({ type, questions = [], ...packet }: DecodedPacket, query: DnsQuery): boolean => {
  const [question] = questions;
  if (type !== 'response') return false;
  if (question === undefined) return Reflect.get(packet, 'rcode') !== 'NOERROR';
  return canonicalName(question.name) === query.name && question.type === query.type;
};

const recordsOf = (answers: readonly Answer[]): readonly DnsRecord[] =>
  answers.flatMap((answer) => ('class' in answer && answer.class === 'IN' ? [recordOf(answer)] : []));

const recordOf = (answer: Exclude<Answer, { type: 'OPT' }>): DnsRecord => ({
  name: canonicalName(answer.name),
  ttl: 'ttl' in answer ? (answer.ttl ?? 0) : 0,
  type: answer.type,
  value: textOf(answer).slice(0, MOST_CHARACTERS),
  caa:
    answer.type === 'CAA'
      ? { isCritical: answer.data.issuerCritical ?? false, tag: answer.data.tag, value: answer.data.value }
      : null,
});

const textOf = (answer: Exclude<Answer, { type: 'OPT' }>): string => {
  switch (answer.type) {
    case 'A':
    case 'AAAA':
      return answer.data;
    case 'CNAME':
    case 'NS':
    case 'PTR':
    case 'DNAME':
      return canonicalName(answer.data);
    case 'MX':
      return `${answer.data.preference ?? 0} ${canonicalName(answer.data.exchange)}`;
    case 'SRV': {
      const { priority = 0, weight = 0, port, target } = answer.data;
      return `${priority} ${weight} ${port} ${canonicalName(target)}`;
    }
    case 'CAA':
      return `${answer.data.flags ?? 0} ${answer.data.tag} ${JSON.stringify(answer.data.value)}`;
    case 'SOA':
      return `${canonicalName(answer.data.mname)} ${canonicalName(answer.data.rname)} ${answer.data.serial ?? 0}`;
    case 'TXT':
      return textsOf(answer.data)
        .map((text) => JSON.stringify(text))
        .join(' ');
    default:
      return '';
  }
};

const textsOf = (data: unknown): readonly string[] =>
  [data].flat().map((part) => (Buffer.isBuffer(part) ? part.toString('utf8') : String(part)));
