import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OrProblems } from '../config/values.ts';
import { firstLine } from '../openapi/read-source.ts';
import { groupOf, type Requirement } from '../openapi/requirement.ts';
import { type Check, coveredBy } from './check.ts';
import type { CheckContext } from './context.ts';
import { ownCheckProblems as texts } from './refusals.ts';
import type { OwnRequirement } from './requirement.ts';

/** Requirements and checks in addition to the suites. */
export interface Extra {
  readonly requirements: readonly Requirement[];
  readonly checks: readonly Check[];
}

type Own = OwnRequirement | Check;

export type ReadExtra = OrProblems<{ readonly extra: Extra }>;

export const noExtra: Extra = { requirements: [], checks: [] };

/** Compares data, not classes: the command and a project may have different copies of this package. */
const isOwn = (value: unknown): value is Own =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  ((value.kind === 'requirement' && 'statement' in value) || (value.kind === 'check' && 'inputs' in value));

const isRequirement = (own: Own): own is OwnRequirement => own.kind === 'requirement';

const duplicates = (values: readonly string[]): readonly string[] =>
  [...new Set(values)].filter((value) => values.indexOf(value) !== values.lastIndexOf(value));

const problemsOf = (
  requirements: readonly OwnRequirement[],
  checks: readonly Check[],
  catalogue: readonly Requirement[],
): readonly string[] => {
  const groups = new Set(catalogue.map(({ id }) => groupOf(id)));
  const ids = new Set(requirements.map(({ id }) => id));
  const tested = checks.flatMap(coveredBy);
  const known = new Set([...ids, ...catalogue.map(({ id }) => id)]);
  return [
    ...requirements.flatMap(({ id }) =>
      groups.has(groupOf(id)) ? [texts.prefixTaken(id, groupOf(id))] : [],
    ),
    ...duplicates(requirements.map(({ id }) => id)).map(texts.idTwice),
    ...duplicates(checks.map(({ id }) => id)).map(texts.titleTwice),
    ...[...new Set(tested)].filter((id) => !ids.has(id)).map(texts.undefined),
    ...[...ids].filter((id) => !tested.includes(id)).map(texts.untested),
    ...requirements.flatMap(({ id, dependsOn }) =>
      dependsOn
        .filter((other) => other === id || !known.has(other))
        .map((other) => texts.unknownDependency(id, other)),
    ),
  ];
};

/** Reads own requirements and checks against the catalogue. */
export const readExtra = (values: readonly unknown[], catalogue: readonly Requirement[]): ReadExtra => {
  const ownValues = values.filter(isOwn);
  if (ownValues.length < values.length) return { ok: false, problems: [texts.notDefined] };
  const unique = [...new Set(ownValues)];
  const requirements = unique.filter(isRequirement);
  const checks = unique.filter((own) => !isRequirement(own));
  const problems = problemsOf(requirements, checks, catalogue);
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, extra: { requirements, checks: checks.map(limitToOwn) } };
};

/** Returns the check with a context that rejects evidence on requirements that the check does not cover. */
const limitToOwn = (check: Check): Check => {
  const requireCovered = (requirement = check.requirement): string => {
    if (coveredBy(check).includes(requirement)) return requirement;
    throw new Error(texts.notCovered(requirement));
  };
  const limitContext = (context: CheckContext): CheckContext => ({
    ...context,
    send: async (request, options) => {
      for (const { requirement } of request.expects) requireCovered(requirement);
      return context.send(request, options);
    },
    passed: (requirement) => context.passed(requireCovered(requirement)),
    breach: (breach) => context.breach({ ...breach, requirement: requireCovered(breach.requirement) }),
    inconclusive: (reason, requirement) => context.inconclusive(reason, requireCovered(requirement)),
    observe: (subject, value, requirement) => context.observe(subject, value, requireCovered(requirement)),
  });
  return { ...check, run: (input, context) => check.run(input, limitContext(context)) };
};

const exportsOf = async (file: string, directory: string): Promise<readonly Own[] | string> => {
  try {
    const module: Readonly<Record<string, unknown>> = await import(
      pathToFileURL(resolve(directory, file)).href
    );
    const ownValues = Object.values(module).flat().filter(isOwn);
    return ownValues.length > 0 ? ownValues : texts.noExport;
  } catch (error) {
    return firstLine(error);
  }
};

/** Loads the modules of --checks in their order. Paths are relative to the directory. */
export const loadOwn = async (
  files: readonly string[],
  directory: string,
): Promise<OrProblems<{ readonly values: readonly unknown[] }>> => {
  const values: unknown[] = [];
  const problems: string[] = [];
  for (const file of files) {
    const ownValues = await exportsOf(file, directory);
    if (typeof ownValues === 'string') problems.push(`--checks ${file}: ${ownValues}`);
    else values.push(...ownValues);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, values };
};
