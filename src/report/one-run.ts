import type { Report } from './conformance.ts';
import { shardProblems as problems } from './text/report-files.ts';

/** Why shards are not a complete run, in a sentence; null: they are, or the reports name no shard. */
const whyIncomplete = (reports: readonly Report[]): string | null => {
  const shards = reports.flatMap(({ shard }) => shard ?? []);
  const [first] = shards;
  if (first === undefined) return null;
  if (shards.length < reports.length) return problems.notAllShards;
  const byIndex = Map.groupBy(shards, ({ index }) => index);
  const [repeated] = [...byIndex].filter(([, same]) => same.length > 1);
  if (repeated !== undefined) return problems.repeated(`${repeated[0]}/${first.of}`, repeated[1].length);
  const missing = Array.from({ length: first.of }, (_, before) => before + 1)
    .filter((index) => !byIndex.has(index))
    .map((index) => `${index}/${first.of}`);
  return missing.length === 0 ? null : problems.missing(missing);
};

/** Why reports are not shards of one run, in a sentence; null: they are. */
export const whyNotOneRun = (reports: readonly Report[]): string | null => {
  if (reports.some(({ isClaim }) => isClaim)) return problems.claim;
  // Shards say themselves that they are parts of one run: each may have an instance of the server for itself.
  const areShards = reports.every(({ shard }) => shard !== undefined);
  const targets = reports.map(({ target }) =>
    target.reference ? problems.reference : areShards ? '' : target.baseUrl,
  );
  const compared: readonly (readonly [what: string, values: readonly string[]])[] = [
    [problems.targets, targets],
    [problems.seeds, reports.map(({ seed }) => String(seed))],
    [problems.interfaces, reports.map((report) => report.interface.version)],
    [problems.numbers, reports.flatMap(({ shard }) => (shard === undefined ? [] : [String(shard.of)]))],
  ];
  const [different] = compared.filter(([, values]) => new Set(values).size > 1);
  return different === undefined
    ? whyIncomplete(reports)
    : problems.differ(different[0], [...new Set(different[1])]);
};
