import { resolveSettings } from '../src/config/resolve.ts';
import type { Transport } from '../src/http/exchange.ts';
import { createHttpTransport } from '../src/http/transport.ts';
import { loadCatalogue } from '../src/openapi/catalogue.ts';
import { describeOutcome } from '../src/report/text/failures.ts';
import type { Outcome } from '../src/run/outcome.ts';
import { runConformance } from '../src/run/run.ts';
import { systemClock } from '../src/time/clock.ts';
import { suite } from '../suites/index.ts';

/** The server under test. */
export interface Bench {
  readonly baseUrl: string;
  readonly key: string;
}

export const concurrency = 8;

interface Work {
  /** Generated cases per property. */
  readonly runs: number;
  readonly maxCreates: number;
  readonly wrapTransport?: (transport: Transport) => Transport;
  readonly onCase?: () => void;
}

/** Tests the server with the engine of `run`, from the document to the verdicts. */
export const runSuite = async ({ baseUrl, key }: Bench, work: Work): Promise<Outcome> => {
  const { runs, maxCreates, wrapTransport = (transport) => transport, onCase = () => undefined } = work;
  const flags = {
    baseUrl,
    apiKey: key,
    runs: String(runs),
    maxCreates: String(maxCreates),
    concurrency: String(concurrency),
    seed: '1',
  };
  const resolved = resolveSettings({ flags, env: {}, file: [], requirements: loadCatalogue() });
  if (!resolved.ok) throw new Error(resolved.problems.join('; '));
  const transport = wrapTransport(createHttpTransport({ concurrency, clock: systemClock }));
  const close = () => transport.close();
  const { outcome: undescribed, context } = await runConformance(resolved.settings, {
    clock: systemClock,
    watch: () => undefined,
    signal: new AbortController().signal,
    random: Math.random,
    onAttempt: onCase,
    suite,
    target: {
      baseUrl,
      keys: { main: key, 'rate-limit': null },
      plans: { main: 'enterprise', 'rate-limit': null },
      reference: false,
      transport,
      close,
    },
  }).finally(close);
  const outcome = describeOutcome(undescribed, context);
  if (outcome.verdict !== 'conformant')
    throw new Error(`the reference server is ${outcome.verdict}: ${outcome.ended ?? 'see its report'}`);
  return outcome;
};
