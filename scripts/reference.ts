import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { settingList } from '../src/config/table.ts';
import { loadCatalogue } from '../src/openapi/catalogue.ts';
import { packageRoot } from '../src/openapi/package-root.ts';

export const referencePath = join(packageRoot(), 'docs', 'reference.md');

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

const options = (): string =>
  table(
    ['option', 'variable', 'meaning'],
    settingList.map(([, { flag, kind, argument, environment, help }]) => [
      `\`${[flag, argument].join(' ').trim()}\`${kind === 'choice' ? `, \`--no-${flag.slice(2)}\`` : ''}`,
      environment === null ? '' : `\`${environment}\``,
      help,
    ]),
  );

const requirements = (): string =>
  table(
    ['id', 'level', 'requirement'],
    loadCatalogue()
      .filter(({ subject }) => subject === 'server')
      .map(({ id, level, statement }) => [id, level, statement]),
  );

/** Returns the text of `docs/reference.md`, from the tables of settings and requirements. */
export const reference = (): string => `# Reference

Written by \`npm run docs\`.

## Options of run

${options()}

Other variables: \`ANIMAL_STORE_DEBUG=1\` prints the stack of an error of this program, \`NODE_EXTRA_CA_CERTS\` names the file of your own
certificate authority, \`NODE_DISABLE_COMPILE_CACHE=1\` keeps no compiled code between starts, \`NO_COLOR\` and \`FORCE_COLOR\` switch colors.

## Requirements

${requirements()}

## Commands

\`run\` (the default), \`serve\`, \`selftest\`, \`requirements\`, \`compare OLD NEW\`, \`merge REPORT…\`. Each has \`--help\`.
`;

if (import.meta.main) await writeFile(referencePath, reference());
