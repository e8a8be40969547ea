import { shownVerdicts } from './shown-verdicts.ts';

/** How the test of a requirement ends. */
export const testEndings = {
  passesNow: (id: string) => `${id} is listed as a known failure but passes now`,
  known: (reason: string) => `${shownVerdicts.known.word}: ${reason}`,
  suiteError: (id: string, error: string | null) => `${id}: the check failed, not the server: ${error}`,
  endedEarly: (id: string, why: string) => `${id}: not tested, because the run ended early: ${why}`,
  afterEnd: (failures: readonly string[]) => `Failed after the test had ended:\n${failures.join('\n')}`,
  moreFailures: (left: number, id: string) => `and ${left} more failures of ${id}`,
} as const;

/** Why the tests cannot run. */
export const testProblems = {
  settings: (problems: readonly string[]) => `conformance: ${problems.join('\n')}`,
  fakeTimers: 'conformance() waits and measures time: call vi.useRealTimers() before it runs',
  noTest: (id: string) => `${id} has no test: give own checks to conformance({ checks, requirements })`,
  notSelected: (id: string) => `${id} was not selected`,
  untestable: 'The server cannot be tested',
  noBaseUrl: 'start: it returned no baseUrl',
} as const;
