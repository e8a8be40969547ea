import { describe, expect, test } from 'vitest';
import { breachOf } from '../../test/support/executing.ts';
import { document, exchangeOf, today } from '../../test/support/judging.ts';
import { noSettings, nowhere } from '../../test/support/running.ts';
import { createClient } from '../client/client.ts';
import { loadCatalogue } from '../document/catalogue.ts';
import type { Breach } from '../oracle/finding.ts';
import type { Probe } from '../oracle/probe.ts';
import type { RunSettings } from '../settings/settings.ts';
import { buildOutcome, type Findings } from './build-outcome.ts';
import { createCoverage } from './coverage.ts';
import { exitCodeOf } from './exit-code.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createOutage } from './outage.ts';
import { passesInPart } from './outcome.ts';
import { getPet, listPets } from './probes.ts';
import { createRecorder } from './recorder.ts';
import { createSelection } from './selection.ts';

const plain = (text: string) => text;
const catalogue = loadCatalogue().filter(({ subject }) => subject === 'server');
const target = nowhere({ baseUrl: 'http://127.0.0.1:4010/v1' });
const client = createClient({
  baseUrl: target.baseUrl,
  keys: target.keys,
  plans: target.plans,
  transport: target.transport,
  clock: { now: () => today, sleep: async () => {} },
  random: () => 0.5,
  version: '0',
  timeoutMs: 1,
  concurrency: 1,
  budget: null,
  sharedKey: false,
  fallback: null,
  maxWaitMs: 1,
});

type Tell = (ledger: Ledger) => void;

/** The outcome of a run that found out what `tell` records. */
const outcomeOf = (tell: Tell, settings: Partial<RunSettings> = {}, changes: Partial<Findings> = {}) => {
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

const met =
  (...requirements: readonly string[]): Tell =>
  (ledger) =>
    ledger.record(requirements.map((requirement) => ({ kind: 'met', requirement })));
const failed =
  (requirement: string, cause: Partial<Parameters<Ledger['recordCause']>[0]> = {}): Tell =>
  (ledger) =>
    ledger.recordCause({
      breach: breachOf(requirement),
      check: `${requirement} some check`,
      path: null,
      seen: 3,
      tries: 3,
      ...cause,
    });
const result = (outcome: ReturnType<typeof outcomeOf>, id: string) =>
  outcome.requirements.find((requirement) => requirement.id === id);

describe('a run in which nothing failed', () => {
  const undecided: Tell = (ledger) =>
    ledger.record([{ kind: 'undecided', requirement: 'LIST-1', reason: 'no animals' }]);

  test('is not judged where it was interrupted, and where nothing chosen could be decided', () => {
    const interrupted = { interrupted: true, ended: 'interrupted' };
    expect(outcomeOf(met('LIST-1'), {}, interrupted).verdict).toBe('not-judged');
    expect(outcomeOf(failed('LIST-1'), {}, interrupted).verdict).toBe('nonconformant');
    for (const tell of [undecided, met()]) {
      const outcome = outcomeOf(tell, { only: ['LIST-1'] });
      expect(outcome.verdict).toBe('not-judged');
      expect(exitCodeOf(outcome)).toBe(0);
    }
  });

  test('is conformant where anything chosen was met, warned of, observed or known to fail', () => {
    for (const tell of [met('LIST-1'), met('LIST-10'), failed('AUTH-6')])
      expect(outcomeOf(tell).verdict).toBe('conformant');
    const known = new Map([['LIST-1', 'a fix is under way']]);
    expect(outcomeOf(failed('LIST-1'), {}, { known }).verdict).toBe('conformant');
  });
});

describe('the exit code', () => {
  test('is 0 where nothing failed, whatever was not judged or warned', () => {
    expect(exitCodeOf(outcomeOf(met('LIST-1')))).toBe(0);
    expect(exitCodeOf(outcomeOf(failed('AUTH-6')))).toBe(0);
  });

  test('is 1 where a MUST failed, and with strict where a SHOULD did', () => {
    expect(exitCodeOf(outcomeOf(failed('LIST-1')))).toBe(1);
    const strict = outcomeOf(failed('AUTH-6'), { strict: true });
    expect(strict.verdict).toBe('nonconformant');
    expect(exitCodeOf(strict)).toBe(1);
  });

  test('is 0 where only what is known to fail fails, and 1 where that passes again', () => {
    const known = new Map([['LIST-1', 'a fix is under way']]);
    const failing = outcomeOf(failed('LIST-1'), {}, { known });
    expect(failing.verdict).toBe('conformant');
    expect(result(failing, 'LIST-1')).toMatchObject({ verdict: 'failed', known: 'a fix is under way' });
    expect(exitCodeOf(failing)).toBe(0);
    expect(exitCodeOf(outcomeOf(met('LIST-1'), {}, { known }))).toBe(1);
    expect(exitCodeOf(outcomeOf(failed('LIST-2'), {}, { known }))).toBe(1);
    const shard = { index: 2, of: 3 };
    const part = outcomeOf(met('LIST-1'), { shard }, { known });
    expect(result(part, 'LIST-1')).toMatchObject({ verdict: 'inconclusive', reason: passesInPart });
    expect(exitCodeOf(part)).toBe(0);
    expect(result(outcomeOf(failed('LIST-1'), { shard }, { known }), 'LIST-1')?.verdict).toBe('failed');
  });

  test('is 3 where nothing could be judged', () => {
    const outcome = outcomeOf(met('LIST-1'), {}, { unjudgeable: true, ended: 'no connection' });
    expect(outcome.verdict).toBe('not-judged');
    expect(new Set(outcome.requirements.map(({ verdict, reason }) => `${verdict}: ${reason}`))).toEqual(
      new Set(['skipped: no connection']),
    );
    expect(exitCodeOf(outcome, { unjudgeable: true })).toBe(3);
  });

  test('is 4 where the suite itself failed, which is never held against the server', () => {
    const outcome = outcomeOf((ledger) => ledger.recordError('LIST-1', 'TypeError'));
    expect(result(outcome, 'LIST-1')).toMatchObject({ verdict: 'error', reason: 'TypeError', failures: [] });
    expect(outcome.verdict).toBe('not-judged');
    expect(exitCodeOf(outcome)).toBe(4);
  });

  test('a target that answered and then died is nonconformant, whatever it was judged for', () => {
    expect(outcomeOf(met('LIST-1'), {}, { died: true }).verdict).toBe('nonconformant');
  });

  test('is 130 where the run was interrupted, whatever else there is', () => {
    for (const outcome of [outcomeOf(failed('LIST-1')), outcomeOf(met(), {}, { unjudgeable: true })])
      expect(exitCodeOf(outcome, { interrupted: true, unjudgeable: true })).toBe(130);
  });
});

describe('a requirement', () => {
  test('that was not chosen is skipped, even where it was met', () => {
    const outcome = outcomeOf(met('GEN-1', 'LIST-1'), { only: ['LIST'] });
    expect(result(outcome, 'GEN-1')).toMatchObject({
      verdict: 'skipped',
      reason: 'not selected (--only, --skip)',
      checks: 0,
    });
    expect(result(outcome, 'LIST-1')).toMatchObject({ verdict: 'passed', checks: 1 });
  });

  test('that is inconclusive for another shows no failures of its own', () => {
    const outcome = outcomeOf((ledger) => {
      failed('LIST-1')(ledger);
      failed('LIST-3')(ledger);
    });
    expect(result(outcome, 'LIST-3')).toMatchObject({ verdict: 'inconclusive', failures: [] });
  });

  test('of the removed operation says so', () => {
    const before = outcomeOf(met());
    expect(result(before, 'GET-5')?.reason).toBe('the removal of getPet is still ahead');
    const after = outcomeOf(met(), {}, { removal: 'after' });
    for (const id of ['GET-1', 'GET-2', 'GET-3', 'GET-4', 'GET-6'])
      expect(result(after, id)?.reason).toBe('getPet is removed');
  });
});

describe('a failure', () => {
  test('of a wrong key says where nobody needs one', () => {
    const told = 'Something is wrong. Without any key it is served as well (AUTH-1).';
    const answered = (probe: Probe, status: number) => ({
      ...breachOf('AUTH-1'),
      exchange: exchangeOf(probe, { status }),
    });
    const messageOf = (keyless: Breach | null, wrong = answered(listPets({}), 200)) =>
      result(
        outcomeOf((ledger) => {
          if (keyless !== null) failed('AUTH-1', { breach: keyless })(ledger);
          failed('AUTH-3', { breach: { ...wrong, requirement: 'AUTH-3' } })(ledger);
        }),
        'AUTH-3',
      )?.failures[0]?.message;
    const open = answered(listPets({}), 200);
    expect(messageOf(open)).toBe(told);
    for (const message of [
      messageOf(null),
      messageOf(answered(listPets({}), 403)),
      messageOf(answered(getPet('7'), 200)),
      messageOf(open, answered(listPets({}), 403)),
    ])
      expect(message).toBe('Something is wrong.');
  });

  test('names others that met it, with what came where that is another thing, and short', () => {
    const long = 'so many words of an answer that they hide the request '.repeat(2);
    const outcome = outcomeOf((ledger) => {
      const met = (limit: number, actual: string) => ({
        ...breachOf('LIST-3'),
        request: `GET /pets?limit=${limit}`,
        actual,
      });
      failed('LIST-3', { breach: met(1, 'that') })(ledger);
      ledger.recur(met(2, 'that'));
      ledger.recur(met(3, '4 animals'));
      ledger.recur(met(4, long));
    });
    expect(result(outcome, 'LIST-3')?.failures[0]?.others).toEqual([
      'GET /pets?limit=2',
      'GET /pets?limit=3 → 4 animals',
      'GET /pets?limit=4',
    ]);
  });

  const failure = (settings: Partial<RunSettings> = {}, cause = {}, changes: Partial<Findings> = {}) =>
    result(outcomeOf(failed('LIST-3', cause), settings, changes), 'LIST-3')?.failures[0];

  test('says how often it came back', () => {
    expect(failure({}, { seen: 1 })).toMatchObject({
      message: 'Something is wrong.',
      seen: 1,
      tries: 3,
      occurrences: 1,
      check: 'LIST-3 some check',
      seed: 7,
      path: null,
    });
  });

  test('of a request that was dropped as the target went down need not be its own', () => {
    const found = breachOf('LIST-3');
    const silentFor = (kind: 'reset' | 'refused') => ({
      ...found,
      exchange: { ...found.exchange, response: null, failure: { kind, message: 'no answer', reused: false } },
    });
    const breach = silentFor('reset');
    const outage = createOutage();
    const down = { died: true, outage };
    expect(failure({}, { breach: silentFor('refused'), tries: 1 }, down)?.message).toMatch(
      / The target takes no connections since: it went down between two requests\.$/,
    );
    const other = { ...breach.exchange, id: breach.exchange.id + 1 };
    outage.dropped({ probe: listPets({}), exchange: breach.exchange });
    outage.dropped({ probe: getPet('7'), exchange: other });
    expect(failure({}, { breach, tries: 1 }, down)?.message).toMatch(
      /: this request brought it down, or one that was under way with it: GET \/pets\/7\.$/,
    );
    for (const one of [
      failure({}, { breach, tries: 1 }),
      failure({}, { breach, tries: 2 }, down),
      failure({}, { tries: 1 }, down),
    ])
      expect(one?.message).toBe('Something is wrong.');
  });

  test('that is nothing without what went before it is repeated by the run that found it', () => {
    const breach = breachOf('LIST-8', 'short page');
    const outcome = outcomeOf(failed('LIST-8', { breach, check: 'GET-1 sequences', path: '1' }));
    expect(result(outcome, 'LIST-8')?.failures[0]).toMatchObject({
      path: null,
      replay: 'animal-store-conformance run --base-url http://127.0.0.1:4010/v1 --seed 7',
    });
    expect(failure({}, { path: '30:1' })).toMatchObject({
      path: '30:1',
      replay: expect.stringMatching(/--path 30:1$/),
    });
  });

  test('shows an exchange that the reports hold, whatever the oracle found in it', () => {
    const outcome = outcomeOf(failed('LIST-3'));
    const [shown] = result(outcome, 'LIST-3')?.failures ?? [];
    expect(outcome.exchanges).toMatchObject([{ id: shown?.exchange, breaches: ['LIST-3'] }]);
  });

  test('holds nothing that was to be redacted', () => {
    const redact = (text: string) => text.replaceAll('Something', '…').replaceAll('127.0.0.1', 'host');
    const redacted = failure({}, {}, { redact });
    expect(redacted?.message).toBe('… is wrong.');
    expect(redacted?.replay).toContain('http://host:4010/v1');
  });
});

test('a run tells its time, its seed and its target', () => {
  expect(outcomeOf(met('LIST-1'))).toMatchObject({
    startedAt: '2026-03-01T12:00:00.000Z',
    durationMs: 1_500,
    seed: 7,
    verdict: 'conformant',
    target: { baseUrl: 'http://127.0.0.1:4010/v1', reference: false, plan: null },
    interface: { version: '1.0.0' },
  });
});
