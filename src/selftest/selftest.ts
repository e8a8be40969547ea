import { loadCatalogue } from '../openapi/catalogue.ts';
import { packageVersion } from '../openapi/package-root.ts';
import type { Clock } from '../time/clock.ts';
import { testClients } from './clients/test-clients.ts';
import { type JudgedServer, judge } from './judge.ts';
import { type Budget, reportOf, type SelfTestReport } from './report.ts';
import { type SelfTestSelection, tasksFor } from './tasks.ts';
import { testServers } from './workers.ts';

interface SelfTestDeps {
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Called before the first server is tested. */
  onPlanned(total: number): void;
  /** Called for each server when it is done, in no particular order. */
  onJudged(server: JudgedServer): void;
}

/** Tests every selected server, and returns the report. Rejects with the signal's reason if it is aborted. */
export const runSelfTest = async (
  selection: SelfTestSelection & { readonly budgets: readonly Budget[] },
  { onPlanned, onJudged, ...deps }: SelfTestDeps,
): Promise<SelfTestReport> => {
  const tasks = tasksFor(selection);
  onPlanned(tasks.length);
  const servers = await testServers(tasks, { ...deps, onTested: (server) => onJudged(judge(server)) });
  const isWhole = selection.only.length + selection.faults.length + selection.dialects.length === 0;
  const clients = isWhole ? await testClients(selection.seed) : [];
  return reportOf(servers.map(judge), {
    clients,
    tool: { name: 'animal-store-conformance', version: packageVersion() },
    seed: selection.seed,
    requirements: loadCatalogue()
      .filter(({ subject }) => subject !== 'client')
      .map(({ id, level, statement }) => ({ id, level, statement })),
    budgets: selection.budgets,
  });
};
