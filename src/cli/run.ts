import { type Command, Option } from 'commander';
import type { Setting } from '../config/setting.ts';
import { type SettingName, settingList, settingTable } from '../config/table.ts';
import { usageProblems } from '../report/text/command-line.ts';
import { helpEnd, optionGroups } from './run-help.ts';

/** Keeps two different values of one flag, so that reading the settings reports them. Equal values count once. */
const keepBoth = (value: string, before?: string | readonly string[]): string | readonly string[] =>
  before === undefined || before === value ? value : [before, value].flat();

const optionsOf = ({ flag, kind, argument }: Setting<unknown>, brief: string): readonly Option[] => {
  if (kind === 'value') return [new Option(`${flag} <${argument}>`, brief).argParser(keepBoth)];
  if (kind === 'switch') return [new Option(flag, brief)];
  if (kind === 'choice')
    // The line of the flag names the other form, too.
    return [new Option(flag, brief), new Option(`--no-${flag.slice(2)}`).hideHelp()];
  const collect = (value: string, before: readonly string[] = []) => [...before, value];
  return [new Option(`${flag} <${argument}>`, brief).argParser(collect)];
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
        command.error(`error: ${usageProblems.bothChoices(names.map((each) => `--${each}`))}`);
    });
  }
};

/** Returns the options of a group, with their texts and heading in the help. */
const optionsOfGroup = ([heading, briefs]: (typeof optionGroups)[number]): readonly Option[] =>
  Object.entries(briefs).flatMap(([name, brief]) =>
    optionsOf(settingTable[name as SettingName], brief).map((option) => option.helpGroup(`${heading}:`)),
  );

/** Adds the command that tests a server. */
export const register = (command: Command): void => {
  for (const option of optionGroups.flatMap(optionsOfGroup)) command.addOption(option);
  for (const [, setting] of settingList) rejectBothForms(command, setting);
  command
    .addOption(new Option('--config <FILE>', 'Read settings from a YAML or JSON file').helpGroup('Results:'))
    .addHelpOption(new Option('-h, --help').hideHelp())
    .addHelpText('after', helpEnd)
    .action(async (flags: Readonly<Record<string, unknown>>) => {
      const { judgeServer } = await import('./judge-server.ts');
      process.exitCode = await judgeServer(flags);
    });
};
