import { loadCatalogue } from '../openapi/catalogue.ts';
import { packageVersion } from '../openapi/package-root.ts';
import { degenerates } from '../reference/degenerate/index.ts';
import { combination } from '../reference/dialects/combinations.ts';
import { dialects } from '../reference/dialects/index.ts';
import { faults } from '../reference/faults/index.ts';
import { type Examiner, examineAll } from './pool.ts';
import { type Budget, type Judgement, judgementOf, reportOf, type SelfTestReport } from './report.ts';
import { type Offer, tasksFor, type Wanted } from './tasks.ts';

/** All that the self-test has. */
export const offer = { faults, dialects, combination, degenerate: degenerates } satisfies Offer;

export interface SelfTestDeps {
  readonly jobs: number;
  readonly signal: AbortSignal;
  open(): Examiner;
  /** Before the first server is examined. */
  onPlanned(total: number): void;
  /** As they come. */
  onJudged(judgement: Judgement): void;
}

/** Judges every server that is wanted, and puts together what came of it. Rejects with the signal's reason when it is aborted. */
export const runSelfTest = async (
  wanted: Omit<Wanted, 'budgets'> & { readonly budgets: readonly Budget[] },
  { jobs, signal, open, onPlanned, onJudged }: SelfTestDeps,
): Promise<SelfTestReport> => {
  const tasks = tasksFor(offer, { ...wanted, budgets: wanted.budgets.map(({ requests }) => requests) });
  onPlanned(tasks.length);
  const judge = (examination: Parameters<typeof judgementOf>[0]) => judgementOf(examination, offer);
  const examinations = await examineAll(tasks, {
    jobs,
    signal,
    open,
    onExamined: (examination) => onJudged(judge(examination)),
  });
  return reportOf(examinations.map(judge), {
    tool: { name: 'animal-store-conformance', version: packageVersion() },
    seed: wanted.seed,
    requirements: loadCatalogue()
      .filter(({ subject }) => subject === 'server')
      .map(({ id, level, statement }) => ({ id, level, statement })),
    budgets: wanted.budgets,
  });
};
