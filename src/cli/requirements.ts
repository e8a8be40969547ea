import type { Command } from 'commander';
import { print } from './output.ts';

/** Adds the command that lists the requirements. */
export const register = (command: Command): void => {
  command
    .option('--json', 'as JSON: an array of objects')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const { listRequirements, requirementsText } = await import('./requirement-list.ts');
      const list = await listRequirements();
      print(json ? `${JSON.stringify(list, null, 2)}\n` : requirementsText(list));
    });
};
