import { type AnyResult, isUnjudgeable, type Outcome, type RequirementResult } from '../run/outcome.ts';
import { failureText } from './failure-text.ts';
import {
  byRootCause,
  effectText,
  type RootCause,
  rootCauses,
  rootCauseText,
  shownFailure,
} from './root-causes.ts';
import { oneLine, visible } from './text/escape.ts';
import { withoutLogCommands } from './text/log-commands.ts';
import { verdictLeads, verdictTitles } from './text/page.ts';
import { annotationWords as words } from './text/report-files.ts';
import { passesNow, type ShownVerdict } from './text/shown-verdicts.ts';
import { capitalized } from './text/units.ts';
import { isUnexpectedPass, shownVerdictOf } from './verdicts.ts';

type Command = 'error' | 'warning' | 'notice';

const commands: Readonly<Partial<Record<ShownVerdict, Command>>> = {
  failed: 'error',
  error: 'error',
  warned: 'warning',
  known: 'notice',
};

/** Escapes text as GitHub's own toolkit does: percent signs first, then line ends. */
const data = (text: string): string =>
  withoutLogCommands(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const command = (name: Command, title: string, message: string): string =>
  `::${name} title=${property(oneLine(title))}::${data(visible(message))}`;

const titleOf = ({ id, statement }: AnyResult): string => `${id} ${statement}`;

/** The root cause, the first failure with curl and replay, and the number of other failures. */
const failureMessage = (result: RequirementResult, causes: readonly RootCause[]): string | null => {
  const failure = shownFailure(result, causes);
  if (failure === undefined) return null;
  const cause = causes.find((each) => each.kind === 'failure' && each.failure === failure);
  const others = result.failures.length - 1;
  return [
    ...(cause === undefined ? [] : [words.fixFirst(rootCauseText(cause), effectText(cause))]),
    failureText(result, failure, { color: false }),
    ...(others === 0 ? [] : [words.others(others)]),
  ].join('\n');
};

/** Says why a requirement failed. Returns null if it did not. */
type MessageOf<R> = (result: R) => string | null;

const annotation = <R extends AnyResult>(result: R, messageOf: MessageOf<R>): readonly string[] => {
  if (isUnexpectedPass(result))
    return [command('error', titleOf(result), capitalized(passesNow(result.known)))];
  const name = commands[shownVerdictOf(result)];
  if (name === undefined) return [];
  return [command(name, titleOf(result), messageOf(result) ?? result.reason ?? result.verdict)];
};

/** An error if the server could not be tested, then the annotations of the requirements. */
export const annotationsOf = <R extends AnyResult>(
  outcome: Pick<Outcome, 'verdict' | 'ended' | 'endedCode'>,
  results: readonly R[],
  messageOf: MessageOf<R>,
): readonly string[] => [
  ...(isUnjudgeable(outcome)
    ? [command('error', verdictTitles.unjudgeable, verdictLeads.unjudgeable(outcome.ended ?? ''))]
    : []),
  ...results.flatMap((result) => annotation(result, messageOf)),
];

/**
 * GitHub's workflow commands, one on each line: an error for each failed requirement, a warning for each warned one, a notice for each
 * known failure. GitHub shows ten of each kind, so root causes come first. A server that cannot be tested is an error, too. A job prints
 * them on standard output.
 */
export const annotations = (outcome: Outcome): readonly string[] => {
  const causes = rootCauses(outcome);
  return annotationsOf(outcome, byRootCause(outcome.requirements, causes), (result) =>
    failureMessage(result, causes),
  );
};
