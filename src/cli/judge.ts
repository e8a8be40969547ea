import type { Command } from 'commander';
import { judgeExamples } from '../report/text/judge.ts';
import type { JudgeFlags } from './judge-settings.ts';

const append = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** `judge`: tests a client of the API by its requests. */
export function register(command: Command): void {
  command
    .argument('[command...]', 'the client to start, after --')
    .option('--scenario <name>', 'Play only this scenario (repeatable)', append)
    .option('--list-scenarios', 'List the scenarios and stop')
    .option('--parallel <n>', 'Start the command in up to N scenarios at a time', '6')
    .option('--timeout <ms>', 'End a scenario, or --listen, after MS milliseconds')
    .option('--listen', 'Start no command; judge what arrives until Ctrl-C')
    .option('--port <n>', 'Listen on port N; 0 picks one')
    .option('--host <host>', 'Listen on this address')
    .option('--key <key>', 'Use KEY as the API key of the client')
    .option('--target <url>', 'Forward to the server at URL, and test its responses too')
    .option('--har <file>', 'Judge recorded traffic; nothing is sent')
    .option('--report-dir <dir>', 'Write the reports to DIR')
    .option('--known-failures <file>', 'Do not fail for requirements that FILE lists')
    .option('--strict', 'Fail if there are warnings')
    .option('--verbose', 'Print every failure with its details')
    .addHelpText('after', judgeExamples)
    .action(async (words: readonly string[], flags: JudgeFlags) => {
      const { judgeCommand } = await import('./judge-command.ts');
      process.exitCode = await judgeCommand(words, flags);
    });
}
