import { suite } from '../../suites/index.ts';
import { resolveSettings } from '../config/resolve.ts';
import { hasVersion } from '../config/rules.ts';
import type { RunSettings } from '../config/settings.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import { faults } from '../reference/faults/index.ts';
import { describeOutcome } from '../report/text/failures.ts';
import { testProblems } from '../report/text/selftest.ts';
import { isOfServer, type ServerFailure } from '../run/outcome.ts';
import { runConformance } from '../run/run.ts';
import type { RunDeps } from '../run/run-deps.ts';
import { hashOf } from '../util/hash.ts';
import { judge } from './judge.ts';
import { type Permission, serve, setupFor } from './server.ts';
import type { Task } from './tasks.ts';
import { patchOf, testWorld } from './test-world.ts';
import {
  brokenBy,
  type RequirementFinding,
  type SeenFailure,
  type TestedServer,
  untested,
} from './tested-server.ts';

const catalogue = loadCatalogue().filter(({ subject }) => subject === 'server');

/** The settings of `run` from these flags, or why it rejects the flags. */
const resolve = (flags: Readonly<Record<string, string>>) =>
  resolveSettings({ flags, env: {}, file: [], requirements: catalogue });

/** The default settings, with fewer generated cases than users have: these must kill every fault. */
const usual = resolve({ runs: '10' });

const settingsFor = ({ only, budget, seed }: Task, permission: Permission): RunSettings => {
  if (!usual.ok) throw new Error(usual.problems.join('; '));
  const permissions = { exhaustDaily: permission === 'exhaust-daily', allowBan: permission !== 'nothing' };
  return { ...usual.settings, only, budget, seed, ...permissions };
};

/**
 * Tests one server with the code of `run`, in this process and on a clock of its own. Never throws: the result reports an error of
 * the suite.
 */
export const testServer = async (task: Task): Promise<TestedServer> => {
  try {
    const patch = patchOf(task);
    if (patch !== null) return await testWorld(task, patch);
    const { baseUrl } = serve(setupFor(task), task.seed).target;
    const resolved = resolve({ baseUrl, apiKey: 'some-key' });
    if (!resolved.ok) return rejected(task, baseUrl, resolved.problems.join('; '));
    return (await testInShort(task)) ?? (await run(task));
  } catch (error) {
    return brokenBy(task, error);
  }
};

/** A shorter run, if it is enough to kill the fault; null: it is not. */
const testInShort = async (task: Task): Promise<TestedServer | null> => {
  const fault = task.kind === 'fault' ? faults.find(({ name }) => name === task.names[0]) : undefined;
  if (fault === undefined || (task.budget === null && task.thorough)) return null;
  const onBudget = task.budget !== null;
  const server = await (onBudget ? runUntilFailed : runInPart)(fault.requirement, task);
  const { result } = judge(server);
  if (result === 'killed') return server;
  // In a run that ended early, a requirement that this one depends on may have only failed so far, and block it.
  const isComplete = result === 'imprecise' || server.exit !== 130;
  return onBudget && isComplete ? server : null;
};

/** A run that ends with the first failure of a requirement. */
const runUntilFailed = (requirement: string, task: Task): Promise<TestedServer> => {
  const enough = new AbortController();
  const onFailed = (id: string) => {
    if (id === requirement) enough.abort();
  };
  return run(task, { onFailed, signal: enough.signal });
};

/** One in this many cases runs, if it gives no evidence on the requirement or the requirement has failed. */
const partOf = 6;

/** Runs all cases that give evidence on a requirement until it fails, and a part of the others. The part depends on the seed. */
const runInPart = (requirement: string, task: Task): Promise<TestedServer> => {
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
): Promise<TestedServer> => {
  const setup = setupFor(task);
  const { target, clock } = serve(setup, task.seed);
  const { outcome, exit, context } = await runConformance(settingsFor(task, setup.permission), {
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
      evidence: failures.filter(isOfServer).map(evidenceOf),
    })),
    requests: traffic.requests,
    unexpected429s: traffic.rateLimitedUnasked,
    broken: null,
  };
};

/** The result for a base URL that `run` rejects before it sends anything: VER-1 fails, and nothing else is tested. */
const rejected = (task: Task, baseUrl: string, message: string): TestedServer => ({
  ...untested,
  task,
  exit: 2,
  ended: message,
  findings: catalogue.map(({ id, level }): RequirementFinding => {
    const breach = {
      message,
      request: baseUrl,
      response: testProblems.nothingSent,
      check: id,
      seen: 1,
      tries: 1,
    };
    return id === 'VER-1' && !hasVersion(baseUrl)
      ? { id, level, verdict: 'failed', reason: null, evidence: [breach] }
      : { id, level, verdict: 'skipped', reason: message, evidence: [] };
  }),
  broken: null,
});

const evidenceOf = ({
  message,
  request,
  response,
  actual,
  check,
  seen,
  tries,
}: ServerFailure): SeenFailure => ({
  message,
  request: [request.method, request.url.replace(/^.*?\/v1/, ''), request.body ?? ''].join(' ').trimEnd(),
  response: response === null ? actual : [response.status, response.body ?? ''].join(' ').trimEnd(),
  check,
  seen,
  tries,
});
