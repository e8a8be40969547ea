import { hashOf } from '../util/hash.ts';
import { isGoodClient, type JudgedClient } from './clients/test-clients.ts';
import {
  isGood,
  isKilled,
  type JudgedDegenerate,
  type JudgedDialect,
  type JudgedFault,
  type JudgedServer,
} from './judge.ts';

/** A share of a whole, such as faults killed. */
export interface Share {
  readonly hits: number;
  readonly of: number;
}

/** A run of few requests, and the share of faults that it must kill. */
export interface Budget {
  readonly requests: number;
  /** Percent of the held-out faults that must be killed. */
  readonly wanted: number;
  /** The self-test fails if fewer are killed. */
  readonly binding: boolean;
}

/** How many faults a run of few requests kills. */
export interface BudgetShare extends Share, Omit<Budget, 'requests'> {
  readonly budget: number;
  /** The share of the held-out faults: nobody looked at these when the inputs were marked. */
  readonly heldOut: Share;
  /** The faults that are not killed. */
  readonly survivors: readonly string[];
}

/** `selftest.json`, the result of the self-test. The matrix of faults and requirements is in `verdicts` of each fault. */
export interface SelfTestReport {
  readonly schemaVersion: 1;
  readonly tool: { readonly name: string; readonly version: string };
  readonly seed: number;
  /** Every requirement on servers and domains, in the order of the catalogue. */
  readonly requirements: readonly {
    readonly id: string;
    readonly level: string;
    readonly statement: string;
  }[];
  readonly killRate: Share;
  /** The share of kills in which nothing else failed. */
  readonly precision: Share;
  /** The share of dialects and combinations with a false alarm. */
  readonly falseAlarms: Share;
  readonly degenerateRejected: Share;
  readonly budgets: readonly BudgetShare[];
  readonly faults: readonly JudgedFault[];
  readonly dialects: readonly JudgedDialect[];
  readonly degenerate: readonly JudgedDegenerate[];
  /** Clients that `judge` was tested with; none if only some servers were selected. */
  readonly clients: readonly JudgedClient[];
  readonly passed: boolean;
}

const shareOf = <Item>(items: readonly Item[], isHit: (item: Item) => boolean): Share => ({
  hits: items.filter(isHit).length,
  of: items.length,
});

/** Percent, rounded down, so that 100 means all. */
export const percent = ({ hits, of }: Share): number =>
  of === 0 ? 100 : Math.floor((hits / of) * 1000) / 10;

/**
 * A fifth of the faults, drawn by name. Nobody looks at them to mark inputs `smoke` or `core`, so they show what a run on a budget finds
 * on unknown servers.
 */
const isHeldOut = ({ name }: JudgedFault): boolean => hashOf(name) % 5 === 0;

const budgetShare = ({ requests, ...budget }: Budget, all: readonly JudgedFault[]): BudgetShare => {
  const faults = all.filter((fault) => fault.budget === requests);
  return {
    ...budget,
    budget: requests,
    ...shareOf(faults, isKilled),
    heldOut: shareOf(faults.filter(isHeldOut), isKilled),
    survivors: faults.filter((fault) => !isKilled(fault)).map(({ name }) => name),
  };
};

export interface SelfTestContext extends Pick<SelfTestReport, 'tool' | 'seed' | 'requirements' | 'clients'> {
  readonly budgets: readonly Budget[];
}

/** Builds the report; the servers are in the order of the tasks. */
export const reportOf = (
  servers: readonly JudgedServer[],
  { budgets: wanted, ...context }: SelfTestContext,
): SelfTestReport => {
  const all = servers.filter((server) => server.kind === 'fault');
  const faults = all.filter(({ budget }) => budget === null);
  const dialects = servers.filter((server) => server.kind !== 'fault' && server.kind !== 'degenerate');
  const degenerate = servers.filter((server) => server.kind === 'degenerate');
  const budgets = wanted.map((budget) => budgetShare(budget, all));
  return {
    schemaVersion: 1,
    ...context,
    killRate: shareOf(faults, isKilled),
    precision: shareOf(faults.filter(isKilled), isGood),
    falseAlarms: shareOf(dialects, (dialect) => !isGood(dialect)),
    degenerateRejected: shareOf(degenerate, isGood),
    budgets,
    faults,
    dialects,
    degenerate,
    passed:
      servers.every(isGood) &&
      context.clients.every(isGoodClient) &&
      budgets.every(({ binding, heldOut, wanted }) => !binding || percent(heldOut) >= wanted),
  };
};
