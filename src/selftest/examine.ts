import { loadCatalogue } from '../document/catalogue.ts';
import type { Failure, Outcome, RequirementResult } from '../run/outcome.ts';
import { runConformance } from '../run/run.ts';
import { resolveSettings } from '../settings/resolve.ts';
import type { RunSettings } from '../settings/settings.ts';
import type { Evidence, Examination, RequirementFinding } from './examination.ts';
import { recipeFor, serve } from './server.ts';
import type { Task } from './task.ts';

/** Generated cases per property: fewer than users take, for every fault must fall to few as well. */
const runs = 10;

const usualSettings = (): RunSettings => {
  const resolved = resolveSettings({ flags: {}, env: {}, file: [], requirements: loadCatalogue() });
  if (!resolved.ok) throw new Error(resolved.problems.join('; '));
  return resolved.settings;
};

const settingsFor = (
  { only, budget, seed }: Task,
  leave: 'nothing' | 'rate-limit-key' | 'exhaust-daily',
) => ({
  ...usualSettings(),
  only,
  budget,
  seed,
  runs,
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
    const { target, clock } = serve(recipe, task.seed);
    const { signal } = new AbortController();
    const { outcome, exit } = await runConformance(settingsFor(task, recipe.leave), {
      clock,
      watch: () => {},
      signal,
      random: () => 0.5,
      target,
    });
    return { ...examinationOf(outcome), kind: 'judged', task, exit };
  } catch (error) {
    return {
      kind: 'broken',
      task,
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
};

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
