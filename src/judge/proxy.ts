import { type Header, headerValues, type Transport } from '../http/exchange.ts';
import { ConnectionDropped } from '../reference/reply.ts';
import type { Responder } from './recorder.ts';

/** Headers of one connection (RFC 9110 7.6.1), or of a coding that is undone on the way. */
const ofConnection: readonly string[] = [
  ...['connection', 'host', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding'],
  ...['upgrade', 'content-length', 'content-encoding', 'accept-encoding', 'expect'],
];

const forwarded = (headers: readonly Header[]): readonly Header[] =>
  headers.filter(([name]) => !ofConnection.includes(name.toLowerCase()));

/** Several lines of one header as one. */
const joined = (headers: readonly Header[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    forwarded(headers).map(([name]) => [
      name.toLowerCase(),
      headerValues(headers, name.toLowerCase()).join(', '),
    ]),
  );

interface Forwarding {
  readonly transport: Transport;
  /** The base address of the real server. */
  readonly target: string;
  /** The path of our own base address. */
  readonly basePath: string;
  readonly timeoutMs: number;
}

/** Forwards requests to a real server, and returns its responses. A connection that fails there fails here. */
export const forwardTo =
  ({ transport, target, basePath, timeoutMs }: Forwarding): Responder =>
  async (_request, wire) => {
    const { pathname, search } = new URL(wire.url);
    const isBelow = pathname === basePath || pathname.startsWith(`${basePath}/`);
    const url = isBelow
      ? `${target}${pathname.slice(basePath.length)}${search}`
      : `${new URL(target).origin}${pathname}${search}`;
    const sent = { method: wire.method, url, headers: forwarded(wire.headers), body: wire.body };
    const result = await transport.send(sent, { timeoutMs });
    if (!result.ok) throw new ConnectionDropped();
    const { status, headers, body } = result.response;
    return {
      status,
      headers: joined(headers),
      body: status === 204 || status === 304 ? null : new Uint8Array(body),
    };
  };
