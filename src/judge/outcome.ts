import type { RunSettings } from '../config/settings.ts';
import type { CheckName } from '../finding/check-name.ts';
import { type Breach, type Finding, isBreach } from '../finding/finding.ts';
import type { Listing, Probe } from '../finding/probe.ts';
import type { EndReason, Reason } from '../finding/reason.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseResponse } from '../http/parsed-response.ts';
import { createTrafficCount } from '../http/traffic.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import { parseJson } from '../json/parse.ts';
import type { ApiDocument } from '../openapi/document.ts';
import { judge } from '../oracle/oracle.ts';
import type { Arrival } from '../oracle/requests/arrival.ts';
import { inputMistakes } from '../oracle/requests/input-space.ts';
import { buildOutcome } from '../run/build-outcome.ts';
import type { RunResult } from '../run/run.ts';
import type { RunDeps } from '../run/run-deps.ts';
import { type Run, wireUp } from '../run/wire-up.ts';
import { clientFindings, type FindingOptions, type Watched } from './findings.ts';
import { clientLines } from './lines.ts';
import { isOfBrowser } from './recorder.ts';

/** Everything that was seen of a client, and what ended it. */
export interface Judgement extends Omit<FindingOptions, 'document'> {
  readonly watched: readonly Watched[];
  /** Tests the responses, too: they came from a real server. */
  readonly testsServer: boolean;
  readonly interrupted: boolean;
}

/** Opens a judgement: the parts of a run that hold evidence. */
export const openJudgement = (settings: RunSettings, deps: Omit<RunDeps, 'subjects'>, testsServer: boolean) =>
  wireUp(settings, { ...deps, subjects: testsServer ? ['server', 'client'] : ['client'] });

/** Decides on a client, and with `testsServer` on its server, by the requests that were seen. */
export const closeJudgement = (run: Run, judgement: Judgement): RunResult => {
  const { watched, interrupted } = judgement;
  run.client.end();
  const placed = clientFindings(watched, { ...judgement, document: run.document });
  for (const { finding, watched: where } of placed) record(run, finding, checkOf(where, finding.requirement));
  const responses = judgement.testsServer
    ? judgeResponses(run, watched)
    : new Map<Exchange, readonly Finding[]>();
  keepExchanges(run, judgement, [...placed.map(({ finding }) => finding), ...[...responses.values()].flat()]);
  const unjudgeable = !interrupted && watched.every(({ arrivals }) => arrivals.every(isBrowsers));
  const ended: EndReason | null = interrupted
    ? { code: 'interrupted' }
    : unjudgeable
      ? { code: 'run-ended', detail: 'no-requests' }
      : null;
  const { outcome, exit } = buildOutcome(inputOf(run, judgement, { ended, unjudgeable }));
  return { outcome: { ...outcome, clients: clientLines(watched, placed) }, exit, context: run };
};

const isBrowsers = ({ exchange }: Arrival): boolean => isOfBrowser(exchange.wire);

const checkOf = ({ scenario }: Watched, requirement: string): CheckName => ({
  id: scenario ?? 'traffic',
  title: scenario === null ? 'in real traffic' : `in the scenario ${scenario}`,
  requirement,
});

const record = ({ evidenceLog }: Run, finding: Finding, check: CheckName): void => {
  if (!isBreach(finding)) evidenceLog.record([finding]);
  else if (evidenceLog.isKnown(finding)) evidenceLog.recordRecurrence(finding);
  else evidenceLog.recordFailure({ breach: finding, check, path: null, seen: 1, tries: 1 });
};

const keepExchanges = (run: Run, { watched }: Judgement, findings: readonly Finding[]): void => {
  const byExchange = Map.groupBy(findings.filter(isBreach), (breach: Breach) => breach.exchange);
  for (const where of watched)
    for (const { exchange } of where.arrivals)
      run.exchangeStore.add(exchange, checkOf(where, ''), byExchange.get(exchange) ?? []);
};

const parameterOf = (text: string | null): Listing['status'] =>
  text === null ? { kind: 'absent' } : { kind: 'given', value: text };

const listingOf = (query: string): Listing => {
  const parameters = new URLSearchParams(query);
  const limit = parameters.get('limit');
  return {
    limit: limit === null ? { kind: 'absent' } : { kind: 'given', value: Number(limit) },
    status: parameterOf(parameters.get('status')),
  };
};

const bodyOf = ({ exchange: { wire } }: Arrival): JsonObject | undefined => {
  const read = parseJson(Buffer.from(wire.body ?? '').toString());
  return read.ok && isJsonObject(read.value) ? read.value : undefined;
};

/** A client's request with its meaning. */
const probeOf = (arrival: Arrival, document: ApiDocument): Probe => {
  const { request } = arrival.exchange;
  const isDocumented = inputMistakes(arrival, document).length === 0;
  const sent = request.operation === 'createPet' ? bodyOf(arrival) : undefined;
  return {
    request,
    inputSpace: arrival.operation === null ? 'no-operation' : isDocumented ? 'documented' : 'unspecified',
    expects: [],
    label: '',
    ...(sent === undefined ? {} : { sent }),
    ...(request.operation === 'listPets' && isDocumented ? { listing: listingOf(request.query) } : {}),
  };
};

/** Tests the responses of a real server with the rules for every response. */
const judgeResponses = (run: Run, watched: readonly Watched[]): ReadonlyMap<Exchange, readonly Finding[]> => {
  const { serverModel, document } = run;
  const found = new Map<Exchange, readonly Finding[]>();
  for (const where of watched)
    for (const [sequence, arrival] of where.arrivals.entries()) {
      const { exchange } = arrival;
      if (exchange.response === null || isBrowsers(arrival)) continue;
      const probe = probeOf(arrival, document);
      const response = parseResponse(exchange);
      run.learn(response, probe);
      const findings = judge({ probe, response, operation: arrival.operation, serverModel, sequence });
      serverModel.update({ probe, response, sequence, sequenceAtEnd: sequence });
      for (const finding of findings) record(run, finding, checkOf(where, finding.requirement));
      found.set(exchange, findings);
    }
  return found;
};

/** Why the traffic of a client does not show a requirement; null: it may. */
const notShown = (requirement: string, { testsServer, watched }: Judgement): Reason | null => {
  if (!testsServer) return null;
  if (requirement === 'CLIENT-4') return { code: 'traffic-alone', detail: 'bans' };
  if (requirement === 'CLIENT-1' && watched.every(({ withoutKeys }) => withoutKeys === true))
    return { code: 'traffic-alone', detail: 'no-authorization' };
  return requirement.startsWith('CLIENT-') ? null : { code: 'traffic-alone', detail: 'requests' };
};

const inputOf = (
  run: Run,
  judgement: Judgement,
  { ended, unjudgeable }: { readonly ended: EndReason | null; readonly unjudgeable: boolean },
) => {
  const count = createTrafficCount();
  const arrivals = judgement.watched.flatMap((watched) => watched.arrivals);
  for (const { exchange } of arrivals) count.add(exchange, !judgement.testsServer);
  const getPet = run.document.operations.find(({ id }) => id === 'getPet');
  const created = arrivals.filter(
    ({ exchange }) => exchange.request.method === 'POST' && (exchange.response?.status ?? 0) === 201,
  ).length;
  return {
    ...run,
    client: { ...run.client, traffic: count.read },
    // A client is judged by its requests, whatever responses it got.
    document: judgement.testsServer ? run.document : { ...run.document, operations: [] },
    creations: { ...run.creations, used: created },
    selection: { isChosen: () => true, skipped: (id: string) => notShown(id, judgement) },
    plan: run.target.plans.main,
    endedAt: run.deps.clock.now(),
    ended,
    interrupted: judgement.interrupted,
    unjudgeable,
    died: false,
    created: [],
    known: run.deps.known ?? new Map<string, string>(),
    removal: getPet === undefined ? ('before' as const) : run.serverModel.removalState(getPet),
  };
};
