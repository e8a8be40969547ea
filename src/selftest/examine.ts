import { loadCatalogue } from '../document/catalogue.ts';
import { faults } from '../reference/faults/index.ts';
import type { Failure, Outcome, RequirementResult } from '../run/outcome.ts';
import { type RunResult, runConformance } from '../run/run.ts';
import { resolveSettings } from '../settings/resolve.ts';
import type { RunSettings } from '../settings/settings.ts';
import type { Evidence, Examination, RequirementFinding } from './examination.ts';
import { type Leave, type Recipe, recipeFor, serve } from './server.ts';
import type { Task } from './task.ts';

const catalogue = loadCatalogue().filter(({ subject }) => subject === 'server');

/** What `run` makes of its flags, or why it refuses them. */
const settle = (flags: Readonly<Record<string, string>>) =>
  resolveSettings({ flags, env: {}, file: [], requirements: catalogue });

const settled = settle({ runs: '10' });

/** The settings of a run without flags, but for its generated cases: every fault must fall to fewer than users take. */
const usualSettings = (): RunSettings => {
  if (!settled.ok) throw new Error(settled.problems.join('; '));
  return settled.settings;
};

const settingsFor = ({ only, budget, seed }: Task, leave: Leave): RunSettings => ({
  ...usualSettings(),
  only,
  budget,
  seed,
  exhaustDaily: leave === 'exhaust-daily',
  allowBan: leave !== 'nothing',
});

/**
 * Judges one server with the very engine of `run`, in this process and on a clock of its own. Never throws: what breaks the engine is
 * told in the examination.
 */
export const examine = async (task: Task): Promise<Examination> => {
  try {
    const recipe = recipeFor(task);
    const { baseUrl } = serve(recipe, task.seed).target;
    const refusal = refusalOf(baseUrl);
    if (refusal !== null) return refused(task, baseUrl, refusal);
    const sought = soughtBy(task);
    const short = sought === null ? null : await run(task, recipe, sought);
    // Cut short, a run may not have met what lets the failure stand by itself.
    const stands = short?.outcome.requirements.some(
      ({ id, verdict }) => id === sought && verdict === 'failed',
    );
    const { outcome, exit } = short !== null && stands ? short : await run(task, recipe, null);
    return { ...examinationOf(outcome), kind: 'judged', task, exit };
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: 'broken', task, message };
  }
};

/** A run against a new server; it ends with the first failure of the requirement that is sought. */
const run = (task: Task, recipe: Recipe, sought: string | null): Promise<RunResult> => {
  const { target, clock } = serve(recipe, task.seed);
  const enough = new AbortController();
  return runConformance(settingsFor(task, recipe.leave), {
    clock,
    watch: (event) => {
      if (event.kind === 'failed' && event.requirement === sought) enough.abort();
    },
    signal: enough.signal,
    random: () => 0.5,
    target,
    isReported: false,
  });
};

/** The requirement whose failure is all that is asked of a run on a budget: it ends with that. Null: everything is. */
const soughtBy = ({ kind, names, budget }: Task): string | null =>
  kind === 'fault' && budget !== null
    ? (faults.find(({ name }) => name === names[0])?.requirement ?? null)
    : null;

/** Why `run` refuses this base URL; null: it does not. */
const refusalOf = (baseUrl: string): string | null => {
  const resolved = settle({ baseUrl, apiKey: 'some-key' });
  return resolved.ok ? null : resolved.problems.join('; ');
};

/** A base URL that is refused before anything is sent: VER-1 is breached, and nothing else is judged. */
const refused = (task: Task, baseUrl: string, message: string): Examination => ({
  kind: 'judged',
  task,
  exit: 2,
  verdict: 'not-judged',
  ended: message,
  findings: catalogue.map(({ id, level }): RequirementFinding => {
    const breach = { message, request: baseUrl, answer: 'nothing was sent', check: id, seen: 1, tries: 1 };
    return message.includes(`(${id})`)
      ? { id, level, verdict: 'failed', reason: null, evidence: [breach] }
      : { id, level, verdict: 'skipped', reason: message, evidence: [] };
  }),
  requests: 0,
  unasked429: 0,
});

const examinationOf = ({ verdict, ended, requirements, traffic }: Outcome) => ({
  verdict,
  ended,
  findings: requirements.map(findingOf),
  requests: traffic.requests,
  unasked429: traffic.rateLimitedUnasked,
});

const findingOf = ({ id, level, verdict, reason, failures }: RequirementResult): RequirementFinding => ({
  id,
  level,
  verdict,
  reason,
  evidence: failures.map(evidenceOf),
});

const evidenceOf = ({ message, request, response, actual, check, seen, tries }: Failure): Evidence => ({
  message,
  request: [request.method, request.url.replace(/^.*?\/v1/, ''), request.body ?? ''].join(' ').trimEnd(),
  answer: response === null ? actual : [response.status, response.body ?? ''].join(' ').trimEnd(),
  check,
  seen,
  tries,
});
