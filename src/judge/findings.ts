import { breachOf, type Finding, inconclusive } from '../finding/finding.ts';
import type { Reason } from '../finding/reason.ts';
import type { ApiDocument } from '../openapi/document.ts';
import { type Arrivals, bearerToken, isLimited } from '../oracle/requests/arrival.ts';
import { bearerOnEveryRequest } from '../oracle/requests/authorization.ts';
import { type BackoffDecision, decideBackoff, mostSeries } from '../oracle/requests/backoff.ts';
import { documentedInput, noDeprecatedOperation } from '../oracle/requests/input-space.ts';
import { neverBanned, seriesIn, slowsDown, type WaitForm, waitsHeeded } from '../oracle/requests/waits.ts';
import { isOfBrowser } from './recorder.ts';

/** What was seen of a client: in one scenario, or all of its real traffic. */
export interface Watched {
  /** The scenario; null: real traffic. */
  readonly scenario: string | null;
  readonly arrivals: Arrivals;
  /** The client's key; null: not known. */
  readonly key: string | null;
  /** No request of a recording has a key: browsers leave keys out of an export. */
  readonly withoutKeys?: boolean;
  /** Until when it is certain that the client sent nothing more; infinite: it has ended by itself. */
  readonly silentUntil: number;
  /** Requirements that the scenario can prove; empty for real traffic. */
  readonly proves: readonly string[];
}

/** A finding with the place where it was made. */
export interface PlacedFinding {
  readonly finding: Finding;
  readonly watched: Watched;
}

export interface FindingOptions {
  readonly document: ApiDocument;
  /** The forms of `Retry-After` that the played scenarios have; a pass needs each of them. */
  readonly forms: readonly WaitForm[];
}

/** The requests of each key. Requests without a bearer token belong to none. */
const byKey = (arrivals: Arrivals): readonly Arrivals[] => [
  ...Map.groupBy(
    arrivals.filter((arrival) => bearerToken(arrival) !== null),
    (arrival) => bearerToken(arrival),
  ).values(),
];

const apiRequests = ({ arrivals }: Watched): Arrivals =>
  arrivals.filter(({ exchange }) => !isOfBrowser(exchange.wire));

/** Rules that look at one request. */
const onRequests = (all: readonly Watched[], { document }: FindingOptions): readonly PlacedFinding[] =>
  all.flatMap((watched) => {
    const onKeys = watched.withoutKeys === true ? [] : [bearerOnEveryRequest(watched.key)];
    const rules = [...onKeys, documentedInput(document), noDeprecatedOperation];
    return apiRequests(watched).flatMap((arrival) =>
      rules.flatMap((rule) => rule(arrival).map((finding) => ({ finding, watched }))),
    );
  });

const countOf = (all: readonly Watched[]): number =>
  all.reduce((sum, watched) => sum + apiRequests(watched).length, 0);

const noOccasion = (
  requirement: string,
  detail: Extract<Reason, { code: 'no-occasion' }>['detail'],
  all: readonly Watched[],
): Finding => inconclusive(requirement, { code: 'no-occasion', detail, requests: countOf(all) });

/** Whether a scenario can show a requirement. Real traffic can show any requirement. */
const canShow =
  (requirement: string) =>
  ({ scenario, proves }: Watched): boolean =>
    scenario === null || proves.includes(requirement);

const somewhere = (all: readonly Watched[], finding: Finding): readonly PlacedFinding[] =>
  all.slice(0, 1).map((watched) => ({ finding, watched }));

/** CLIENT-2: passes only if the client heeded every form of the header. */
const onWaits = (all: readonly Watched[], { forms }: FindingOptions): readonly PlacedFinding[] => {
  const waits = all.flatMap((watched) =>
    byKey(apiRequests(watched))
      .flatMap((arrivals) => waitsHeeded(arrivals, watched.silentUntil))
      .map((wait) => ({ ...wait, watched })),
  );
  const found = waits.flatMap(({ finding, watched }) => (finding === null ? [] : [{ finding, watched }]));
  const breaches = found.filter(({ finding }) => finding.kind === 'breach');
  const seen = new Set(waits.flatMap(({ finding, form }) => (finding === null ? [] : [form])));
  const missing = forms.filter((form) => !seen.has(form));
  if (breaches.length > 0) return found;
  if (found.length > 0 && missing.length === 0) return found;
  const detail = !all.some(canShow('CLIENT-2'))
    ? 'not-played'
    : waits.length === 0
      ? 'no-429'
      : found.length === 0
        ? 'cut-off'
        : 'one-form';
  return somewhere(all, noOccasion('CLIENT-2', detail, all));
};

const seriesOf = (watched: Watched) =>
  byKey(apiRequests(watched)).flatMap((arrivals) => {
    const series = seriesIn(arrivals, watched.silentUntil === Number.POSITIVE_INFINITY);
    const last = arrivals.findLast(isLimited);
    return series === null || last === undefined ? [] : [{ series, last, watched }];
  });

/** CLIENT-3: of the scenario with series, otherwise of all real traffic. */
const onBackoff = (all: readonly Watched[]): readonly PlacedFinding[] => {
  const played = all.filter(canShow('CLIENT-3'));
  if (played.length === 0) return somewhere(all, noOccasion('CLIENT-3', 'not-played', all));
  const found = played.flatMap(seriesOf);
  const decision = decideBackoff(found.map(({ series }) => series));
  const waits = found.map(({ series }) => series.waits).slice(0, mostSeries);
  const [first] = found;
  if (first === undefined) return somewhere(all, noOccasion('CLIENT-3', 'no-429', all));
  return [{ finding: backoffFinding(decision, waits, first.last, played), watched: first.watched }];
};

const backoffFinding = (
  decision: BackoffDecision,
  waits: readonly (readonly number[])[],
  shown: Arrivals[number],
  played: readonly Watched[],
): Finding => {
  if (decision.verdict === 'passed') return { kind: 'passed', requirement: 'CLIENT-3' };
  if (decision.verdict === 'failed')
    return breachOf(
      'CLIENT-3',
      { rule: 'not-exponential', shape: decision.shape, series: waits },
      shown.exchange,
    );
  if (decision.needs === 'retries') return noOccasion('CLIENT-3', 'no-retry', played);
  return inconclusive('CLIENT-3', {
    code: 'waits-unclear',
    detail: decision.needs === 'nothing' ? 'waits' : decision.needs,
    series: waits,
  });
};

/** CLIENT-4: only the scenarios that ban show it. */
const onBans = (all: readonly Watched[]): readonly PlacedFinding[] => {
  const found = all.flatMap((watched) =>
    neverBanned(apiRequests(watched))
      .filter(({ kind }) => kind === 'breach' || watched.proves.includes('CLIENT-4'))
      .map((finding) => ({ finding, watched })),
  );
  const detail = all.some(canShow('CLIENT-4')) ? 'no-429' : 'not-played';
  return found.length > 0 ? found : somewhere(all, noOccasion('CLIENT-4', detail, all));
};

const onRemaining = (all: readonly Watched[]): readonly PlacedFinding[] => {
  const found = all.flatMap((watched) =>
    byKey(apiRequests(watched))
      .flatMap((arrivals) => slowsDown(arrivals) ?? [])
      .map((finding) => ({ finding, watched })),
  );
  const detail = all.some(canShow('CLIENT-7')) ? 'limit-not-reached' : 'not-played';
  return found.length > 0 ? found : somewhere(all, noOccasion('CLIENT-7', detail, all));
};

/** Everything that requests show of a client. */
export const clientFindings = (
  all: readonly Watched[],
  options: FindingOptions,
): readonly PlacedFinding[] => [
  ...onRequests(all, options),
  ...onWaits(all, options),
  ...onBackoff(all),
  ...onBans(all),
  ...onRemaining(all),
];
