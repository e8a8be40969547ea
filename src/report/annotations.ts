import type { Outcome, RequirementResult } from '../run/outcome.ts';
import { failureText } from './failure-text.ts';
import { oneLine, visible } from './text/escape.ts';
import type { ShownVerdict } from './text/shown-verdicts.ts';
import { isUnexpectedPass, shownVerdictOf } from './verdicts.ts';

type Command = 'error' | 'warning' | 'notice';

const commands: Readonly<Partial<Record<ShownVerdict, Command>>> = {
  failed: 'error',
  error: 'error',
  warned: 'warning',
  known: 'notice',
};

/** Escaped as the runner's own toolkit does it: percent signs first, then what would end the message. */
const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const command = (name: Command, result: RequirementResult, message: string): string =>
  `::${name} title=${property(oneLine(`${result.id} ${result.statement}`))}::${data(visible(message))}`;

const annotation = (result: RequirementResult): readonly string[] => {
  if (isUnexpectedPass(result)) {
    return [command('error', result, `Listed among the known failures (${result.known}), and passes again.`)];
  }
  const name = commands[shownVerdictOf(result)];
  if (name === undefined) return [];
  const texts = result.failures.map((failure) => failureText(result, failure, { colour: false }));
  return [command(name, result, texts.join('\n\n') || (result.reason ?? result.verdict))];
};

/**
 * GitHub's workflow commands, a line each: an error for each failed requirement, a warning for each that warns, a notice for each
 * known failure. For standard output of a job.
 */
export const annotations = (outcome: Outcome): readonly string[] => outcome.requirements.flatMap(annotation);
