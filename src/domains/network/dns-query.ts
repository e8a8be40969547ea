import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import type { DnsExchange, DnsFailure, DnsQuery } from '../../finding/domain-evidence.ts';
import { type Decoded, decodeResponse, encodeQuery } from './dns-message.ts';

interface Sending {
  readonly timeoutMs: number;
  readonly edns: boolean;
}

type Received = Pick<DnsExchange, 'response' | 'failure'> & { readonly isTruncated: boolean };

const failed = (failure: DnsFailure): Received => ({ response: null, failure, isTruncated: false });

const receivedOf = (decoded: Decoded): Received => {
  if (decoded.kind === 'response') return { response: decoded.response, failure: null, isTruncated: false };
  return { ...failed('malformed'), isTruncated: decoded.kind === 'truncated' };
};

const refusals: readonly string[] = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'];

const failureOf = ({ code = '' }: NodeJS.ErrnoException): DnsFailure =>
  refusals.includes(code) ? 'refused' : 'unreachable';

/** Codes of servers that do not know EDNS, or not its version (RFC 6891 7). */
const withoutEdns: readonly string[] = ['FORMERR', 'NOTIMP'];

/** Asks a server by UDP, and by TCP if the response is truncated. Each takes at most `timeoutMs`. */
export const askServer = async (query: DnsQuery, timeoutMs: number): Promise<DnsExchange> => {
  const first = await byUdp(query, { timeoutMs, edns: true });
  const edns = !withoutEdns.includes(first.response?.rcode ?? '');
  const udp = edns ? first : await byUdp(query, { timeoutMs, edns });
  const { response, failure } = udp.isTruncated ? await byTcp(query, { timeoutMs, edns }) : udp;
  return { ...query, transport: udp.isTruncated ? 'tcp' : 'udp', response, failure };
};

/** The number of times that a packet is sent, because a single one may get lost. */
const SENDINGS = 3;

const byUdp = (query: DnsQuery, { timeoutMs, edns }: Sending): Promise<Received> =>
  new Promise((resolve) => {
    const { address, port } = query.server;
    const id = randomInt(0x10000);
    const bytes = encodeQuery(query, { id, edns });
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    // Sockets need real time, so there is no clock parameter.
    const again = setInterval(() => send(), Math.max(1, timeoutMs / SENDINGS));
    const end = setTimeout(() => settle(failed('timeout')), timeoutMs);
    const settle = (received: Received): void => {
      clearInterval(again);
      clearTimeout(end);
      socket.close();
      socket.removeAllListeners();
      socket.on('error', () => undefined);
      resolve(received);
    };
    let isConnected = false;
    const send = (): void => {
      if (isConnected) socket.send(bytes);
    };
    socket.on('error', (error) => settle(failed(failureOf(error))));
    socket.on('message', (message) => {
      const decoded = decodeResponse(message, query, { id, mayBeCut: true });
      // Anybody may send a packet with a wrong id: the response may still come.
      if (decoded.kind !== 'foreign') settle(receivedOf(decoded));
    });
    // A connected socket receives nothing from other addresses, and reports if nobody listens.
    socket.on('connect', () => {
      isConnected = true;
      send();
    });
    socket.connect(port, address);
  });

const LENGTH_BYTES = 2;

const byTcp = (query: DnsQuery, { timeoutMs, edns }: Sending): Promise<Received> =>
  new Promise((resolve) => {
    const { address, port } = query.server;
    const id = randomInt(0x10000);
    const socket = connect({ host: address, port });
    const end = setTimeout(() => settle(failed('timeout')), timeoutMs);
    const settle = (received: Received): void => {
      clearTimeout(end);
      socket.destroy();
      resolve(received);
    };
    const pieces: Buffer[] = [];
    let received = 0;
    let wanted = LENGTH_BYTES;
    socket.on('error', (error) => settle(failed(failureOf(error))));
    socket.on('close', () => settle(failed('malformed')));
    socket.on('connect', () => {
      const bytes = encodeQuery(query, { id, edns });
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt16BE(bytes.length);
      socket.write(Buffer.concat([length, bytes]));
    });
    socket.on('data', (piece: Buffer) => {
      pieces.push(piece);
      received += piece.length;
      if (received < wanted) return;
      const bytes = Buffer.concat(pieces);
      wanted = LENGTH_BYTES + bytes.readUInt16BE(0);
      if (received < wanted) return;
      const decoded = decodeResponse(bytes.subarray(LENGTH_BYTES, wanted), query, { id, mayBeCut: false });
      settle(receivedOf(decoded));
    });
  });
