import type { RunSettings } from '../config/settings.ts';
import type { RunResult } from '../run/run.ts';
import type { RunDeps, Target } from '../run/run-deps.ts';
import type { Clock } from '../time/clock.ts';

/** Runs all checks against the server that the settings name, or else against the reference server on a free loopback port. */
export const runSuite = async (
  settings: RunSettings,
  deps: Omit<RunDeps, 'suite' | 'target'>,
): Promise<RunResult> => {
  const { runConformance } = await import('../run/run.ts');
  const { suite } = await import('../../suites/index.ts');
  const target = await openTarget(settings, deps.clock, deps.random);
  try {
    return await runConformance(settings, { ...deps, suite, target });
  } finally {
    await target.close();
  }
};

const openTarget = async (settings: RunSettings, clock: Clock, random: () => number): Promise<Target> => {
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
