import type { Level } from '../../openapi/requirement.ts';
import type { Report } from '../conformance.ts';
import type { ShownVerdict } from '../text/shown-verdicts.ts';
import { mustsOf, shownVerdictOf, withVerdict } from '../verdicts.ts';

/** A report, or a claim, with the name of its implementation. */
export interface NamedReport {
  readonly name: string;
  readonly report: Report;
}

/** An implementation in a matrix. */
export interface Implementation {
  readonly name: string;
  readonly verdict: Report['verdict'];
  /** The version of the suite that tested it. */
  readonly tool: string;
  readonly interface: string;
  readonly startedAt: string;
  readonly seed: number;
  /** The MUSTs that it fails, without known failures. */
  readonly failed: readonly string[];
  /** Requirements that passed, and all that were selected. */
  readonly passed: number;
  readonly selected: number;
}

export interface MatrixRow {
  readonly id: string;
  readonly level: Level;
  readonly statement: string;
  /** By the name of the implementation; a report that does not have the requirement has no member. */
  readonly verdicts: Readonly<Record<string, ShownVerdict>>;
}

/** A verdict that an earlier matrix had differently. */
export interface MatrixChange {
  readonly implementation: string;
  readonly id: string;
  /** Null if the earlier matrix did not have the implementation or the requirement. */
  readonly before: ShownVerdict | null;
  readonly now: ShownVerdict;
}

/** `matrix.json`: requirement × implementation. */
export interface Matrix {
  readonly matrixVersion: 1;
  readonly implementations: readonly Implementation[];
  readonly requirements: readonly MatrixRow[];
  /** Since the earlier matrix. Null without one. */
  readonly changes: readonly MatrixChange[] | null;
}

const implementationOf = ({ name, report }: NamedReport): Implementation => ({
  name,
  verdict: report.verdict,
  tool: report.tool.version,
  interface: report.interface.version,
  startedAt: report.startedAt,
  seed: report.seed,
  failed: mustsOf(withVerdict(report.requirements, 'failed')).map(({ id }) => id),
  passed: withVerdict(report.requirements, 'passed').length,
  selected: report.requirements.filter(({ verdict }) => verdict !== 'skipped').length,
});

const rowsOf = (reports: readonly NamedReport[]): readonly MatrixRow[] => {
  const all = reports.flatMap(({ name, report }) =>
    report.requirements.map((requirement) => ({ name, requirement })),
  );
  return [...Map.groupBy(all, ({ requirement: { id } }) => id).values()].flatMap((results) => {
    const [first] = results;
    if (first === undefined) return [];
    const { id, level, statement } = first.requirement;
    const verdicts = Object.fromEntries(
      results.map(({ name, requirement }) => [name, shownVerdictOf(requirement)]),
    );
    return [{ id, level, statement, verdicts }];
  });
};

const changesSince = (before: Matrix, rows: readonly MatrixRow[]): readonly MatrixChange[] => {
  const old = new Map(before.requirements.map(({ id, verdicts }) => [id, verdicts]));
  return rows.flatMap(({ id, verdicts }) =>
    Object.entries(verdicts).flatMap(([implementation, now]) => {
      const was = old.get(id)?.[implementation] ?? null;
      return was === now ? [] : [{ implementation, id, before: was, now }];
    }),
  );
};

/** Puts reports side by side. `before`: the earlier matrix, if there is one. */
export const matrixOf = (reports: readonly NamedReport[], before: Matrix | null): Matrix => {
  const requirements = rowsOf(reports);
  return {
    matrixVersion: 1,
    implementations: reports.map(implementationOf),
    requirements,
    changes: before === null ? null : changesSince(before, requirements),
  };
};
