import { breachOf } from '../../test/support/executing.ts';
import { document, today } from '../../test/support/judging.ts';
import { noSettings, nowhere } from '../../test/support/running.ts';
import type { RunSettings } from '../config/settings.ts';
import { createClient } from '../http/client.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import { pacingOf } from '../rate-limit/pacer-testing.ts';
import { buildOutcome, type Findings } from './build-outcome.ts';
import { createCoverage } from './coverage.ts';
import { createLedger, type Ledger } from './evidence.ts';
import { createListBreakage } from './list-breakage.ts';
import { createOutage } from './outage.ts';
import { createRecorder } from './recorder.ts';
import { createSelection } from './selection.ts';

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

export type Tell = (ledger: Ledger) => void;

/** The outcome of a run that found out what `tell` records. */
export const outcomeOf = (
  tell: Tell,
  settings: Partial<RunSettings> = {},
  changes: Partial<Findings> = {},
) => {
  const full = { ...noSettings, ...settings };
  const selection = createSelection(full, catalogue, target);
  const ledger = createLedger(selection.isChosen);
  tell(ledger);
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
    outage: createOutage(),
    listBreakage: createListBreakage(),
    document,
    catalogue,
    selection,
    ledger,
    client,
    creations: { used: 0 },
    created: [],
    recorder: createRecorder(plain),
    coverage: createCoverage(document),
    known: new Map(),
    redact: plain,
    ...changes,
  });
};

export const met =
  (...requirements: readonly string[]): Tell =>
  (ledger) =>
    ledger.record(requirements.map((requirement) => ({ kind: 'met', requirement })));
export const failed =
  (requirement: string, cause: Partial<Parameters<Ledger['recordCause']>[0]> = {}): Tell =>
  (ledger) =>
    ledger.recordCause({
      breach: breachOf(requirement),
      check: { id: `${requirement.toLowerCase()}-some-check`, title: 'some check', requirement },
      path: null,
      seen: 3,
      tries: 3,
      ...cause,
    });
export const result = (outcome: ReturnType<typeof outcomeOf>, id: string) =>
  outcome.requirements.find((requirement) => requirement.id === id);
