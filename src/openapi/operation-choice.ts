import type { Operation } from './document.ts';

/** Which operations the user chose: patterns of ids, of `METHOD path`, or of tags, with `*` for any text. */
export interface OperationChoice {
  /** Empty: all. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
}

type Named = Pick<Operation, 'id' | 'method' | 'path' | 'tags'>;

/** The names by which a pattern finds an operation. */
export const namesOf = ({ id, method, path, tags }: Named): readonly string[] => [
  ...new Set([id, `${method} ${path}`, ...tags]),
];

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const isNamed = (pattern: string, operation: Named): boolean => {
  const whole = new RegExp(`^${pattern.trim().split('*').map(escaped).join('.*')}$`, 'is');
  return namesOf(operation).some((name) => whole.test(name));
};

/** Whether the choice leaves the operation to be tested. */
export const isChosen = ({ only, skip }: OperationChoice, operation: Named): boolean =>
  (only.length === 0 || only.some((pattern) => isNamed(pattern, operation))) &&
  !skip.some((pattern) => isNamed(pattern, operation));

/** The patterns that name no operation. */
export const unmatched = (patterns: readonly string[], operations: readonly Named[]): readonly string[] =>
  patterns.filter((pattern) => !operations.some((operation) => isNamed(pattern, operation)));
