import type { RunSettings } from '../../src/config/settings.ts';
import type { Patch } from '../../src/reference/patch.ts';
import type { Outcome } from '../../src/run/outcome.ts';
import { systemClock } from '../../src/time/clock.ts';
import { runInWords } from '../support/run-in-words.ts';
import { serveOnSocket, testReference } from '../support/servers.ts';
import type { Gateway } from './gateways.ts';
import { startGateway } from './start.ts';

const apiKey = 'main-key-of-these-tests';
export const rateLimitKey = 'spare-key-of-these-tests';

/** Starts a reference server behind a gateway, calls `use`, and ends the gateway. */
export const behind = async <Result>(
  gateway: Gateway,
  patches: readonly Patch[],
  use: (baseUrl: string) => Promise<Result>,
): Promise<Result> => {
  const reference = testReference({
    keys: [
      { key: apiKey, plan: 'enterprise' },
      // A short window, so that no test waits long for it.
      { key: rateLimitKey, plan: 'enterprise', window: { limit: 30, seconds: 3 } },
    ],
    patches,
  });
  const server = await serveOnSocket(reference);
  const { baseUrl, close } = await startGateway(gateway, Number(new URL(server.baseUrl).port));
  try {
    return await use(baseUrl);
  } finally {
    await close();
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
