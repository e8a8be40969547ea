import { resolveSettings } from '../config/resolve.ts';
import { hasVersion } from '../config/rules.ts';
import type { RunSettings } from '../config/settings.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import { faults } from '../reference/faults/index.ts';
import { describeOutcome } from '../report/text/failures.ts';
import type { Failure, Outcome, RequirementResult } from '../run/outcome.ts';
import { runConformance } from '../run/run.ts';
import type { RunDeps } from '../run/wire-up.ts';
import { hashOf } from '../util/hash.ts';
import type { Evidence, Examination, RequirementFinding } from './examination.ts';
import { isKilled, judgeFault } from './judge.ts';
import { type Permission, type Recipe, recipeFor, serve } from './server.ts';
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

const settingsFor = ({ only, budget, seed }: Task, leave: Permission): RunSettings => ({
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
    return (await examineInShort(task, recipe)) ?? (await run(task, recipe));
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: 'broken', task, message };
  }
};

/** A run that takes less than the whole one, where that is enough to tell that a fault is caught; null: it is not. */
const examineInShort = async (task: Task, recipe: Recipe): Promise<Examination | null> => {
  const fault = task.kind === 'fault' ? faults.find(({ name }) => name === task.names[0]) : undefined;
  if (fault === undefined) return null;
  if (task.budget !== null) {
    const examination = await runUntilFailed(fault.requirement, task, recipe);
    // Cut short, a run may not have met what lets the failure stand by itself.
    return isKilled(judgeFault(fault, examination)) || !isCutShort(examination) ? examination : null;
  }
  if (task.thorough) return null;
  const examination = await runInPart(fault.requirement, task, recipe);
  return judgeFault(fault, examination).standing === 'killed' ? examination : null;
};

/** A run that ends with the first failure of a requirement. */
const runUntilFailed = (requirement: string, task: Task, recipe: Recipe): Promise<Examination> => {
  const enough = new AbortController();
  const onFailed = (id: string) => {
    if (id === requirement) enough.abort();
  };
  return run(task, recipe, { onFailed, signal: enough.signal });
};

const isCutShort = (examination: Examination): boolean =>
  examination.kind === 'judged' && examination.exit === 130;

/** One case in so many is made of what does not speak for a requirement, or no longer has to. */
const partOf = 6;

/** All cases that speak for a requirement until it fails, and a part of the others: another one with another seed. */
const runInPart = (requirement: string, task: Task, recipe: Recipe): Promise<Examination> => {
  let hasFailed = false;
  return run(task, recipe, {
    onFailed: (id) => {
      hasFailed ||= id === requirement;
    },
    covers: (check, index) =>
      (!hasFailed && isAbout(check, requirement)) || (hashOf(check.id, task.seed) + index) % partOf === 0,
  });
};

const isAbout = (check: CoveringCheck, requirement: string): boolean =>
  check.requirement === requirement || check.covers?.includes(requirement) === true;

type CoveringCheck = Parameters<NonNullable<RunDeps['covers']>>[0];

interface Extent extends Pick<RunDeps, 'covers'> {
  /** A requirement has failed. */
  onFailed?(requirement: string): void;
  readonly signal?: AbortSignal;
}

/** A run against a new server. */
const run = async (
  task: Task,
  recipe: Recipe,
  { onFailed, signal = new AbortController().signal, ...extent }: Extent = {},
): Promise<Examination> => {
  const { target, clock } = serve(recipe, task.seed);
  const { outcome, exit, redact } = await runConformance(settingsFor(task, recipe.leave), {
    clock,
    watch: (event) => {
      if (event.kind === 'failed') onFailed?.(event.requirement);
    },
    signal,
    random: () => 0.5,
    target,
    isReported: false,
    ...extent,
  });
  return { ...examinationOf(describeOutcome(outcome, redact)), kind: 'judged', task, exit };
};

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
    return id === 'VER-1' && !hasVersion(baseUrl)
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
