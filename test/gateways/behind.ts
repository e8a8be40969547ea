import type { RunSettings } from '../../src/config/settings.ts';
import { listen } from '../../src/reference/listen.ts';
import type { Patch } from '../../src/reference/patch.ts';
import { createReference } from '../../src/reference/reference.ts';
import type { Outcome } from '../../src/run/outcome.ts';
import { systemClock } from '../../src/time/clock.ts';
import { randomFrom } from '../../src/util/random.ts';
import { runInWords } from '../support/run-in-words.ts';
import type { Gateway } from './gateways.ts';
import { startGateway } from './start.ts';

const apiKey = 'main-key-of-these-tests';
export const rateLimitKey = 'spare-key-of-these-tests';

/** Starts a reference server behind a gateway, calls `use`, and ends both. */
export const behind = async <Result>(
  gateway: Gateway,
  patches: readonly Patch[],
  use: (baseUrl: string) => Promise<Result>,
): Promise<Result> => {
  const reference = createReference({
    clock: systemClock,
    random: randomFrom(1),
    keys: [
      { key: apiKey, plan: 'enterprise' },
      // A short window, so that no test waits long for it.
      { key: rateLimitKey, plan: 'enterprise', window: { limit: 30, seconds: 3 } },
    ],
    seedPets: 12,
    patches,
  });
  const server = await listen(reference, { host: '127.0.0.1', port: 0 });
  try {
    const { baseUrl, close } = await startGateway(gateway, Number(new URL(server.baseUrl).port));
    try {
      return await use(baseUrl);
    } finally {
      await close();
    }
  } finally {
    await server.close();
  }
};

/** The outcome of a run in this process, over sockets. */
export const judge = async (baseUrl: string, settings: Partial<RunSettings>): Promise<Outcome> => {
  const { outcome } = await runInWords(
    { seed: null, baseUrl, apiKey, runs: 5, ...settings },
    { clock: systemClock },
  );
  return outcome;
};
