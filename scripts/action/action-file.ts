import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Setting } from '../../src/config/setting.ts';
import { settingList } from '../../src/config/table.ts';
import { packageRoot } from '../../src/openapi/package-root.ts';

// Writes action.yml from the settings of `run`.

const uploadArtifact = 'actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0';
const setupNode = 'actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0';

/** What GitHub replaces by its value. */
const expression = (text: string): string => `\${{ ${text} }}`;

/** Settings that repeat one case, or that an action cannot use. */
const left: readonly string[] = ['reference', 'path', 'verbose'];

/** The settings that are inputs, each by the name of its flag without hyphens before it. */
export const actionInputs = settingList
  .filter(([name]) => !left.includes(name))
  .map(([, setting]): readonly [string, Setting<unknown>] => [setting.flag.replace(/^--/, ''), setting]);

const described = ({ kind, help }: Setting<unknown>): string => {
  if (kind === 'switch' || kind === 'choice') return `true or false. ${help}`;
  return kind === 'list' ? `One on each line. ${help}` : help;
};

/** A configuration file may name another folder: the outputs are read from this one. */
const defaults: Readonly<Record<string, string>> = { 'report-dir': 'reports' };

const inputs = () => ({
  ...Object.fromEntries(
    actionInputs.map(([name, setting]) => [
      name,
      { description: described(setting), required: false, default: defaults[name] ?? '' },
    ]),
  ),
  comment: {
    description: 'true or false: keep one comment with the summary on the pull request (default: true)',
    required: false,
    default: 'true',
  },
  'github-token': {
    description:
      'The token that writes the comment; it needs pull-requests: write (default: the token of the job)',
    required: false,
    default: expression('github.token'),
  },
  artifact: {
    description: 'The name of the uploaded reports; empty: none are uploaded (default: conformance)',
    required: false,
    default: 'conformance',
  },
});

/** The text of `action.yml`. */
export const actionFile = (): string => {
  const text = stringify(
    {
      name: 'Animal store conformance',
      description:
        'Test a server against the interface document of the animal store, or an API with an OpenAPI document',
      inputs: inputs(),
      outputs: {
        verdict: {
          description: 'conformant, nonconformant, or not-judged; empty: the run could not begin',
          value: expression('steps.run.outputs.verdict'),
        },
        failed: {
          description: 'The ids of the failed requirements, with commas, without known failures',
          value: expression('steps.run.outputs.failed'),
        },
        report: { description: 'The folder of the reports', value: expression('steps.run.outputs.report') },
      },
      runs: {
        using: 'composite',
        steps: [
          { uses: setupNode, with: { 'node-version': '24' } },
          { run: 'npm ci --omit=dev --ignore-scripts --prefix "$GITHUB_ACTION_PATH"', shell: 'bash' },
          {
            id: 'run',
            run: 'node "$GITHUB_ACTION_PATH/scripts/action/run.ts"',
            shell: 'bash',
            env: { INPUTS: expression('toJSON(inputs)') },
          },
          {
            if: expression("always() && inputs.artifact != '' && steps.run.outputs.report != ''"),
            uses: uploadArtifact,
            with: { name: expression('inputs.artifact'), path: expression('steps.run.outputs.report') },
          },
        ],
      },
    },
    { lineWidth: 0 },
  );
  // A comment behind the commit says which version it is.
  return `# Written by \`npm run docs\`.\n${text.replace(/"(actions\/[\w-]+@[0-9a-f]{40}) # (v[\d.]+)"/g, '$1 # $2')}`;
};

export const actionPath = join(packageRoot(), 'action.yml');

if (import.meta.main) await writeFile(actionPath, actionFile());
