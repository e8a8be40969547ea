import { randomBytes } from 'node:crypto';
import { settingsProblems } from '../config/refusals.ts';
import { systemClock } from '../time/clock.ts';
import type { PlanName } from './settings.ts';

/** How the reference server is started. */
export interface ReferenceServerOptions {
  /** 0, the default, picks a free port. */
  readonly port?: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** The valid key. Default: a random one. */
  readonly apiKey?: string;
  /** The plan of the key, which sets its rate limit. Default: business. */
  readonly plan?: PlanName;
  /** A second valid key, of another account. Default: none. */
  readonly rateLimitKey?: string;
  /** The plan of the second key. Default: free. */
  readonly rateLimitPlan?: PlanName;
  /** Animals in the store at first. Default: 12. */
  readonly seedPets?: number;
  /** Names of seeded bugs; `serve --list-faults` lists them. */
  readonly faults?: readonly string[];
  /** Names of permitted variants; `serve --list-dialects` lists them. */
  readonly dialects?: readonly string[];
}

/** A running reference server; what `run` and `conformance` need to test it. */
export interface ReferenceServer {
  /** Ends in /v1. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly plan: PlanName;
  /** Stops the server; open connections are closed. */
  stop(): Promise<void>;
}

const findByName = <Patched extends { readonly name: string }>(
  what: string,
  names: readonly string[],
  all: readonly Patched[],
): readonly Patched[] =>
  names.map((name) => {
    const found = all.find((each) => each.name === name);
    if (found === undefined) throw new Error(settingsProblems.noSuchPatch(what, name));
    return found;
  });

/**
 * Starts the built-in server, which implements the whole interface.
 *
 * @example
 * const server = await startReferenceServer({ faults: ['no-default-limit'] });
 *
 * @throws Error if a fault or dialect does not exist, or the port cannot be used.
 */
export const startReferenceServer = async (
  options: ReferenceServerOptions = {},
): Promise<ReferenceServer> => {
  const { createReference } = await import('../reference/reference.ts');
  const { listen } = await import('../reference/listen.ts');
  const { faults: allFaults } = await import('../reference/faults/index.ts');
  const { dialects: allDialects } = await import('../reference/dialects/index.ts');
  const { plan = 'business', apiKey = randomBytes(16).toString('hex'), rateLimitKey } = options;
  const { rateLimitPlan = 'free', seedPets = 12, faults = [], dialects = [] } = options;
  const second = rateLimitKey === undefined ? [] : [{ key: rateLimitKey, plan: rateLimitPlan }];
  const patches = [
    ...findByName('dialect', dialects, allDialects),
    ...findByName('fault', faults, allFaults),
  ];
  const reference = createReference({
    clock: systemClock,
    random: Math.random,
    keys: [{ key: apiKey, plan }, ...second],
    seedPets,
    patches: patches.map(({ patch }) => patch),
  });
  const { host = '127.0.0.1', port = 0 } = options;
  const { baseUrl, close } = await listen(reference, { host, port });
  return { baseUrl, apiKey, plan, stop: close };
};
