import type { Json } from '../json/json.ts';

/** The part `stringify` writes `json`; `text` (as UTF-8) and `bytes` are sent unchanged. */
export type ReplyBody = { readonly json: Json } | { readonly text: string } | { readonly bytes: Uint8Array };

/** A response before it is written, so that parts can change it easily. */
export interface Reply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null: no body. */
  readonly body: ReplyBody | null;
}

/** A reply with a JSON body; its media type is added when it is sent. */
export const jsonReply = (status: number, json: Json, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers,
  body: { json },
});

/** A reply with headers set. */
export const withHeaders = (reply: Reply, headers: Reply['headers']): Reply => ({
  ...reply,
  headers: { ...reply.headers, ...headers },
});

/** A reply with a text body of any media type. */
export const textReply = (status: number, mediaType: string, text: string): Reply => ({
  status,
  headers: { 'content-type': mediaType },
  body: { text },
});

/** Thrown by a part to end the connection without a response: `fetch` rejects with it, and a socket is destroyed. */
export class ConnectionDropped extends Error {
  constructor() {
    super('the connection was dropped before a response');
    this.name = 'ConnectionDropped';
  }
}

const withoutBody = new Set([204, 205, 304]);

function encode(body: ReplyBody, stringify: (value: Json) => string): Uint8Array<ArrayBuffer> {
  if ('bytes' in body) return new Uint8Array(body.bytes);
  if ('text' in body) return Buffer.from(body.text);
  return Buffer.from(stringify(body.json));
}

/** A reply with its body as bytes; null: no body. */
export interface WrittenReply {
  readonly status: number;
  readonly headers: Reply['headers'];
  readonly body: Uint8Array<ArrayBuffer> | null;
}

/** Writes the body of a reply, if the method and the status allow one. */
export function writeReply(
  { status, headers, body }: Reply,
  method: string,
  stringify: (value: Json) => string,
): WrittenReply {
  const empty = body === null || method === 'HEAD' || withoutBody.has(status);
  return { status, headers, body: empty ? null : encode(body, stringify) };
}

/** A written reply as a web-standard response. The body goes as bytes, so that no media type is added to it. */
export const toResponse = ({ status, headers, body }: WrittenReply): Response =>
  new Response(body, { status, headers });
