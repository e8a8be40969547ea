import { didYouMean } from '../../config/refusals.ts';
import { counted, duration } from './units.ts';

/** What is wrong with the settings of `judge`. */
export const judgeProblems = {
  noClient:
    'judge needs a client: judge -- COMMAND, judge --listen, or judge --har FILE (judge --help has examples)',
  exclusive: (one: string, other: string) => `${one} and ${other} exclude each other: drop one`,
  oneScenario: '--scenario: with --listen, name one scenario',
  unknownScenario: (name: string, known: readonly string[]) =>
    `--scenario: ${JSON.stringify(name)} is unknown${didYouMean(name, known) || ': judge --list-scenarios lists them'}`,
  shortTimeout: (given: string) =>
    `--timeout: ${given} is less than 1000 milliseconds. Try: --timeout ${Number(given) * 1000}`,
  notStarted: (file: string, code: string) =>
    `${JSON.stringify(file)} cannot be started: ${code}. Check the command after --`,
  har: {
    'not-json': (file: string) => `--har ${file}: not JSON. Export the traffic as HAR`,
    'not-har': (file: string) => `--har ${file}: not a HAR: it has no log.entries`,
    'no-requests': (file: string) =>
      `--har ${file}: no request is for the API. Name its base address: --target https://host/v1`,
  },
} as const;

const endings = {
  exit: 'ended',
  enough: 'stopped: enough was seen',
  time: 'stopped: time is over',
  silence: 'stopped: it sent nothing',
  interrupted: 'interrupted',
} as const;

interface ScenarioLine {
  readonly name: string;
  readonly requests: number;
  readonly durationMs: number;
  readonly because: keyof typeof endings;
  readonly command: { readonly code: number | null; readonly signal: string | null } | null;
}

/** The lines of a judgement while it runs. */
export const judgeLines = {
  opening: (words: readonly string[], scenarios: number, parallel: number) =>
    `Judging ${words.join(' ')} in ${counted(scenarios, 'scenario')}, up to ${parallel} at a time. This takes up to a minute: 429s are repeated, to see whether the waits grow.`,
  scenario: ({ name, requests, durationMs, because, command }: ScenarioLine) => {
    const exit =
      command === null
        ? ''
        : command.code === null
          ? `, signal ${command.signal}`
          : `, exit code ${command.code}`;
    return `  ${name.padEnd(20)} ${counted(requests, 'request').padEnd(13)} ${duration(durationMs).padEnd(8)} ${endings[because]}${exit}`;
  },
  listening: (baseUrl: string, key: string | null, target: string | null) =>
    [
      `Listening on ${baseUrl}${target === null ? '' : `, forwarding to ${target}`}`,
      ...(key === null ? [] : [`ANIMAL_STORE_BASE_URL=${baseUrl}`, `ANIMAL_STORE_API_KEY=${key}`]),
      'Stop with Ctrl-C to get the result.',
    ].join('\n'),
  arrival: (time: string, method: string, target: string, status: number | null, note: string) =>
    `${time}  ${status ?? '---'}  ${method} ${target}${note}`,
  waitUntil: (time: string) => `  nothing is expected until ${time}`,
  interrupted: 'Interrupted. Writing reports; press Ctrl-C again to quit now.',
} as const;

/** The end of the help. */
export const judgeExamples = `
Examples:
  animal-store-conformance judge -- npm run my-client
  animal-store-conformance judge --scenario ban -- python client.py
  animal-store-conformance judge --listen --port 4010
  animal-store-conformance judge --target https://staging.example/v1 --listen
  animal-store-conformance judge --har session.har

The command gets ANIMAL_STORE_BASE_URL and ANIMAL_STORE_API_KEY, and is started once for each scenario.
Exit codes: as for run; 3 if the client sends nothing.`;
