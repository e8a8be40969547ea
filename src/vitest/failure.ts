import { failureText } from '../report/failure-text.ts';
import { visible } from '../report/text/escape.ts';
import { withoutLogCommands } from '../report/text/log-commands.ts';
import { testEndings } from '../report/text/vitest.ts';
import { isOfServer, type RequirementResult, type ServerFailure } from '../run/outcome.ts';

/** Where the tests are defined. */
export interface CallSite {
  /** A line of a stack trace: reporters show the code of its place, and some show nothing without it. */
  readonly frame: string;
  /** Relative to the project. */
  readonly file: string;
}

const mostShown = 5;

interface Sides {
  readonly expected?: string;
  readonly actual?: string;
}

/** Returns an error at the place of the call. Vitest shows its sides as a diff. */
export const errorAt = (text: string, frame: string, sides: Sides = {}): Error => {
  const message = withoutLogCommands(text);
  const error = Object.assign(new Error(message), sides);
  error.name = 'ConformanceFailure';
  error.stack = `${error.name}: ${message}\n${frame}`;
  return error;
};

/** A shell command that repeats the tests that a failure needs. */
const replayCommand = ({ id }: RequirementResult, { check, seed }: ServerFailure, file: string): string => {
  const ids = new Set([check.split(' ')[0] ?? id, id]);
  const pattern = [...ids].map((each) => `${each} `).join('|');
  return `ANIMAL_STORE_SEED=${seed} npx vitest run ${file} -t '${pattern}'`;
};

/** All failures of a requirement as one text; `hasDiff`: Vitest shows the sides of the first. */
const textOf = (result: RequirementResult, { file }: CallSite, hasDiff: boolean): string => {
  const shown = result.failures
    .slice(0, mostShown)
    .map((failure, index) =>
      failureText(
        result,
        isOfServer(failure) ? { ...failure, replay: replayCommand(result, failure, file) } : failure,
        { color: false, sides: index > 0 || !hasDiff },
      ),
    );
  const left = result.failures.length - shown.length;
  return [...shown, ...(left > 0 ? [testEndings.moreFailures(left, result.id)] : [])].join('\n\n');
};

/** The failures of a requirement that do not fail the run, as one text. */
export const warningText = (result: RequirementResult, site: CallSite): string =>
  withoutLogCommands(textOf(result, site, false));

const shown = (text: string): string => withoutLogCommands(visible(text));

/** The error that the test of a failed requirement throws. */
export const failureError = (result: RequirementResult, site: CallSite): Error => {
  const [first] = result.failures;
  const sides = first === undefined ? {} : { expected: shown(first.expected), actual: shown(first.actual) };
  return errorAt(textOf(result, site, true), site.frame, sides);
};
