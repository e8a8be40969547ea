import type { Degenerate } from '../reference/degenerate/index.ts';
import type { Fault } from '../reference/patch.ts';
import type { Examination } from './examination.ts';
import { isHeldOut } from './held-out.ts';
import {
  isKilled,
  type JudgedDegenerate,
  type JudgedDialect,
  type JudgedFault,
  judgeDegenerate,
  judgeDialect,
  judgeFault,
} from './judge.ts';

/** A share of a whole, such as faults killed. */
export interface Share {
  readonly hits: number;
  readonly of: number;
}

/** How many faults a run of few requests kills. */
export interface BudgetShare extends Share {
  readonly budget: number;
  /** The share of the held-out faults: nobody looked at these when the inputs were marked. */
  readonly heldOut: Share;
  /** Percent of the held-out faults that have to be killed. */
  readonly wanted: number;
  readonly binding: boolean;
  /** The faults that are not killed. */
  readonly survivors: readonly string[];
}

/** `selftest.json`: what the self-test found. The matrix of faults and requirements is in `verdicts` of each fault. */
export interface SelfTestReport {
  readonly schemaVersion: 1;
  readonly tool: { readonly name: string; readonly version: string };
  readonly seed: number;
  /** Of every requirement on servers, in the order of the catalogue. */
  readonly requirements: readonly {
    readonly id: string;
    readonly level: string;
    readonly statement: string;
  }[];
  readonly killRate: Share;
  /** Of the kills: those in which nothing else failed. */
  readonly precision: Share;
  /** Of the dialects and combinations: those that something was held against. */
  readonly falseAlarms: Share;
  readonly degenerateRejected: Share;
  readonly budgets: readonly BudgetShare[];
  readonly faults: readonly JudgedFault[];
  readonly dialects: readonly JudgedDialect[];
  readonly degenerate: readonly JudgedDegenerate[];
  readonly passed: boolean;
}

/** What the examined servers are, by name. */
export interface Known {
  readonly faults: readonly Omit<Fault, 'patch'>[];
  readonly degenerate: readonly Omit<Degenerate, 'patch'>[];
}

/** A judged server with what it was. */
export type Judgement =
  | { readonly kind: 'fault'; readonly budget: number | null; readonly result: JudgedFault }
  | { readonly kind: 'dialect'; readonly result: JudgedDialect }
  | { readonly kind: 'degenerate'; readonly result: JudgedDegenerate };

const find = <Named extends { readonly name: string }>(
  all: readonly Named[],
  name: string | undefined,
): Named => {
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no ${name} in the self-test.`);
  return found;
};

/** Judges one examination by what its server is. */
export const judgementOf = (examination: Examination, known: Known): Judgement => {
  const { kind, names, budget } = examination.task;
  if (kind === 'fault') {
    return { kind, budget, result: judgeFault(find(known.faults, names[0]), examination) };
  }
  if (kind === 'degenerate') {
    return { kind, result: judgeDegenerate(find(known.degenerate, names[0]), examination) };
  }
  return { kind: 'dialect', result: judgeDialect(kind, examination) };
};

/** Of a run that was given few requests, and was ended once it had failed what it was to fail. */
export const isOnBudget = (judgement: Judgement): boolean =>
  judgement.kind === 'fault' && judgement.budget !== null;

/** Whether a judgement is as it has to be; what runs on a budget is counted, and not judged one by one. */
export const isGood = (judgement: Judgement): boolean => {
  if (judgement.result.broken !== null) return false;
  if (isOnBudget(judgement)) return true;
  if (judgement.kind === 'fault') return judgement.result.standing === 'killed';
  return judgement.result.standing === (judgement.kind === 'dialect' ? 'accepted' : 'rejected');
};

const shareOf = <Item>(items: readonly Item[], isHit: (item: Item) => boolean): Share => ({
  hits: items.filter(isHit).length,
  of: items.length,
});

/** Percent, rounded down, so that 100 means all. */
export const percent = ({ hits, of }: Share): number =>
  of === 0 ? 100 : Math.floor((hits / of) * 1000) / 10;

export interface Budget {
  readonly requests: number;
  readonly wanted: number;
  /** The self-test fails if fewer held-out faults are killed. */
  readonly binding: boolean;
}

const budgetShare = (
  { requests, wanted, binding }: Budget,
  judgements: readonly Judgement[],
): BudgetShare => {
  const faults = judgements.flatMap((judgement) =>
    judgement.kind === 'fault' && judgement.budget === requests ? [judgement.result] : [],
  );
  const survivors = faults.filter((fault) => !isKilled(fault)).map(({ name }) => name);
  const heldOut = shareOf(
    faults.filter(({ name }) => isHeldOut(name)),
    isKilled,
  );
  return { budget: requests, wanted, binding, ...shareOf(faults, isKilled), heldOut, survivors };
};

export interface ReportContext extends Pick<SelfTestReport, 'tool' | 'seed' | 'requirements'> {
  readonly budgets: readonly Budget[];
}

/** Puts the report together; judgements come in the order of the tasks. */
export const reportOf = (judgements: readonly Judgement[], context: ReportContext): SelfTestReport => {
  const { tool, seed, requirements } = context;
  const faults = judgements.flatMap((one) =>
    one.kind === 'fault' && one.budget === null ? [one.result] : [],
  );
  const dialects = judgements.flatMap((one) => (one.kind === 'dialect' ? [one.result] : []));
  const degenerate = judgements.flatMap((one) => (one.kind === 'degenerate' ? [one.result] : []));
  const budgets = context.budgets.map((budget) => budgetShare(budget, judgements));
  return {
    schemaVersion: 1,
    tool,
    seed,
    requirements,
    killRate: shareOf(faults, isKilled),
    precision: shareOf(faults.filter(isKilled), ({ standing }) => standing === 'killed'),
    falseAlarms: shareOf(dialects, ({ standing }) => standing !== 'accepted'),
    degenerateRejected: shareOf(degenerate, ({ standing }) => standing === 'rejected'),
    budgets,
    faults,
    dialects,
    degenerate,
    passed:
      judgements.every(isGood) &&
      budgets.every(({ binding, heldOut, wanted }) => !binding || percent(heldOut) >= wanted),
  };
};
