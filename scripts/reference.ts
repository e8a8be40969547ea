import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listRequirements } from '../src/cli/requirement-list.ts';
import { exitCodeMeanings } from '../src/cli/run-help.ts';
import { settingList } from '../src/config/table.ts';
import { scenarios } from '../src/judge/scenarios.ts';
import { loadCatalogue } from '../src/openapi/catalogue.ts';
import { packageRoot } from '../src/openapi/package-root.ts';
import type { Requirement } from '../src/openapi/requirement.ts';
import { faultyClients } from '../src/selftest/clients/faulty.ts';

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

const requirements = async (): Promise<string> =>
  table(
    ['id', 'level', 'requirement', 'tested by'],
    (await listRequirements())
      .filter(({ subject }) => subject === 'server')
      .map(({ id, level, statement, judgedBy }) => [
        id,
        level,
        statement,
        judgedBy
          .flatMap(({ checks }) => checks)
          .toSorted()
          .join('; '),
      ]),
  );

const requirementsOf = (subject: Requirement['subject']): string =>
  table(
    ['id', 'level', 'requirement'],
    loadCatalogue()
      .filter((requirement) => requirement.subject === subject)
      .map(({ id, level, statement }) => [id, level, statement]),
  );

interface Described {
  readonly properties: Readonly<Record<string, { readonly description?: string }>>;
}

/** The fields of a part of the report that have a description. */
const fields = ({ properties }: Described): string =>
  table(
    ['field', 'meaning'],
    Object.entries(properties).flatMap(([name, { description }]) =>
      description === undefined ? [] : [[`\`${name}\``, description]],
    ),
  );

/** Which scenario proves which requirement, and how many faulty clients each requirement kills. */
const clientScenarios = (): string =>
  table(
    ['scenario', 'what the server does', 'proves', 'faulty clients of the self-test'],
    scenarios.map(({ name, description, proves }) => [
      `\`${name}\``,
      description,
      proves.join(', '),
      proves
        .map((id) => `${id}: ${faultyClients.filter(({ requirement }) => requirement === id).length}`)
        .join(', '),
    ]),
  );

const domainsFile = (): string => {
  const schema = JSON.parse(readFileSync(join(packageRoot(), 'spec', 'domains.schema.json'), 'utf8'));
  const { domain, redirect, project, network } = schema.$defs;
  const parts = {
    'An item of `domains`': domain,
    'An item of `redirects`': redirect,
    '`project`': project,
    '`network`': network,
  };
  const described = Object.entries<Described>(parts).map(([title, part]) => `${title}:\n\n${fields(part)}`);
  return [fields(schema), ...described].join('\n\n');
};

const reportFormat = (): string => {
  const schema = JSON.parse(readFileSync(join(packageRoot(), 'spec', 'report.schema.json'), 'utf8'));
  return `${fields(schema)}

A requirement:

${fields(schema.$defs.requirement)}

A failure:

${fields(schema.$defs.failure)}`;
};

const exitCodes = (): string =>
  table(
    ['code', 'meaning'],
    exitCodeMeanings.map(([code, , meaning]) => [String(code), meaning]),
  );

/** Returns the text of `docs/reference.md`, from the tables of settings and requirements. */
export const reference = async (): Promise<string> => `# Reference

Written by \`npm run docs\`.

## Options of run

${options()}

Other variables: \`ANIMAL_STORE_DEBUG=1\` prints the stack of an error of this program, \`NODE_EXTRA_CA_CERTS\` names the file of your own
certificate authority, \`NODE_DISABLE_COMPILE_CACHE=1\` keeps no compiled code between starts, \`NO_COLOR\` and \`FORCE_COLOR\` switch colors.

## Requirements

${await requirements()}

## Requirements on clients

\`judge\` tests them, in these scenarios:

${requirementsOf('client')}

${clientScenarios()}

## Requirements on domains

\`domains\` tests them. A requirement fails if one domain fails it.

${requirementsOf('domain')}

## File of domains

\`domains --config FILE\` reads YAML or JSON. \`spec/domains.schema.json\` describes it.

${domainsFile()}

## Report format

\`conformance.json\` is described by \`spec/report.schema.json\`. A later version may add fields.

${reportFormat()}

## Exit codes

${exitCodes()}

## Commands

\`run\` (the default), \`serve\`, \`judge\`, \`domains\`, \`selftest\`, \`requirements\`, \`compare OLD NEW\`, \`merge REPORT…\`, \`matrix NAME=REPORT…\`, \`claim REPORT\`, \`init\`. Each has \`--help\`.
`;

if (import.meta.main) await writeFile(referencePath, await reference());
