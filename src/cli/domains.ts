import { type Command, Option } from 'commander';
import type { Flags } from './judge-domains.ts';

const append = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** Adds the command that tests the custom domains of a project. */
export const register = (command: Command): void => {
  command
    .argument('[NAME...]', 'Test these domains, instead of those in a file')
    .addOption(
      new Option('--config <FILE>', 'Read the domains from a YAML or JSON file (init --domains writes one)'),
    )
    .addOption(new Option('--platform-host <HOST>', 'Expect this CNAME value, which the dashboard shows'))
    .addOption(new Option('--plan <NAME>', 'Set the plan of the project: free, pro, business, enterprise'))
    .addOption(
      new Option(
        '--ca <NAME>',
        'Expect CAA records to allow this certificate authority (repeatable)',
      ).argParser(append),
    )
    .addOption(new Option('--primary <NAME>', 'Set the primary domain, if there are several'))
    .addOption(
      new Option('--wait <DURATION>', 'Test again until everything is right, at most so long: 90s, 30m, 2h'),
    )
    .addOption(new Option('--strict', 'Fail the run if there are warnings'))
    .addOption(new Option('--report-dir <DIR>', 'Write the reports to DIR').default('reports'))
    .action(async (names: readonly string[], flags: Flags) => {
      const { judgeDomains } = await import('./judge-domains.ts');
      process.exitCode = await judgeDomains(names, flags);
    });
};
