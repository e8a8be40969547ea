import { suite } from '../../suites/index.ts';
import { resolveSettings } from '../config/resolve.ts';
import { hasVersion } from '../config/rules.ts';
import type { RunSettings } from '../config/settings.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import { faults } from '../reference/faults/index.ts';
import { describeOutcome } from '../report/text/failures.ts';
import type { Failure } from '../run/outcome.ts';
import { runConformance } from '../run/run.ts';
import type { RunDeps } from '../run/run-deps.ts';
import { hashOf } from '../util/hash.ts';
import {
  brokenBy,
  type Evidence,
  type Examination,
  type RequirementFinding,
  untested,
} from './examination.ts';
import { judge } from './judge.ts';
import { type Permission, recipeFor, serve } from './server.ts';
import type { Task } from './tasks.ts';

const catalogue = loadCatalogue().filter(({ subject }) => subject === 'server');

/** What `run` makes of its flags, or why it refuses them. */
const resolve = (flags: Readonly<Record<string, string>>) =>
  resolveSettings({ flags, env: {}, file: [], requirements: catalogue });

/** Without flags, but for its generated cases: every fault must fall to fewer than users take. */
const usual = resolve({ runs: '10' });

const settingsFor = ({ only, budget, seed }: Task, leave: Permission): RunSettings => {
  if (!usual.ok) throw new Error(usual.problems.join('; '));
  const permissions = { exhaustDaily: leave === 'exhaust-daily', allowBan: leave !== 'nothing' };
  return { ...usual.settings, only, budget, seed, ...permissions };
};

/**
 * Judges one server with the very engine of `run`, in this process and on a clock of its own. Never throws: what breaks the engine is
 * told in the examination.
 */
export const examine = async (task: Task): Promise<Examination> => {
  try {
    const { baseUrl } = serve(recipeFor(task), task.seed).target;
    const resolved = resolve({ baseUrl, apiKey: 'some-key' });
    if (!resolved.ok) return refused(task, baseUrl, resolved.problems.join('; '));
    return (await examineInShort(task)) ?? (await run(task));
  } catch (error) {
    return brokenBy(task, error);
  }
};

/** A run that takes less than the whole one, if that is enough to tell that a fault is caught; null: it is not. */
const examineInShort = async (task: Task): Promise<Examination | null> => {
  const fault = task.kind === 'fault' ? faults.find(({ name }) => name === task.names[0]) : undefined;
  if (fault === undefined || (task.budget === null && task.thorough)) return null;
  const onBudget = task.budget !== null;
  const examination = await (onBudget ? runUntilFailed : runInPart)(fault.requirement, task);
  const { standing } = judge(examination);
  if (standing === 'killed') return examination;
  // In a run that ended early, a requirement that this one depends on may have only failed so far, and block it.
  const isComplete = standing === 'imprecise' || examination.exit !== 130;
  return onBudget && isComplete ? examination : null;
};

/** A run that ends with the first failure of a requirement. */
const runUntilFailed = (requirement: string, task: Task): Promise<Examination> => {
  const enough = new AbortController();
  const onFailed = (id: string) => {
    if (id === requirement) enough.abort();
  };
  return run(task, { onFailed, signal: enough.signal });
};

/** One case in so many is made of what does not speak for a requirement, or no longer has to. */
const partOf = 6;

/** All cases that speak for a requirement until it fails, and a part of the others: another one with another seed. */
const runInPart = (requirement: string, task: Task): Promise<Examination> => {
  let hasFailed = false;
  return run(task, {
    onFailed: (id) => {
      hasFailed ||= id === requirement;
    },
    includesCase: (check, index) => {
      const isAbout = check.requirement === requirement || check.covers?.includes(requirement) === true;
      return (!hasFailed && isAbout) || (hashOf(check.id, task.seed) + index) % partOf === 0;
    },
  });
};

interface Extent extends Pick<RunDeps, 'includesCase'> {
  /** A requirement has failed. */
  onFailed?(requirement: string): void;
  readonly signal?: AbortSignal;
}

/** A run against a new server. */
const run = async (
  task: Task,
  { onFailed, signal = new AbortController().signal, ...extent }: Extent = {},
): Promise<Examination> => {
  const recipe = recipeFor(task);
  const { target, clock } = serve(recipe, task.seed);
  const { outcome, exit, context } = await runConformance(settingsFor(task, recipe.leave), {
    clock,
    watch: (event) => {
      if (event.kind === 'failed') onFailed?.(event.requirement);
    },
    signal,
    random: () => 0.5,
    suite,
    target,
    isReported: false,
    ...extent,
  });
  const { verdict, ended, requirements, traffic } = describeOutcome(outcome, context);
  return {
    task,
    exit,
    verdict,
    ended,
    findings: requirements.map(({ id, level, verdict, reason, failures }) => ({
      id,
      level,
      verdict,
      reason,
      evidence: failures.map(evidenceOf),
    })),
    requests: traffic.requests,
    unasked429: traffic.rateLimitedUnasked,
    broken: null,
  };
};

/** A base URL that is refused before anything is sent: VER-1 is breached, and nothing else is judged. */
const refused = (task: Task, baseUrl: string, message: string): Examination => ({
  ...untested,
  task,
  exit: 2,
  ended: message,
  findings: catalogue.map(({ id, level }): RequirementFinding => {
    const breach = { message, request: baseUrl, answer: 'nothing was sent', check: id, seen: 1, tries: 1 };
    return id === 'VER-1' && !hasVersion(baseUrl)
      ? { id, level, verdict: 'failed', reason: null, evidence: [breach] }
      : { id, level, verdict: 'skipped', reason: message, evidence: [] };
  }),
  broken: null,
});

const evidenceOf = ({ message, request, response, actual, check, seen, tries }: Failure): Evidence => ({
  message,
  request: [request.method, request.url.replace(/^.*?\/v1/, ''), request.body ?? ''].join(' ').trimEnd(),
  answer: response === null ? actual : [response.status, response.body ?? ''].join(' ').trimEnd(),
  check,
  seen,
  tries,
});
