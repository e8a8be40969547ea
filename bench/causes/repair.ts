import { type LikelyBug, likelyBug } from '../../src/report/likely-bugs.ts';
import { effectText, type RootCause, rootCauses, rootCauseText } from '../../src/report/root-causes.ts';
import { byBlockedCount } from '../../src/report/sort-failures.ts';
import { isOfServer, type Outcome, type ServerFailure } from '../../src/run/outcome.ts';
import type { DrawnServer } from './draw.ts';
import type { OutcomeWith } from './outcomes.ts';

/** What a developer fixes first, with the failures that go by what the report says. */
interface Lead {
  readonly text: string;
  readonly isRootCause: boolean;
  /** The bug that the text names. Null if it only says what is wrong. */
  readonly bug: LikelyBug['code'] | null;
  /** The failure that represents it, and its sentence. */
  readonly leading: string;
  readonly message: string;
  readonly promised: readonly string[];
  /** Requirements that pass by what the report says. */
  readonly clears: readonly string[];
}

/** One fix of a first root cause. */
export interface Round {
  readonly lead: Lead;
  /** The fault that was removed. Null if nothing shows which fault the lead is about. */
  readonly fault: string | null;
  /** The text names a bug that no fault of the server has. */
  readonly isWrongBug: boolean;
  readonly kept: readonly string[];
  readonly broken: readonly string[];
  /** Went with the fix, without a promise. */
  readonly unpromised: readonly string[];
  /** Promised requirements that still fail. */
  readonly stillFailing: readonly string[];
}

export interface Repair {
  readonly server: DrawnServer;
  readonly rounds: readonly Round[];
  /** Faults that were left when the server was green. */
  readonly unseen: readonly string[];
}

/** Failures with the same key have the same cause, in runs of servers that differ. */
const keyOf = (requirement: string, { rule, variant = '', operation }: ServerFailure): string =>
  [requirement, rule, variant, operation].join(' | ');

const failedIn = ({ requirements }: Outcome) => requirements.filter(({ verdict }) => verdict === 'failed');

const failuresIn = (outcome: Outcome) =>
  failedIn(outcome).flatMap((result) =>
    result.failures
      .filter(isOfServer)
      .map((failure) => ({ result, failure, key: keyOf(result.id, failure) })),
  );

const keysIn = (outcome: Outcome): ReadonlySet<string> => new Set(failuresIn(outcome).map(({ key }) => key));

/** The names of the bugs that a run reports, for any failure. */
const bugsIn = (outcome: Outcome) =>
  failuresIn(outcome).map(({ result, failure }) => likelyBug(result, failure, outcome)?.code);

const leadOfCause = (cause: RootCause): Lead => {
  const own = cause.kind === 'failure' ? [cause] : [];
  const whole = [...own, ...cause.explains].filter(({ failure }) => !cause.partly.includes(failure));
  const [leading = ''] = [...own, ...cause.explains].map(({ requirement, failure }) =>
    keyOf(requirement, failure),
  );
  const promised = [...new Set(whole.map(({ requirement, failure }) => keyOf(requirement, failure)))];
  return {
    text: `${rootCauseText(cause)} (${effectText(cause)})`,
    isRootCause: true,
    bug: cause.kind === 'failure' ? (cause.bug?.code ?? null) : null,
    leading,
    message: cause.kind === 'failure' ? cause.failure.message : '',
    promised,
    clears: cause.clears,
  };
};

/** The first root cause, otherwise the first failure, which promises only itself. Returns null if nothing failed. */
const leadOf = (outcome: Outcome): Lead | null => {
  const [cause] = rootCauses(outcome);
  if (cause !== undefined) return leadOfCause(cause);
  const [first] = byBlockedCount(failedIn(outcome), outcome.requirements);
  const failure = first?.failures.find(isOfServer);
  if (first === undefined || failure === undefined) return null;
  const bug = likelyBug(first, failure, outcome);
  const key = keyOf(first.id, failure);
  const text = `${first.id} ${bug?.text ?? failure.message}`;
  const { message } = failure;
  return {
    text,
    isRootCause: false,
    bug: bug?.code ?? null,
    leading: key,
    message,
    promised: [key],
    clears: [],
  };
};

export interface Bench {
  readonly outcomeWith: OutcomeWith;
  alone(fault: string): Promise<Outcome>;
}

const filterAsync = async <Value>(some: readonly Value[], holds: (value: Value) => Promise<boolean>) => {
  const results: boolean[] = [];
  for (const value of some) results.push(await holds(value));
  return some.filter((_, index) => results[index]);
};

/** A sentence without what differs from run to run: names and ids. */
const comparable = (message: string): string => message.replaceAll(/[\w-]*\d[\w-]*/g, '#');

/** Whether the fault alone has the leading failure in the same words. */
const readsAlike = ({ leading, message }: Lead, outcome: Outcome): boolean =>
  failuresIn(outcome).some(
    ({ key, failure }) => key === leading && comparable(failure.message) === comparable(message),
  );

/**
 * The fault that causes the leading failure: the one that shows it alone. If several do, the fault that shows it in the same words.
 * If this is not one fault either, the fault without which the failure is gone. If several are left, the last: its code runs outermost
 * and makes the response.
 */
const faultOf = async (lead: Lead, { seed, faults }: DrawnServer, { alone, outcomeWith }: Bench) => {
  const showing = await filterAsync(faults, async (fault) => keysIn(await alone(fault)).has(lead.leading));
  const alike = await filterAsync(showing, async (fault) => readsAlike(lead, await alone(fault)));
  const likely = alike.length > 0 ? alike : showing;
  if (likely.length === 1) return likely[0] ?? null;
  const needed = await filterAsync(likely.length > 1 ? likely : faults, async (fault) => {
    const others = faults.filter((other) => other !== fault);
    return !keysIn(await outcomeWith(others, seed)).has(lead.leading);
  });
  return needed.at(-1) ?? likely.at(-1) ?? null;
};

const isMissing = async ({ bug }: Lead, faults: readonly string[], { alone }: Bench): Promise<boolean> => {
  if (bug === null) return false;
  return (await filterAsync(faults, async (fault) => bugsIn(await alone(fault)).includes(bug))).length === 0;
};

/** Fixes what the report names first, again and again until the server is green, and compares each report with the next. */
export const repair = async (server: DrawnServer, bench: Bench): Promise<Repair> => {
  const rounds: Round[] = [];
  let faults = server.faults;
  let outcome = await bench.outcomeWith(faults, server.seed);
  for (let lead = leadOf(outcome); lead !== null && faults.length > 0; lead = leadOf(outcome)) {
    const here = { ...server, faults };
    const fault = await faultOf(lead, here, bench);
    const isWrongBug = await isMissing(lead, faults, bench);
    const removed = fault ?? faults.at(-1);
    faults = faults.filter((each) => each !== removed);
    const before = keysIn(outcome);
    outcome = await bench.outcomeWith(faults, server.seed);
    const after = keysIn(outcome);
    const { promised, clears } = lead;
    const failing = new Set(failedIn(outcome).map(({ id }) => id));
    rounds.push({
      ...{ lead, fault, isWrongBug },
      kept: promised.filter((key) => !after.has(key)),
      broken: promised.filter((key) => after.has(key)),
      unpromised: [...before].filter((key) => !after.has(key) && !promised.includes(key)),
      stillFailing: clears.filter((id) => failing.has(id)),
    });
  }
  return { server, rounds, unseen: faults };
};
