import type { SettingName } from '../config/table.ts';

/** Each option in a line, for `run --help`. docs/reference.md has the full texts. */
export const optionGroups: readonly (readonly [
  heading: string,
  Readonly<Partial<Record<SettingName, string>>>,
])[] = [
  [
    'Server',
    {
      baseUrl: 'Test the server at URL, which ends in /v1',
      reference: 'Test the built-in reference server',
      waitForTarget: 'Wait at most S seconds for a server that starts',
      allowAnyPath: 'Accept a URL that does not end in /v1',
      spec: 'Test another API by its OpenAPI document',
    },
  ],
  [
    'Keys and plans',
    {
      apiKey: 'Use KEY as the valid API key',
      headers: 'Send this header with each request (repeatable)',
      plan: 'Name its plan: free, pro, business, or enterprise',
      sharedKey: 'Skip checks that need the API key for this run alone',
      clientCert: 'Use this TLS client certificate (PEM)',
      clientKey: 'Use this private key for it (PEM)',
      rateLimitKey: 'Use up the limit of this second key (RATE-5 to -14)',
      rateLimitPlan: 'Name the plan of the second key',
      exhaustDaily: 'Also use up its daily limit (RATE-11)',
      allowBan: 'Allow a ban of the second key (RATE-12)',
    },
  ],
  [
    'What is tested',
    {
      only: 'Test only this requirement or group (repeatable)',
      skip: 'Skip this requirement or group (repeatable)',
      checks: 'Run the checks of your module too (repeatable)',
      runs: 'Generate N cases per property (default: 25)',
      operations: 'Test only this operation of --spec (repeatable)',
      skipOperations: 'Never send this one (repeatable; * for any text)',
      strictRequests: 'Require that all invalid requests are refused',
      strictStatuses: 'Fail every undocumented status, such as a 409',
      seed: 'Use N as the seed (default: random, printed)',
      path: 'Repeat only this case, as a failure prints it',
      shard: 'Run part I of N; merge combines the reports',
      workers: 'Run the cases in N processes (default: 1)',
      now: "Use DATE as today's date for GET-4 and GET-5",
    },
  ],
  [
    'Limits',
    {
      budget: 'Send at most N requests, the most revealing first',
      maxCreates: 'Create at most N animals (default: 200)',
      readOnly: 'Create nothing',
      risky: 'Send inputs that can harm a store (or --no-risky)',
      categoryIds: 'Treat category N as existing (repeatable)',
      concurrency: 'Send at most N requests at a time (default: 8)',
      timeout: 'Wait at most MS for a response (default: 10000)',
      maxWait: 'Wait at most S seconds for a limit (default: 120)',
      maxBody: 'Read at most BYTES of a body (default: 1 MiB)',
    },
  ],
  [
    'Results',
    {
      reportDir: 'Write the reports to DIR (default: reports)',
      keepSecrets: 'Show tokens, passwords, and cookies of responses',
      verbose: 'Print every failure with its details',
      strict: 'Fail the run if there are warnings',
      knownFailures: 'Tolerate the failures that FILE lists',
    },
  ],
];

/** What each exit code means: in a few words for the help, and in full. */
export const exitCodeMeanings: readonly (readonly [code: number, brief: string, meaning: string])[] = [
  [0, 'no MUST failed', 'No MUST failed, except those of `--known-failures`'],
  [
    1,
    'a MUST (--strict: or a SHOULD) failed',
    'A MUST failed (with `--strict`, also a SHOULD), or one of `--known-failures` passes now',
  ],
  [
    2,
    'usage error',
    'Usage or configuration error; nothing was sent, except for a `--path` that matches no case',
  ],
  [
    3,
    'nothing was judged',
    'Nothing was judged, most operations of `--spec` got no request although no flag left them out, or the server cannot be tested: no connection, every operation refuses the key, `Retry-After` is too long, or only redirects, HTML pages, or one 503 page came',
  ],
  [
    4,
    'the suite itself failed',
    'The suite itself failed. This is never counted as the failure of the server',
  ],
  [130, 'interrupted', 'The run was interrupted; the reports of everything tested so far are written'],
];

type Meaning = (typeof exitCodeMeanings)[number];

const codesLine = (meanings: readonly Meaning[]): string =>
  meanings.map(([code, brief]) => `${code} ${brief}`).join(', ');

/** The end of the help. */
export const helpEnd = `Exit codes: ${[exitCodeMeanings.slice(0, 2), exitCodeMeanings.slice(2)].map(codesLine).join(',\n')}
Variables (ANIMAL_STORE_BASE_URL, …) and all details: docs/reference.md`;
