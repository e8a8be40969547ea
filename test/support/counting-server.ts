import { createInProcessTransport } from '../../src/http/in-process.ts';
import { createHttpTransport } from '../../src/http/transport.ts';
import type { Plan } from '../../src/openapi/plans.ts';
import { dialects } from '../../src/reference/dialects/index.ts';
import type { KeyGrant } from '../../src/reference/keys.ts';
import type { Patch } from '../../src/reference/patch.ts';
import { compose, replace } from '../../src/reference/patch-kit/core.ts';
import type { Reference } from '../../src/reference/reference.ts';
import type { Target } from '../../src/run/run-deps.ts';
import { handlerOf } from '../../src/selftest/server.ts';
import type { Clock } from '../../src/time/clock.ts';
import type { VirtualClock } from '../../src/time/virtual-clock.ts';
import { serveOnSocket, testReference } from './servers.ts';

/** One request that arrived with a key. Times of the server's clock, in milliseconds. */
export interface Arrival {
  readonly key: string;
  readonly at: number;
  readonly verdict: 'admitted' | 'limited' | 'banned';
  /** When it may be sent again by `Retry-After`; otherwise `at`. */
  readonly retryAt: number;
}

/** Counts of the requests that arrived with keys. */
export interface Count {
  readonly arrivals: readonly Arrival[];
  /** Requests that arrived during the Retry-After of an earlier 429 with the same key. */
  duringRetryAfter(key: string): number;
  refused(key: string): number;
  bans(): number;
  served(key: string): readonly number[];
}

const dialectPatch = (name: string): Patch => {
  const found = dialects.find((dialect) => dialect.name === name);
  if (found === undefined) throw new Error(`There is no dialect ${name}.`);
  return found.patch;
};

interface Counting {
  readonly count: Count;
  readonly patch: Patch;
  /** Resolves when the first request with a key arrives. */
  readonly started: Promise<void>;
}

const createCount = (): Counting => {
  const arrivals: Arrival[] = [];
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const patch = replace('admit', (before) => (call) => {
    const decision = before(call);
    const { verdict, retryAt } = decision;
    if (call.grant !== null) arrivals.push({ key: call.grant.key, at: call.at, verdict, retryAt });
    start();
    return decision;
  });
  const of = (key: string) => arrivals.filter((arrival) => arrival.key === key);
  const count: Count = {
    arrivals,
    duringRetryAfter: (key) => {
      let until = 0;
      let ignored = 0;
      for (const { at, retryAt, verdict } of of(key)) {
        if (at < until) ignored += 1;
        if (verdict !== 'admitted') until = Math.max(until, retryAt);
      }
      return ignored;
    },
    refused: (key) => of(key).filter(({ verdict }) => verdict !== 'admitted').length,
    bans: () => arrivals.filter(({ verdict }) => verdict === 'banned').length,
    served: (key) => of(key).flatMap(({ at, verdict }) => (verdict === 'admitted' ? [at] : [])),
  };
  return { count, patch, started };
};

export const mainKey = 'main-key-of-these-tests';
export const spareKey = 'spare-key-of-these-tests';

/** The plan of a key, or what else it may do. */
type Allowance = Plan | Omit<KeyGrant, 'key'>;

export interface ServerSetup {
  /** What the main key and the rate limit key may do. */
  readonly keys: readonly [main: Allowance, spare?: Allowance | undefined];
  readonly dialects?: readonly string[];
  /** One more patch. */
  readonly patch?: Patch;
  readonly seedPets?: number;
  /** The run knows the plans of the keys. */
  readonly plansKnown?: boolean;
}

const grantsOf = ({ keys: [main, spare] }: ServerSetup): { main: KeyGrant; spare: KeyGrant | null } => {
  const grant = (key: string, allowance: Allowance): KeyGrant =>
    typeof allowance === 'string' ? { key, plan: allowance } : { key, ...allowance };
  return { main: grant(mainKey, main), spare: spare === undefined ? null : grant(spareKey, spare) };
};

const referenceOf = (
  setup: ServerSetup,
  clock: Clock,
): { readonly reference: Reference } & Omit<Counting, 'patch'> => {
  const { count, patch, started } = createCount();
  const { seedPets = 12 } = setup;
  const reference = testReference({
    clock,
    keys: Object.values(grantsOf(setup)).filter((grant) => grant !== null),
    seedPets,
    patches: [compose(...(setup.dialects ?? []).map(dialectPatch)), setup.patch ?? compose(), patch],
  });
  return { reference, count, started };
};

/** Another client with a key: sends a request at every interval, from the first request of the run on. */
type Visit = (key: string, everyMs: number, signal: AbortSignal) => Promise<void>;

const visitOf =
  (fetch: Reference['fetch'], started: Promise<void>, clock: Clock): Visit =>
  async (key, everyMs, signal) => {
    await started;
    while (!signal.aborted) {
      await fetch(new Request('http://localhost/v1/pets', { headers: { authorization: `Bearer ${key}` } }));
      await clock.sleep(everyMs, signal).catch(() => undefined);
    }
  };

const targetOf = (setup: ServerSetup): Pick<Target, 'keys' | 'plans' | 'reference'> => {
  const { main, spare } = grantsOf(setup);
  const { plansKnown = false } = setup;
  return {
    keys: { main: main.key, 'rate-limit': spare?.key ?? null },
    plans: {
      main: plansKnown ? main.plan : null,
      'rate-limit': (plansKnown ? spare?.plan : null) ?? null,
    },
    reference: false,
  };
};

/** A counting server in this process, on a virtual clock. */
export const countingServer = (
  setup: ServerSetup,
  clock: VirtualClock,
  latencyMs = 0,
): { readonly target: Target; readonly count: Count; readonly visit: Visit } => {
  const { reference, count, started } = referenceOf(setup, clock.inside);
  const half = () => (latencyMs === 0 ? Promise.resolve() : clock.inside.sleep(latencyMs / 2));
  const handle = handlerOf(reference);
  const transport = createInProcessTransport(async (request, connection) => {
    await half();
    const response = await handle(request, connection);
    await half();
    return response;
  }, clock);
  return {
    count,
    visit: visitOf(reference.fetch, started, clock),
    target: { ...targetOf(setup), baseUrl: 'http://localhost/v1', transport, close: transport.close },
  };
};

/** A counting server on a loopback socket, in real time. */
export const countingSocket = async (
  setup: ServerSetup,
  clock: Clock,
  concurrency: number,
): Promise<{ readonly target: Target; readonly count: Count; readonly visit: Visit }> => {
  const { reference, count, started } = referenceOf(setup, clock);
  const { baseUrl } = await serveOnSocket(reference);
  const transport = createHttpTransport({ concurrency, clock });
  return {
    count,
    visit: visitOf(reference.fetch, started, clock),
    target: { ...targetOf(setup), baseUrl, transport, close: transport.close },
  };
};
