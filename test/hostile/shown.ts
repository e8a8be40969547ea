import { expect } from 'vitest';
import type { Outcome } from '../../src/run/outcome.ts';
import type { Behavior } from './behaviors.ts';

/** What people see of a run. */
export interface Shown {
  readonly code: number | null;
  readonly report: Outcome | undefined;
  readonly printed: string;
  /** The HTML report. */
  readonly html: string;
}

const controlCharacters = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

/** Expects this result, no error of the suite, and no harmful text of the server in the output or the report. */
export const expectResult = (
  { report, printed, html, code }: Shown,
  expected: Pick<Behavior, 'code' | 'failed'>,
) => {
  expect(code, printed).toBe(expected.code);
  const verdicts = new Map(report?.requirements.map(({ id, verdict }) => [id, verdict]));
  for (const id of expected.failed) expect(verdicts.get(id), id).toBe('failed');
  expect([...verdicts.values()]).not.toContain('error');
  expect((printed.match(controlCharacters) ?? []).filter((found) => !'\n\t'.includes(found))).toEqual([]);
  expect(printed).not.toMatch(/^::/m);
  expect(html).not.toMatch(/<script>alert/);
  const failures = report?.requirements.flatMap(({ failures }) => failures) ?? [];
  return { gen4: verdicts.get('GEN-4'), texts: failures.map(({ message }) => message).join('\n') };
};
