import type { RunSettings } from '../config/settings.ts';
import type { KeySlot, Transport } from '../http/exchange.ts';
import type { Plan } from '../openapi/plans.ts';
import type { Clock } from '../time/clock.ts';

/** The server under judgement, and how to reach it. */
export interface Target {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly keys: Readonly<Record<KeySlot, string | null>>;
  readonly plans: Readonly<Record<KeySlot, Plan | null>>;
  /** The built-in reference server. */
  readonly reference: boolean;
  readonly transport: Transport;
  close(): Promise<void>;
}

/** Opens the target that the settings name; without a base URL it starts the reference server on a free loopback port. */
export const openTarget = async (
  settings: RunSettings,
  clock: Clock,
  random: () => number,
): Promise<Target> => {
  const { createHttpTransport } = await import('../http/transport.ts');
  const transport = createHttpTransport({ concurrency: settings.concurrency, clock });
  if (settings.baseUrl !== null) {
    return {
      baseUrl: settings.baseUrl,
      keys: { main: settings.apiKey, 'rate-limit': settings.rateLimitKey },
      plans: { main: settings.plan, 'rate-limit': settings.rateLimitPlan },
      reference: false,
      transport,
      close: () => transport.close(),
    };
  }
  const server = await startReference(clock, random);
  return {
    baseUrl: server.baseUrl,
    keys: { main: server.key, 'rate-limit': null },
    plans: { main: 'business', 'rate-limit': null },
    reference: true,
    transport,
    close: async () => {
      await transport.close();
      await server.close();
    },
  };
};

const startReference = async (clock: Clock, random: () => number) => {
  const { createReference } = await import('../reference/reference.ts');
  const { listen } = await import('../reference/listen.ts');
  const { randomBytes } = await import('node:crypto');
  const key = randomBytes(16).toString('hex');
  const reference = createReference({ clock, random, keys: [{ key, plan: 'business' }], seedPets: 12 });
  const { baseUrl, close } = await listen(reference, { host: '127.0.0.1', port: 0 });
  return { baseUrl, close, key };
};

/** A target on this machine: nobody else is slowed down by what is sent to it. */
export const isLoopback = (baseUrl: string): boolean => {
  const { hostname } = new URL(baseUrl);
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\./.test(hostname)
  );
};
