import fc from 'fast-check';
import { CaseEnded } from '../../src/check/case-ended.ts';
import type { Check, CheckContext } from '../../src/check/check.ts';
import { anyCase } from '../../src/check/check.ts';
import type { CheckName } from '../../src/check/check-name.ts';
import { listPets } from '../../src/check/requests.ts';
import type { RunContext } from '../../src/check/run-context.ts';
import type { Breach, Finding } from '../../src/oracle/finding.ts';
import { createEvidenceLog, type EvidenceLog } from '../../src/run/evidence.ts';
import type { ExchangePipeline } from '../../src/run/exchange-pipeline.ts';
import type { Execution } from '../../src/run/run-case.ts';
import { runCheck } from '../../src/run/run-check.ts';
import { createRunContext } from '../../src/run/run-context.ts';
import type { Clock } from '../../src/time/clock.ts';
import { document, exchangeOf, knowledgeAt, readingOf, today } from './judging.ts';
import { noSettings, nowhere } from './running.ts';

const standingClock: Clock = { now: () => today, sleep: async () => {} };

export const runContextOf = (changes: Partial<RunContext> = {}): RunContext => ({
  ...createRunContext({
    settings: noSettings,
    target: nowhere(),
    seed: 7,
    namePrefix: 'conformance-7-',
    document,
    serverModel: knowledgeAt(),
    creations: { left: 160 },
    initialList: [],
    listedWhole: false,
    counters: {
      movement: () => ({ moved: 'unclear', latest: null }),
      isCounted: () => false,
      isChargedAsSeveral: () => false,
    },
    otherLimit: { mayExplain: () => false },
    client: { isShared: () => false },
  }),
  ...changes,
});

/** What a server without a network does with the number that a request carries: what its answer is found to breach. */
export type Server = (value: number) => readonly Finding[] | 'silent' | 'gone';

export interface Executed {
  /** The numbers that were sent, in order. */
  readonly sent: readonly number[];
  readonly evidenceLog: EvidenceLog;
}

/** A breach of a requirement, seen in some exchange. `form` tells causes apart, `value` does not. */
export const breachOf = (requirement: string, form = 'some form', value = 'that'): Breach => ({
  kind: 'breach',
  requirement,
  problem: { rule: 'header-form', form, value },
  exchange: exchangeOf(listPets({}), {}),
});

const timedOut = (finding: Breach): Finding => ({
  ...finding,
  exchange: {
    ...finding.exchange,
    response: null,
    failure: { kind: 'timeout', message: 'no answer within 10 ms', reused: false },
  },
});

/** A pipeline that hands numbers, sent as `limit`, to a server. */
const sessionTo = (server: Server, sent: number[]): ExchangePipeline => ({
  send: async (probe, attempt) => {
    const value = probe.listing?.limit.kind === 'given' ? probe.listing.limit.value : 0;
    const outcome = server(value);
    if (outcome === 'gone') throw new CaseEnded({ code: 'target-gone', detail: 'gone' });
    sent.push(value);
    attempt.exchanges += 1;
    attempt.sent.push({ probe, exchange: exchangeOf(probe, {}) });
    if (outcome === 'silent') {
      attempt.findings.push(timedOut(breachOf('GEN-4', 'no answer: timeout')));
      throw new CaseEnded({ code: 'no-response' });
    }
    attempt.findings.push(...outcome);
    return readingOf(probe, {});
  },
});

/** Generates the numbers of cases. */
export const numbers = () => fc.nat({ max: 1_000 });

/** A server that keeps to everything. */
export const met: Server = () => [{ kind: 'passed', requirement: 'LIST-3' }];

/** Breaches for every number from `from` on. */
export const failsFrom =
  (from: number): Server =>
  (value) =>
    value >= from ? [breachOf('LIST-3')] : [];

/** Sends the number of each case. */
export const sendNumber = async (value: number, context: CheckContext): Promise<void> => {
  await context.send(listPets({ limit: value }));
};

/** The name of a check, from the text that reports show. */
export const checkNamed = (name: string): CheckName => {
  const [requirement = '', ...title] = name.split(' ');
  return { id: name.toLowerCase().replaceAll(' ', '-'), title: title.join(' '), requirement };
};

/** A check of numbers, unless told otherwise. */
export const checkOf = (changes: Partial<Check<number>> = {}): Check<unknown> =>
  anyCase<number>({
    ...checkNamed('LIST-3 numbers'),
    phase: 'main',
    inputs: () => [1, 2, 3],
    run: sendNumber,
    ...changes,
  });

/** Executes a check against a server. */
export const execute = async (
  check: Check<unknown>,
  server: Server = () => [],
  changes: Partial<Execution> = {},
): Promise<Executed> => {
  const sent: number[] = [];
  const evidenceLog = changes.evidenceLog ?? createEvidenceLog(() => true);
  const runContext = changes.runContext ?? runContextOf();
  await runCheck(check, {
    pipeline: sessionTo(server, sent),
    evidenceLog,
    runContext,
    inputsOf: async (each) => each.inputs(runContext),
    clock: standingClock,
    signal: new AbortController().signal,
    budget: null,
    runs: 20,
    retries: 2,
    shrinkBudget: 60,
    path: null,
    includesCase: () => true,
    onCause: () => {},
    onExchange: () => {},
    ...changes,
  });
  return { sent, evidenceLog };
};
