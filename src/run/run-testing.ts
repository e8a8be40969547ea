import fc from 'fast-check';
import {
  breachOf,
  checkNamed,
  document,
  exchangeOf,
  noSettings,
  nowhere,
  parsedResponse,
  runContextOf,
  today,
} from '../../test/support/build.ts';
import { CaseSkipped } from '../check/case-skipped.ts';
import { type Check, defineCheck } from '../check/check.ts';
import type { CheckContext } from '../check/context.ts';
import { listPets } from '../check/requests.ts';
import type { RunSettings } from '../config/settings.ts';
import type { Breach, Finding } from '../finding/finding.ts';
import { createClient } from '../http/client.ts';
import { noResponseSecrets } from '../http/response-secrets.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import { pacingOf } from '../rate-limit/pacer-testing.ts';
import { createTimeline } from '../rate-limit/timeline.ts';
import type { Clock } from '../time/clock.ts';
import { buildOutcome, type OutcomeInput } from './build-outcome.ts';
import { createCreationAllowance } from './creation-allowance.ts';
import { createEvidenceLog, type EvidenceLog } from './evidence.ts';
import type { ExchangePipeline } from './exchange-pipeline.ts';
import { createCrashTracker, createListBreakage } from './harmful-requests.ts';
import { createSelection } from './plan.ts';
import { createCoverage, createExchangeStore } from './recorder.ts';
import type { Execution } from './run-case.ts';
import { runCheck } from './run-check.ts';

const standingClock: Clock = { now: () => today, sleep: async () => {} };

/** A server without a network: returns the findings for a request with this number. */
export type Server = (value: number) => readonly Finding[] | 'silent' | 'gone';

const timedOut = (finding: Breach): Finding => ({
  ...finding,
  exchange: {
    ...finding.exchange,
    response: null,
    failure: { kind: 'timeout', detail: { code: 'no-response', withinMs: 10 }, reused: false },
  },
});

/** A pipeline that hands numbers, sent as `limit`, to a server. */
const sessionTo = (server: Server, sent: number[]): ExchangePipeline => ({
  stopOthers: async () => () => undefined,
  send: async (probe, attempt) => {
    const value = probe.listing?.limit.kind === 'given' ? probe.listing.limit.value : 0;
    const outcome = server(value);
    if (outcome === 'gone') throw new CaseSkipped({ code: 'target-gone', detail: 'gone' });
    sent.push(value);
    attempt.exchanges += 1;
    const status = probe.request.operation === 'createPet' ? 201 : 200;
    attempt.sent.push({ probe, exchange: exchangeOf(probe, { status }) });
    if (outcome === 'silent') {
      attempt.findings.push(timedOut(breachOf('GEN-4', 'no response: timeout')));
      throw new CaseSkipped({ code: 'no-response' });
    }
    attempt.findings.push(...outcome);
    return parsedResponse(probe, {});
  },
});

/** Generates the numbers of cases. */
export const numbers = () => fc.nat({ max: 1_000 });

/** A server without failures. */
export const accepts: Server = () => [{ kind: 'passed', requirement: 'LIST-3' }];

/** Breaches for every number from `from` on. */
export const failsFrom =
  (from: number): Server =>
  (value) =>
    value >= from ? [breachOf('LIST-3')] : [];

/** Sends the number of each case. */
export const sendNumber = async (value: number, context: CheckContext): Promise<void> => {
  await context.send(listPets({ limit: value }));
};

/** A check of numbers, with changes. */
export const checkOf = (changes: Partial<Check<number>> = {}): Check =>
  defineCheck<number>({
    ...checkNamed('LIST-3 numbers'),
    phase: 'main',
    inputs: () => [1, 2, 3],
    run: sendNumber,
    ...changes,
  });

/** Executes a check against a server. Returns the numbers that were sent, in order. */
export const execute = async (check: Check, server: Server = () => [], changes: Partial<Execution> = {}) => {
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
    maxCreates: 200,
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

const plain = (text: string) => text;
const catalogue = loadCatalogue().filter(({ subject }) => subject === 'server');
const target = nowhere({ baseUrl: 'http://127.0.0.1:4010/v1' });
const client = createClient({
  baseUrl: target.baseUrl,
  keys: target.keys,
  transport: target.transport,
  clock: { now: () => today, sleep: async () => {} },
  version: '0',
  timeoutMs: 1,
  concurrency: 1,
  budget: null,
  pacing: pacingOf({}),
});

export type Tell = (evidenceLog: EvidenceLog) => void;

/** The outcome of a run that found out what `tell` records, with its exit code. */
export const endOf = (
  tell: Tell,
  settings: Partial<RunSettings> = {},
  changes: Partial<OutcomeInput> = {},
) => {
  const full = { ...noSettings, ...settings };
  const selection = createSelection(full, catalogue, target);
  const evidenceLog = createEvidenceLog(selection.isChosen);
  tell(evidenceLog);
  return buildOutcome({
    settings: full,
    target,
    plan: null,
    seed: 7,
    namePrefix: 'conformance-0000007-',
    startedAt: today,
    endedAt: today + 1_500,
    ended: null,
    removal: 'before',
    interrupted: false,
    unjudgeable: false,
    died: false,
    crashTracker: createCrashTracker(),
    listBreakage: createListBreakage(),
    timeline: createTimeline(today),
    document,
    catalogue,
    selection,
    evidenceLog,
    client,
    creations: createCreationAllowance(0, false),
    created: [],
    exchangeStore: createExchangeStore({ redact: plain, redactResponse: plain }),
    coverage: createCoverage(document),
    known: new Map(),
    redact: plain,
    redactResponse: plain,
    secrets: noResponseSecrets,
    ...changes,
  });
};

/** The outcome of a run that found out what `tell` records. */
export const outcomeOf = (...run: Parameters<typeof endOf>) => endOf(...run).outcome;

/** The run passes these requirements. */
export const passes =
  (...requirements: readonly string[]): Tell =>
  (evidenceLog) =>
    evidenceLog.record(requirements.map((requirement) => ({ kind: 'passed', requirement })));
export const failed =
  (requirement: string, cause: Partial<Parameters<EvidenceLog['recordFailure']>[0]> = {}): Tell =>
  (evidenceLog) =>
    evidenceLog.recordFailure({
      breach: breachOf(requirement),
      check: { id: `${requirement.toLowerCase()}-some-check`, title: 'some check', requirement },
      path: null,
      seen: 3,
      tries: 3,
      ...cause,
    });
export const result = (outcome: ReturnType<typeof outcomeOf>, id: string) =>
  outcome.requirements.find((requirement) => requirement.id === id);
