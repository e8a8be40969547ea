import { pacingOf } from '../rate-limit/pacer-testing.ts';
import { createVirtualClock, type VirtualClock } from '../time/virtual-clock.ts';
import { createClient } from './client.ts';
import type { ClientOptions } from './client-types.ts';
import { bearer } from './credentials.ts';
import type {
  ApiRequest,
  Credential,
  Header,
  Transport,
  TransportFailure,
  TransportResult,
} from './exchange.ts';
import type { WaitReason } from './pacing-types.ts';

export const list = (credential: Credential = bearer('main')): ApiRequest => ({
  operation: 'listPets',
  method: 'GET',
  path: '/pets',
  query: 'limit=1',
  headers: [],
  body: null,
  credential,
});
export const create: ApiRequest = {
  ...list(),
  operation: 'createPet',
  method: 'POST',
  headers: [['Content-Type', 'application/json']],
  body: '{}',
};

export const ok: TransportResult = {
  ok: true,
  reused: false,
  response: { status: 200, headers: [], body: new Uint8Array() },
};
export const status = (code: number, headers: readonly Header[] = []): TransportResult => ({
  ok: true,
  reused: false,
  response: { status: code, headers, body: new Uint8Array() },
});
export const failure = (kind: TransportFailure['kind'], reused = false): TransportResult => ({
  ok: false,
  failure: { kind, detail: { code: 'closed', bodyBytes: null }, reused },
});

export const bench = (transport: (clock: VirtualClock) => Transport, more: Partial<ClientOptions> = {}) => {
  const clock = createVirtualClock(1_790_000_000_000);
  const waits: { reason: WaitReason; untilMs: number }[] = [];
  const client = createClient({
    baseUrl: 'http://target.invalid/v1',
    keys: { main: 'main-key-0001', 'rate-limit': 'other-key-0002' },
    transport: transport(clock),
    clock,
    version: '9.9.9',
    timeoutMs: 10_000,
    concurrency: 8,
    budget: null,
    pacing: pacingOf({}),
    onWait: (_slot, reason, untilMs) => waits.push({ reason, untilMs }),
    ...more,
  });
  return { client, clock, waits };
};

export type Transmitted = Parameters<Transport['send']>;

/** Returns the results in order, then 200. A time-out takes the full time. */
export const scripted =
  (results: readonly TransportResult[], seen: Transmitted[] = []) =>
  (clock: VirtualClock): Transport => {
    let turn = 0;
    return {
      send: async (...sending) => {
        seen.push(sending);
        const result = results[turn++] ?? ok;
        if (!result.ok && result.failure.kind === 'timeout') await clock.sleep(sending[1].timeoutMs);
        return result;
      },
      close: async () => undefined,
    };
  };
