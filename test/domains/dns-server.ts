import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  type DecodedPacket,
  decode,
  encode,
  TRUNCATED_RESPONSE,
} from 'dns-packet';
import type { DnsRecord, DnsResponse } from '../../src/finding/domain-evidence.ts';

const rcodes: Readonly<Record<string, number>> = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
};

const dataOf = ({ type, value, caa }: DnsRecord): unknown => {
  const [first = '', second = '', third = '', fourth = ''] = value.split(' ');
  if (caa !== null) return { flags: caa.isCritical ? 128 : 0, tag: caa.tag, value: caa.value };
  if (type === 'MX') return { preference: Number(first), exchange: second };
  if (type === 'SRV')
    return { priority: Number(first), weight: Number(second), port: Number(third), target: fourth };
  if (type === 'SOA')
    return { mname: first, rname: second, serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 300 };
  return type === 'TXT' ? value.replaceAll('"', '') : value;
};

/** DNSSEC records of a world have no value. */
const answersOf = (records: readonly DnsRecord[]): Answer[] =>
  records
    .filter(({ type }) => !['RRSIG', 'NSEC'].includes(type))
    .map(
      (record) =>
        ({
          name: record.name,
          type: record.type,
          ttl: record.ttl,
          class: 'IN',
          data: dataOf(record),
        }) as Answer,
    );

/** The bytes of a response to a query. */
export const responseBytes = (
  { id, questions }: DecodedPacket,
  response: DnsResponse,
  truncated = false,
): Buffer => {
  const flags = (response.authoritative ? AUTHORITATIVE_ANSWER : 0) | (truncated ? TRUNCATED_RESPONSE : 0);
  return encode({
    type: 'response',
    id,
    flags: flags | (rcodes[response.rcode] ?? 0),
    questions,
    answers: truncated ? [] : answersOf(response.answers),
    authorities: truncated ? [] : answersOf(response.authorities),
  });
};

/** Returns the packets to send; empty: silence. */
export type Respond = (query: DecodedPacket, transport: 'udp' | 'tcp') => readonly Buffer[];

/** Starts a DNS server for UDP and TCP. */
export const startDns = async (address: string, port: number, respond: Respond) => {
  const udp = createSocket('udp4');
  udp.on('message', (message, from) => {
    for (const bytes of respond(decode(message), 'udp')) udp.send(bytes, from.port, from.address);
  });
  const tcp = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      for (const bytes of respond(decode(data.subarray(2)), 'tcp')) {
        const length = Buffer.alloc(2);
        length.writeUInt16BE(Math.min(bytes.length, 0xffff));
        socket.write(Buffer.concat([length, bytes]));
      }
    });
  });
  await new Promise<void>((resolve, reject) => tcp.once('error', reject).listen(port, address, resolve));
  const { port: bound } = tcp.address() as { port: number };
  await new Promise<void>((resolve, reject) => {
    udp.once('error', reject);
    udp.bind(bound, address, resolve);
  });
  return {
    port: bound,
    close: async () => {
      udp.close();
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
};
