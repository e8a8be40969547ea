import type { ClientSource } from '../api/judge-client.ts';
import { bearerKey, httpAddress, type Parsed, wholeBetween } from '../config/values.ts';
import { type Scenario, scenarioMs } from '../judge/scenarios.ts';
import { judgeProblems } from '../report/text/judge.ts';
import { need, readFlags, refuse } from './flag-values.ts';

/** The options of `judge` as written. */
export interface JudgeFlags {
  readonly scenario?: readonly string[];
  readonly listScenarios?: true;
  readonly parallel: string;
  readonly timeout?: string;
  readonly listen?: true;
  readonly port?: string;
  readonly host?: string;
  readonly key?: string;
  readonly target?: string;
  readonly har?: string;
  readonly reportDir?: string;
  readonly knownFailures?: string;
  readonly strict?: true;
  readonly verbose?: true;
}

/** The settings of `judge` apart from those that `run` has too. A HAR is not read yet. */
export interface JudgeSettings {
  readonly source: Exclude<ClientSource, { kind: 'har' }> | { readonly kind: 'har'; readonly file: string };
  readonly target: string | null;
  readonly key: string | null;
}

const longestTimeoutMs = 86_400_000;
/** The scenario of --listen: requests are served, then the limit is met. */
const defaultListenScenario = 'minute-limit';

/** Returns the settings of `judge`, or the first problem in one sentence that contains no key. */
export const readJudgeFlags = (
  words: readonly string[],
  flags: JudgeFlags,
  scenarios: readonly Scenario[],
): Parsed<JudgeSettings> =>
  readFlags(() => {
    refuseCombinations(words, flags);
    const target = flags.target === undefined ? null : need('--target', httpAddress(flags.target));
    const key = flags.key === undefined ? null : need('--key', bearerKey(flags.key));
    return { target, key, source: sourceOf(words, flags, target, scenarios) };
  });

const refuseCombinations = (
  words: readonly string[],
  { har, listen, scenario, target }: JudgeFlags,
): void => {
  const hasCommand = words.length > 0;
  if (har !== undefined && hasCommand) refuse(judgeProblems.exclusive('--har', 'a command'));
  if (har !== undefined && listen) refuse(judgeProblems.exclusive('--har', '--listen'));
  if (listen && hasCommand) refuse(judgeProblems.exclusive('--listen', 'a command'));
  if (scenario !== undefined && (target ?? har) !== undefined)
    refuse(judgeProblems.exclusive('--scenario', har === undefined ? '--target' : '--har'));
  if (har === undefined && !listen && !hasCommand) refuse(judgeProblems.noClient);
};

const sourceOf = (
  words: readonly string[],
  flags: JudgeFlags,
  target: string | null,
  all: readonly Scenario[],
): JudgeSettings['source'] => {
  const { har, listen, host = '127.0.0.1', scenario: names } = flags;
  const port = flags.port === undefined ? null : need('--port', wholeBetween(0, 65_535)(flags.port));
  const timeoutMs = flags.timeout === undefined ? null : timeoutOf(flags.timeout);
  if (har !== undefined) return { kind: 'har', file: har };
  if (listen || target !== null) {
    const [name = defaultListenScenario, ...more] = names ?? [];
    if (more.length > 0) refuse(judgeProblems.oneScenario);
    return {
      kind: 'server',
      words: words.length > 0 ? words : null,
      scenario: scenarioNamed(name, all),
      target,
      host,
      port: port ?? (listen ? 4010 : 0),
      timeoutMs,
    };
  }
  return {
    kind: 'scenarios',
    words,
    scenarios: names === undefined ? all : names.map((name) => scenarioNamed(name, all)),
    parallel: need('--parallel', wholeBetween(1, 64)(flags.parallel)),
    timeoutMs: timeoutMs ?? scenarioMs,
  };
};

const timeoutOf = (text: string): number => {
  const ms = need('--timeout', wholeBetween(1, longestTimeoutMs)(text));
  return ms < 1000 ? refuse(judgeProblems.shortTimeout(text)) : ms;
};

const scenarioNamed = (name: string, all: readonly Scenario[]): Scenario =>
  all.find((scenario) => scenario.name === name) ??
  refuse(
    judgeProblems.unknownScenario(
      name,
      all.map((scenario) => scenario.name),
    ),
  );
