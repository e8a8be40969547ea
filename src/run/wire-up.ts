import { permissionsOf } from '../check/permissions.ts';
import type { RunSettings } from '../config/settings.ts';
import type { Probe } from '../finding/probe.ts';
import { createClient } from '../http/client.ts';
import type { Client } from '../http/client-types.ts';
import type { Pacing, RunNote } from '../http/pacing-types.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import { createRedactor } from '../http/redact.ts';
import { secretsInHeaders } from '../http/redacted-headers.ts';
import { createResponseSecrets, noResponseSecrets } from '../http/response-secrets.ts';
import { createServerDate } from '../http/server-date.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import { loadDocument } from '../openapi/load.ts';
import { packageVersion } from '../openapi/package-root.ts';
import type { Requirement } from '../openapi/requirement.ts';
import { createCounterMonitor } from '../rate-limit/monitors/counter.ts';
import { createKeyMonitors } from '../rate-limit/monitors/key-monitors.ts';
import { createPacing, type PacingOptions } from '../rate-limit/pacing.ts';
import { createRoutePacing } from '../rate-limit/route-pacing.ts';
import { createTimeline, type TimelineRecorder } from '../rate-limit/timeline.ts';
import { drawSeed, randomFrom } from '../util/random.ts';
import { createCreationAllowance } from './creation-allowance.ts';
import { createCreationsByKind } from './creations-by-kind.ts';
import { createEvidenceLog } from './evidence.ts';
import { createExchangePipeline } from './exchange-pipeline.ts';
import { createCrashTracker, createListBreakage } from './harmful-requests.ts';
import { namePrefixFor } from './name-prefix.ts';
import { createPassLog, noPassLog } from './passing-requests.ts';
import { createSelection } from './plan.ts';
import { createCoverage, createExchangeStore, noExchangeStore } from './recorder.ts';
import type { RunDeps } from './run-deps.ts';
import { createServerModel } from './server-model.ts';
import { withOthers } from './shared-run.ts';

/** Seconds: a minute's window, and what clocks may differ by. */
const defaultMaxWait = 70;

/** The longest wait for a rate limit, in milliseconds. */
export const longestWaitMs = ({ maxWait }: RunSettings): number => Math.max(maxWait, defaultMaxWait) * 1000;

export type Run = Awaited<ReturnType<typeof wireUp>>;

/** Everything that a run is made of, wired together; nothing is sent yet. */
export const wireUp = async (settings: RunSettings, deps: RunDeps) => {
  const setup = await setUp(settings, deps);
  const { document, target, selection } = setup;
  const timeline = createTimeline(setup.startedAt);
  const client = createRunClient(settings, deps, { ...setup, timeline });
  const serverDate = createServerDate(settings.now, () => deps.clock.now());
  const monitors = createMonitors(settings, deps, client);
  const { otherLimit, counters } = monitors;
  const serverModel = createServerModel({
    document,
    otherLimit,
    store: settings.spec === null,
    plans: target.plans,
    ...(deps.shared === undefined
      ? {}
      : { storedByOthers: deps.shared.storedByOthers, tell: deps.shared.tell }),
    today: serverDate.now,
  });
  const [exchangeStore, passes] =
    deps.isReported === false ? [noExchangeStore, noPassLog] : [createExchangeStore(setup), createPassLog()];
  const coverage = createCoverage(document);
  const listBreakage = createListBreakage();
  const crashTracker = createCrashTracker();
  const createAllowance = settings.spec === null ? createCreationAllowance : createCreationsByKind;
  const creations = deps.shared?.creations ?? createAllowance(settings.maxCreates, settings.readOnly);
  /** What any response shows, also to the request of a client. */
  const learn = (response: ParsedResponse, probe: Probe, { expects429 = false } = {}): void => {
    setup.secrets.learn(response.exchange);
    serverDate.update(response);
    coverage.see(probe.request.operation, response, expects429);
    timeline.observe(response, probe.request.credential.chargedTo ?? 'anonymous');
  };
  const pipeline = createExchangePipeline({
    client,
    serverModel,
    creations,
    crashTracker,
    clock: deps.clock,
    signal: deps.signal,
    ...(deps.shared === undefined ? {} : { stopOtherWorkers: deps.shared.stopOthers }),
    keep: exchangeStore.add,
    monitor: (response, probe, how) => {
      learn(response, probe, how);
      listBreakage.responded({ probe, response });
      return monitors.observe(response, probe, how);
    },
  });
  deps.shared?.join({
    stop: pipeline.stop,
    stored: () => serverModel.storeSize - (deps.shared?.storedByOthers() ?? 0),
    sentByOthers: otherLimit.sentByOthers,
    hear: serverModel.hear,
  });
  return {
    ...setup,
    client,
    timeline,
    otherLimit,
    counters,
    serverModel,
    exchangeStore,
    evidenceLog: withOthers(createEvidenceLog(selection.isChosen, passes), deps.shared?.causes),
    coverage,
    listBreakage,
    crashTracker,
    creations,
    pipeline,
    learn,
  };
};

type Setup = Awaited<ReturnType<typeof setUp>>;

/** With --strict-requests, every invalid request must be refused. */
const isRaised = ({ id }: Requirement, { spec, strictRequests }: RunSettings): boolean =>
  spec !== null && strictRequests && id === 'REQ-3';

/** What is certain before anything is sent. */
const setUp = async (settings: RunSettings, deps: RunDeps) => {
  const { clock, target } = deps;
  const seed = settings.seed ?? drawSeed(deps.random);
  const document = deps.document ?? (await loadDocument(settings.spec ?? undefined));
  const startedAt = clock.now();
  const namePrefix = namePrefixFor(seed, startedAt, settings.shard);
  const keys = [...Object.values(target.keys).filter((key) => key !== null), ...(deps.secrets ?? [])];
  const redactKeys = createRedactor([...keys, ...secretsInHeaders(target.headers ?? [])], namePrefix);
  const secrets = settings.keepSecrets ? noResponseSecrets : createResponseSecrets(namePrefix);
  const { subjects = ['server'] } = deps;
  const catalogue = [...loadCatalogue(settings.spec), ...(deps.extra?.requirements ?? [])]
    .filter(({ subject }) => subjects.includes(subject))
    .map((requirement) =>
      isRaised(requirement, settings) ? { ...requirement, level: 'MUST' as const } : requirement,
    );
  return {
    settings,
    deps,
    target,
    seed,
    document,
    startedAt,
    namePrefix,
    secrets,
    redact: (text: string) => secrets.redact(redactKeys(text)),
    redactResponse: (text: string) => secrets.redactResponse(redactKeys(text)),
    catalogue,
    selection: createSelection(settings, catalogue, target, deps.subjects),
    permissions: permissionsOf(settings, {
      baseUrl: target.baseUrl,
      hasKey: target.keys.main !== null,
      headers: target.headers ?? [],
    }),
  };
};

interface ClientParts extends Pick<Setup, 'seed' | 'permissions'> {
  readonly timeline: TimelineRecorder;
}

/** The pacing of a run, for all its requests. */
export const createRunPacing = (
  settings: RunSettings,
  {
    target,
    seed,
    permissions,
    note,
  }: Pick<RunDeps, 'target'> & Pick<ClientParts, 'seed' | 'permissions'> & Pick<PacingOptions, 'note'>,
): Pacing => {
  const create = settings.spec === null ? createPacing : createRoutePacing;
  return create({
    plans: target.plans,
    fallback: permissions.loopback ? null : { perMinute: 60, perDay: null },
    sharedKey: settings.sharedKey,
    maxWaitMs: longestWaitMs(settings),
    random: randomFrom(seed),
    note,
  });
};

const createRunClient = (
  settings: RunSettings,
  { clock, watch, signal, target, shared }: RunDeps,
  { seed, permissions, timeline }: ClientParts,
): Client => {
  const onNote = (note: RunNote) => watch({ kind: 'note', note });
  const pacing = shared?.pacing ?? createRunPacing(settings, { target, seed, permissions, note: onNote });
  return createClient({
    baseUrl: target.baseUrl,
    keys: target.keys,
    headers: target.headers ?? [],
    transport: target.transport,
    clock,
    pacing,
    ...(shared === undefined ? {} : { createQueue: shared.createQueue, sendsAlone: shared.sendsAlone }),
    version: packageVersion(),
    timeoutMs: settings.timeout,
    ...(settings.maxBody === null ? {} : { maxBodyBytes: settings.maxBody }),
    concurrency: settings.concurrency,
    budget: settings.budget,
    signal,
    onWait: (slot, reason, untilMs) => {
      timeline.wait({ account: slot, from: clock.now(), until: untilMs, reason });
      watch({ kind: 'waiting', reason, untilMs });
    },
    onNote,
  });
};

/** What rate limits show over several responses. */
const createMonitors = (settings: RunSettings, { target, shared }: RunDeps, client: Client) => {
  const { concurrency = settings.concurrency } = shared ?? {};
  const counters = createCounterMonitor(client.latestRequest, concurrency);
  const ofKeys = createKeyMonitors({
    concurrency,
    maxWaitMs: settings.maxWait * 1000,
    plans: target.plans,
    isShared: client.isShared,
  });
  return {
    otherLimit: ofKeys.otherLimit,
    counters,
    observe: (response: ParsedResponse, probe: Probe, how: { readonly expects429: boolean }) => {
      counters.observe(response, probe);
      if (shared === undefined) return ofKeys.observe(response, probe, how);
      ofKeys.otherLimit.observe(response, probe);
      return shared.findingsOn(response.exchange);
    },
  };
};
