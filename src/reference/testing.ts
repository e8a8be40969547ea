import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { parseJson } from '../json/parse.ts';
import type { KeyGrant } from './keys.ts';
import type { Patch } from './patch.ts';
import { createReference } from './reference.ts';

/** A server on a clock that tests move. */
export interface TestServer {
  now: number;
  send(method: string, path: string, options?: TestRequestOptions): Promise<TestResponse>;
  get(path: string, options?: TestRequestOptions): Promise<TestResponse>;
  create(body: string, options?: TestRequestOptions): Promise<TestResponse>;
  /** Sends GET /pets this many times, one after the other. */
  burst(count: number, options?: TestRequestOptions): Promise<TestResponse[]>;
}

export interface TestRequestOptions {
  /** Null: no Authorization header. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | null;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** With exact integers; null: the body is not JSON. */
  readonly json: Json;
}

export const testKeys: readonly KeyGrant[] = [
  { key: 'key-free', plan: 'free' },
  { key: 'key-business', plan: 'business' },
  { key: 'key-tiny', plan: 'pro', window: { limit: 3, seconds: 10 } },
];

export interface TestOptions {
  readonly patches?: readonly Patch[];
  readonly seedPets?: number;
  readonly now?: string;
  readonly keys?: readonly KeyGrant[];
}

/** A server whose clock only moves if a test sets `now`, or by sleeping. The default key is `key-business`. */
export function testServer(options: TestOptions = {}): TestServer {
  const state = { now: Date.parse(options.now ?? '2026-03-01T12:00:00Z') };
  const clock = {
    now: () => state.now,
    sleep: async (ms: number) => {
      state.now += ms;
    },
  };
  const { patches = [], seedPets = 0, keys = testKeys } = options;
  const reference = createReference({ clock, keys, random: () => 0.5, seedPets, patches });
  const send = async (method: string, path: string, sent: TestRequestOptions = {}): Promise<TestResponse> => {
    const key = sent.key === undefined ? 'key-business' : sent.key;
    const headers = { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...sent.headers };
    const { body = null } = sent;
    const request = new Request(`http://localhost/v1${path}`, { method, headers, body, duplex: 'half' });
    return read(await reference.fetch(request));
  };
  const get = (path: string, sent?: TestRequestOptions) => send('GET', path, sent);
  return Object.assign(state, {
    send,
    get,
    create: (body: string, sent?: TestRequestOptions) => send('POST', '/pets', { ...sent, body }),
    burst: async (count: number, sent?: TestRequestOptions) => {
      const responses: TestResponse[] = [];
      for (let left = count; left > 0; left -= 1) responses.push(await get('/pets', sent));
      return responses;
    },
  });
}

async function read(response: Response): Promise<TestResponse> {
  const text = await response.text();
  const parsed = parseJson(text);
  return { status: response.status, headers: response.headers, text, json: parsed.ok ? parsed.value : null };
}

/** The body as an object; empty if it is not one. */
export const fieldsOf = ({ json }: TestResponse): JsonObject => (isJsonObject(json) ? json : {});
