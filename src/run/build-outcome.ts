import { irrelevantFields } from '../check/header-variants.ts';
import type { CreatedPet } from '../check/run-context.ts';
import type { Breach } from '../finding/finding.ts';
import type { EndReason, Reason } from '../finding/reason.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Redact } from '../http/redact.ts';
import { stringifyJson } from '../json/stringify.ts';
import { packageVersion } from '../openapi/package-root.ts';
import type { Requirement } from '../openapi/requirement.ts';
import type { RemovalState } from '../oracle/rule.ts';
import { isOfTheWholeRun } from '../oracle/rules/own-pets.ts';
import { memoizedByValue } from '../util/memoize.ts';
import { countOperations } from './count-operations.ts';
import { decideRun, factsOf, type RunFacts } from './decide-run.ts';
import { decideVerdict } from './decide-verdict.ts';
import type { Crash, FoundFailure, FoundOutcome, FoundResult } from './found-outcome.ts';
import { crashOf, withoutAfterCrash, withoutSideEffects } from './harmful-requests.ts';
import { otherPrefixIn } from './name-prefix.ts';
import { type CoverageCell, missesMost } from './outcome.ts';
import { whyUnread } from './unread-operations.ts';
import { otherClients, withoutSharedKeys } from './verdict.ts';
import type { Run } from './wire-up.ts';

/** The parts of a run that hold what it found, with its end. */
export interface OutcomeInput
  extends Omit<
    Run,
    'deps' | 'pipeline' | 'serverModel' | 'permissions' | 'otherLimit' | 'counters' | 'learn'
  > {
  readonly plan: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly endedAt: number;
  /** Why the run ended early; null: it did not. */
  readonly ended: EndReason | null;
  readonly removal: RemovalState;
  /** It stopped responding during the run: a breach of GEN-4, also if that is not selected. */
  readonly died: boolean;
  /** The user ended it. */
  readonly interrupted: boolean;
  /** Nothing could be judged, for the reason in `ended`. */
  readonly unjudgeable: boolean;
  readonly created: readonly CreatedPet[];
  /** Why requirements are known to fail, by id. */
  readonly known: ReadonlyMap<string, string>;
}

/** The outcome of a run, as facts, with the exit code of the command. */
export const buildOutcome = (input: OutcomeInput) => {
  const { settings, target, client, redact } = input;
  const requirements = input.catalogue
    .map((requirement) => resultOf(requirement, input))
    .filter((result) => mayApply(result, input));
  const traffic = client.traffic();
  const coverage = redactNames(input.coverage.cells(), redact);
  // A client that is judged may have met its limit, and another API may limit one of many routes.
  const isAnimalStore =
    input.settings.spec === null && input.catalogue.every(({ subject }) => subject === 'server');
  const because = whyUnread(
    input.document.operations.map(({ id }) => id),
    { traffic, coverage },
    { countsLimited: isAnimalStore },
  );
  const operations = input.settings.spec === null ? null : countOperations(input);
  const facts = runFacts(requirements, { because, operations }, input);
  const { verdict, exit } = decideRun(facts);
  const outcome: FoundOutcome = {
    tool: { name: 'animal-store-conformance', version: packageVersion() },
    interface: interfaceOf(input),
    target: { baseUrl: redact(target.baseUrl), reference: target.reference, plan: input.plan },
    startedAt: new Date(input.startedAt).toISOString(),
    durationMs: Math.round(input.endedAt - input.startedAt),
    seed: input.seed,
    ...(settings.shard.of > 1 ? { shard: settings.shard } : {}),
    verdict,
    ended: input.ended ?? (verdict === 'not-judged' ? because : null),
    requirements,
    observations: input.evidenceLog.observations().map(({ id, subject, value, values = [value] }) => ({
      id,
      subject: redact(subject),
      value: redact(value),
      values: values.map(redact),
    })),
    sharedKeys: otherClients(input),
    usedUp: usedUpIn(input),
    traffic: { ...traffic, created: input.creations.used },
    created: input.created.map(({ id, pet }) => ({
      id: id.toString(),
      name: redact(typeof pet.name === 'string' ? pet.name : stringifyJson(pet.name ?? null)),
    })),
    coverage,
    operations,
    exchanges: input.exchangeStore.all(),
    timeline: input.timeline.read(),
  };
  return { outcome, exit };
};

/**
 * Requirements for other APIs are about what many documents do not have: lists, creations, authentication. What the user selected is
 * shown with its reason.
 */
const mayApply = ({ verdict, reason }: FoundResult, { settings }: OutcomeInput): boolean =>
  settings.spec === null ||
  settings.only.length > 0 ||
  verdict !== 'skipped' ||
  reason?.code !== 'not-tested';

/** A limit of one operation leaves the others. */
const usedUpIn = ({ client }: OutcomeInput): Reason | null => {
  const end = client.state().ended.main;
  return end?.detail === 'used-up' && end.operation === undefined ? { code: 'rate-limit', ...end } : null;
};

const runFacts = (
  requirements: readonly FoundResult[],
  { because, operations }: Pick<FoundOutcome, 'operations'> & { readonly because: EndReason | null },
  { settings, unjudgeable, died, interrupted, ended }: OutcomeInput,
): RunFacts => {
  const facts = factsOf(requirements, settings);
  return {
    ...facts,
    failed: facts.failed || (died && !unjudgeable),
    hasUnreadOperation: because !== null,
    // A part of a run sends a part of the cases: `merge` counts the operations of all parts.
    missesMost: settings.shard.of === 1 && missesMost(operations),
    end: interrupted ? 'interrupted' : ended !== null ? 'stopped' : 'complete',
  };
};

const interfaceOf = ({ document, settings, redact }: OutcomeInput): FoundOutcome['interface'] => ({
  version: document.version,
  ...(settings.spec === null ? {} : { title: redact(document.title) }),
});

/** A server may name a header after a key. Most names are in every cell. */
const redactNames = (cells: readonly CoverageCell[], redact: Redact): readonly CoverageCell[] => {
  const nameOf = memoizedByValue(redact);
  return cells.map((cell) => ({
    ...cell,
    headers: Object.fromEntries(Object.entries(cell.headers).map(([name, count]) => [nameOf(name), count])),
  }));
};

/** The result of one requirement, from what was found so far. */
export const resultOf = (requirement: Requirement, input: OutcomeInput): FoundResult => {
  const { evidenceLog, selection, unjudgeable, ended } = input;
  const { id, level, statement, section } = requirement;
  const evidenceOf = (other: string) => withoutSharedKeys(other, evidenceLog.evidenceOn(other), input);
  const found = evidenceLog.evidenceOn(id);
  const evidence = withoutSharedKeys(id, found, input);
  // Breaches of requirements that were not selected are not kept, so a pass proves nothing.
  const skipped = selection.isChosen(id) ? (unjudgeable ? ended : null) : selection.skipped(id);
  const judgement =
    skipped !== null
      ? ({ verdict: 'skipped', reason: skipped } as const)
      : decideVerdict(requirement, {
          ended,
          evidenceOn: evidenceOf,
          casesOf: (other) => evidenceLog.casesOf(other),
          skipped: (other) =>
            other === id && evidence !== found
              ? null
              : (selection.skipped(other) ?? removalReason(other, input)),
        });
  const cases = evidenceLog.casesOf(id);
  const known = input.known.get(id) ?? null;
  const isPart = input.settings.shard.of > 1;
  const { verdict, reason } =
    known !== null && isPart && judgement.verdict === 'passed'
      ? ({ verdict: 'inconclusive', reason: { code: 'not-met-in-shard' } } as const)
      : judgement;
  const shown = judgement.verdict === 'failed' || judgement.verdict === 'warned' ? evidence.failures : [];
  return {
    id,
    level,
    statement,
    section,
    verdict,
    known,
    reason,
    checks:
      skipped === null
        ? evidence.passed + evidence.failures.reduce((sum, { occurrences }) => sum + occurrences, 0)
        : 0,
    evidence: {
      passed: skipped === null ? evidence.passed : 0,
      cases: cases.total,
      lost: Object.fromEntries(cases.lost),
    },
    durationMs: Math.round(found.ms),
    failures: withoutEffects(shown, input).map((failure) => withCircumstances(failure, input)),
  };
};

/** The failures to report. If the target went down: the requests that may have brought it down. */
const withoutEffects = (
  failures: readonly FoundFailure[],
  { died, crashTracker }: OutcomeInput,
): readonly FoundFailure[] =>
  died ? withoutAfterCrash(withoutSideEffects(failures), crashTracker) : withoutSideEffects(failures);

/** GET-5 and the other requirements of getPet exclude each other. */
const removalReason = (id: string, { removal }: OutcomeInput): Reason | null => {
  if (id === 'GET-5' && removal === 'before') return { code: 'before-removal' };
  if (/^GET-[12346]$/.test(id) && removal === 'after')
    return { code: 'after-removal', detail: 'operation', operation: 'getPet' };
  return null;
};

/** A failure with what the whole run shows about it. */
const withCircumstances = (found: FoundFailure, input: OutcomeInput): FoundFailure => {
  const { evidenceLog, exchangeStore } = input;
  const { breach, check, others, path } = found;
  const causedBy = causedByOf(found, input);
  const crash = crashIn(found, input);
  for (const exchange of [breach.exchange, causedBy])
    if (exchange !== null) exchangeStore.pin(exchange, check, breach.requirement);
  return {
    ...found,
    path: isOfTheWholeRun(breach) || mayBeOfAnother(crash) ? null : path,
    passed: evidenceLog.similarPassing(breach),
    commonVariant: evidenceLog.commonVariant(breach),
    irrelevantFields: irrelevantFields(
      breach.exchange.request,
      others.map((other) => other.exchange.request),
    ),
    servesWithoutKey: servesWithoutKey(breach, input),
    crash,
    causedBy,
    leftBy: leftByOf(found, input),
  };
};

/** Another request in flight may have brought the target down, so that this one alone does not repeat it. */
const mayBeOfAnother = (crash: FoundFailure['crash']): boolean =>
  crash !== null && crash.inFlight.length > 0 && !crash.isAlone;

/** An earlier run may have tested another version of the server, which stored what this one would refuse. */
const leftByOf = ({ breach, others }: FoundFailure, { namePrefix }: OutcomeInput): string | null => {
  const names = [breach, ...others].flatMap(({ problem }) =>
    problem.rule === 'schema' ? problem.mistakes.map(({ name }) => name) : [undefined],
  );
  const prefixes = names.map((name) => otherPrefixIn(name, namePrefix));
  return prefixes.includes(null) ? null : (prefixes[0] ?? null);
};

/** A list that fails since a creation, or the animal of that creation. */
const causedByOf = ({ breach }: FoundFailure, { listBreakage }: OutcomeInput): Exchange | null => {
  const creation = listBreakage.culprit();
  const { exchange, before = [] } = breach;
  if (creation === null || (exchange.response?.status ?? 0) < 500) return null;
  if (exchange.startedAt + exchange.durationMs < creation.startedAt) return null;
  return exchange.request.operation === 'listPets' || before.includes(creation) ? creation : null;
};

const isSuccess = ({ response }: Exchange): boolean => response !== null && response.status < 300;

/** If no key is needed, a wrong key succeeds too, and so does the right one in a wrong place. */
const servesWithoutKey = ({ requirement, exchange }: Breach, { evidenceLog }: OutcomeInput): boolean =>
  ['AUTH-2', 'AUTH-3'].includes(requirement) &&
  isSuccess(exchange) &&
  evidenceLog
    .evidenceOn('AUTH-1')
    .failures.some(
      ({ breach: { exchange: keyless } }) =>
        keyless.request.operation === exchange.request.operation && isSuccess(keyless),
    );

/** The crash, if the request of the cause got no response and the target accepts no connections since. */
const crashIn = (
  { breach: { exchange }, tries }: FoundFailure,
  { died, crashTracker }: OutcomeInput,
): Crash | null =>
  died && tries === 1 && ['reset', 'refused'].includes(exchange.failure?.kind ?? '')
    ? crashOf(crashTracker, exchange)
    : null;
