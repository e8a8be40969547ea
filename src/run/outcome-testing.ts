import { breachOf } from '../../test/support/executing.ts';
import { document, today } from '../../test/support/judging.ts';
import { noSettings, nowhere } from '../../test/support/running.ts';
import type { RunSettings } from '../config/settings.ts';
import { createClient } from '../http/client.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import { pacingOf } from '../rate-limit/pacer-testing.ts';
import { buildOutcome, type Findings } from './build-outcome.ts';
import { createEvidenceLog, type EvidenceLog } from './evidence.ts';
import { createCrashTracker, createListBreakage } from './harmful-requests.ts';
import { createSelection } from './plan.ts';
import { createCoverage, createExchangeStore } from './recorder.ts';

/** What the unit tests of outcomes share: an outcome of made-up findings. */
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

/** The outcome of a run that found out what `tell` records. */
export const outcomeOf = (
  tell: Tell,
  settings: Partial<RunSettings> = {},
  changes: Partial<Findings> = {},
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
    startedAt: today,
    endedAt: today + 1_500,
    ended: null,
    removal: 'before',
    interrupted: false,
    unjudgeable: false,
    died: false,
    crashTracker: createCrashTracker(),
    listBreakage: createListBreakage(),
    document,
    catalogue,
    selection,
    evidenceLog,
    client,
    creations: { used: 0 },
    created: [],
    exchangeStore: createExchangeStore(plain),
    coverage: createCoverage(document),
    known: new Map(),
    redact: plain,
    ...changes,
  });
};

export const met =
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
