import type { Command } from 'commander';
import { Option } from 'commander';
import type { Setting } from '../config/table.ts';
import { settingList } from '../config/table.ts';

/** Keeps two different values of one flag, so that reading the settings reports them. Equal values count once. */
const keepBoth = (value: string, before?: string | readonly string[]): string | readonly string[] =>
  before === undefined || before === value ? value : [before, value].flat();

const optionsOf = ({ flag, kind, argument, environment, help }: Setting<unknown>): readonly Option[] => {
  const described = environment === null ? help : `${help} (env: ${environment})`;
  if (kind === 'value') return [new Option(`${flag} <${argument}>`, described).argParser(keepBoth)];
  if (kind === 'switch') return [new Option(flag, described)];
  if (kind === 'choice')
    return [new Option(flag, described), new Option(`--no-${flag.slice(2)}`, 'Never send them')];
  const collect = (value: string, before: readonly string[] = []) => [...before, value];
  return [new Option(`${flag} <${argument}>`, described).argParser(collect)];
};

/** Makes it an error to give both forms of a choice. */
const rejectBothForms = (command: Command, { flag, kind }: Setting<unknown>): void => {
  if (kind !== 'choice') return;
  const given = new Set<string>();
  const names = [flag.slice(2), `no-${flag.slice(2)}`];
  for (const name of names) {
    command.on(`option:${name}`, () => {
      given.add(name);
      if (given.size === names.length)
        command.error(
          `error: ${names.map((each) => `--${each}`).join(' and ')} exclude each other: drop one`,
        );
    });
  }
};

const exitCodesHelp = `
Exit codes:
  0    No MUST failed, except those of --known-failures
  1    A MUST failed (with --strict, also a SHOULD), or one of --known-failures passes again
  2    Usage or configuration error; nothing was sent
  3    The server cannot be tested: no connection, every operation refuses the key,
       Retry-After is too long, or only redirects, HTML pages, or one 503 page came
  4    The suite itself failed
  130  The run was interrupted; the reports of everything tested so far are written

ANIMAL_STORE_DEBUG=1 prints the stack trace if the suite itself fails.
Any other variable that begins with ANIMAL_STORE_ is an error.`;

/** Adds the command that tests a server. */
export const register = (command: Command): void => {
  for (const option of settingList.flatMap(([, setting]) => optionsOf(setting))) command.addOption(option);
  for (const [, setting] of settingList) rejectBothForms(command, setting);
  command
    .option(
      '--config <FILE>',
      'Read the same settings from a YAML or JSON file. Flags override the environment, and the environment overrides the file (default: conformance.config.yaml, .yml or .json, if present)',
    )
    .addHelpText('after', exitCodesHelp)
    .action(async (flags: Readonly<Record<string, unknown>>) => {
      const { judgeServer } = await import('./judge-server.ts');
      process.exitCode = await judgeServer(flags);
    });
};
