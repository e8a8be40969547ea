import type { RunSettings } from '../config/settings.ts';
import type { ClientCertificate } from '../http/tls.ts';
import type { ReportContext } from '../run/found-outcome.ts';
import type { Observation, Outcome, RequirementResult, ServerFailure } from '../run/outcome.ts';
import type { RunResult } from '../run/run.ts';
import type { RunDeps, Target } from '../run/run-deps.ts';
import { type Clock, systemClock } from '../time/clock.ts';

/** What `runSuite` needs besides the settings. Defaults: the system clock, `Math.random`, and no progress listener. */
export interface SuiteDeps
  extends Omit<RunDeps, 'suite' | 'target' | 'clock' | 'random' | 'watch' | 'onDecided'>,
    Partial<Pick<RunDeps, 'clock' | 'random' | 'watch'>> {
  /** The certificate of --client-cert; absent: none. */
  readonly certificate?: ClientCertificate | null;
  /** A reference server that is running already; absent: one is started if the settings name no server. */
  readonly reference?: ReferenceAt;
  /** The command that starts a run, for commands that repeat a failure. */
  readonly command?: string;
  /** Called once for each result, as soon as it is certain, with the observations of the requirement. */
  readonly onDecided?: (result: RequirementResult, observations: readonly Observation[]) => void;
}

/** Where a reference server is, and its key. */
export interface ReferenceAt {
  readonly baseUrl: string;
  readonly key: string;
}

/** The outcome of a run, with its texts, and its exit code. */
export interface SuiteResult extends Pick<RunResult, 'exit'> {
  readonly outcome: Outcome<ServerFailure>;
}

/** Runs all checks against the server of the settings, otherwise against the reference server on a free loopback port. */
export const runSuite = async (
  settings: RunSettings,
  { onDecided, command, certificate = null, reference, ...given }: SuiteDeps,
): Promise<SuiteResult> => {
  const { runConformance } = await import('../run/run.ts');
  const { suite } = await import('../../suites/index.ts');
  const { describeOutcome, describeResult } = await import('../report/text/failures.ts');
  const deps = { clock: systemClock, random: Math.random, watch: () => {}, ...given };
  const withCommand = (context: ReportContext) => (command === undefined ? context : { ...context, command });
  const target = await openTarget(settings, { ...deps, certificate, ...(reference && { reference }) });
  try {
    const { outcome, exit, context } = await runConformance(settings, {
      ...deps,
      suite,
      target,
      ...(onDecided && {
        onDecided: (result, observations, found) =>
          onDecided(describeResult(result, withCommand(found)), observations),
      }),
    });
    return { outcome: describeOutcome(outcome, withCommand(context)), exit };
  } finally {
    await target.close();
  }
};

/** Opens the server of the settings, otherwise a reference server. */
export const openTarget = async (
  settings: RunSettings,
  {
    clock,
    random,
    certificate,
    reference,
  }: Required<Pick<SuiteDeps, 'clock' | 'random' | 'certificate'>> & Pick<SuiteDeps, 'reference'>,
): Promise<Target> => {
  const { createHttpTransport } = await import('../http/transport.ts');
  const transport = createHttpTransport({ concurrency: settings.concurrency, clock, certificate });
  if (settings.baseUrl !== null) {
    return {
      baseUrl: settings.baseUrl,
      keys: { main: settings.apiKey, 'rate-limit': settings.rateLimitKey },
      headers: settings.headers.map(({ name, value }) => [name, value]),
      plans: { main: settings.plan, 'rate-limit': settings.rateLimitPlan },
      reference: false,
      transport,
      close: () => transport.close(),
    };
  }
  const server = reference
    ? { ...reference, close: async () => undefined }
    : await startReference(clock, random);
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
