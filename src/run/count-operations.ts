import type { Reason } from '../finding/reason.ts';
import type { FoundOutcome } from './found-outcome.ts';
import type { Run } from './wire-up.ts';

type Found = Pick<Run, 'settings' | 'selection' | 'document' | 'coverage' | 'evidenceLog'>;

/** The user gave a flag that excludes what the operation does. */
const isChoice = (reason: Reason | undefined, { settings }: Found): boolean =>
  reason?.code === 'not-selected' ||
  reason?.code === 'read-only' ||
  (reason?.code === 'needs-risky' && settings.risky === false);

/** The user chose cases that need not request every operation. */
const choosesCases = ({ settings, selection }: Found): boolean =>
  settings.path !== null || !selection.isChosen('GEN-1');

/** Counts the operations that got a request, and says why the others did not. */
export const countOperations = (input: Found): NonNullable<FoundOutcome['operations']> => {
  const { document, coverage, evidenceLog } = input;
  const seen = new Set(coverage.cells().flatMap((cell) => (cell.seen > 0 ? [cell.operation] : [])));
  const given = [...evidenceLog.evidenceOn('GEN-1').inconclusive.values()].map(({ reason }) => reason);
  const left = document.operations
    .filter(({ id }) => !seen.has(id))
    .map(({ method, path }) => {
      const name = `${method} ${path}`;
      return { name, reason: given.find((reason) => 'operation' in reason && reason.operation === name) };
    });
  return {
    all: document.operations.length,
    requested: document.operations.length - left.length,
    leftOut: choosesCases(input) ? left.length : left.filter(({ reason }) => isChoice(reason, input)).length,
    reasons: left.map(
      ({ name, reason }): Reason => reason ?? { code: 'not-tested', detail: 'operation', operation: name },
    ),
  };
};
