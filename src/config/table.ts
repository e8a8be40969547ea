import { plans } from '../openapi/plans.ts';
import { choice, list, type Setting, toggle, value } from './setting.ts';
import {
  bearerKey,
  casePath,
  headerLine,
  httpAddress,
  instant,
  int64Between,
  oneOf,
  shard,
  text,
  wholeBetween,
} from './values.ts';

const int64 = int64Between(-(2n ** 63n), 2n ** 63n - 1n);
/** The longest delay of a timer, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** Every setting of `run`, in the order of docs/reference.md. Null: not given, or no limit. */
export const settingTable = {
  baseUrl: value('--base-url', httpAddress, {
    argument: 'URL',
    environment: 'ANIMAL_STORE_BASE_URL',
    refusesEmptyVariable: true,
    help: 'Test the server at URL, which ends in /v1 (default: the reference server, started for the run)',
  }),
  reference: toggle(
    '--reference',
    'Test the built-in reference server, and say so. Needed without --base-url if CI is set',
  ),
  apiKey: value('--api-key', bearerKey, {
    argument: 'KEY',
    environment: 'ANIMAL_STORE_API_KEY',
    secret: true,
    help: "Use KEY as the valid API key (default: the reference server's own)",
  }),
  rateLimitKey: value('--rate-limit-key', bearerKey, {
    argument: 'KEY',
    environment: 'ANIMAL_STORE_RATE_LIMIT_KEY',
    secret: true,
    help: 'Use KEY as a second valid key that only this run uses, of another account than --api-key. Allow its per-minute limit to be used up (enables RATE-5 to RATE-10, RATE-13, RATE-14; default: they are skipped)',
  }),
  clientCert: value('--client-cert', text, {
    argument: 'FILE',
    environment: 'ANIMAL_STORE_CLIENT_CERT',
    help: 'Use the TLS client certificate in FILE (PEM); needs --client-key (default: none)',
  }),
  clientKey: value('--client-key', text, {
    argument: 'FILE',
    environment: 'ANIMAL_STORE_CLIENT_KEY',
    help: 'Use the private key in FILE (PEM, unencrypted) for --client-cert (default: none)',
  }),
  exhaustDaily: toggle(
    '--exhaust-daily',
    'Allow the daily limit of the rate-limit key to be used up (enables RATE-11)',
  ),
  allowBan: toggle(
    '--allow-ban',
    'Allow the run to provoke a ban of the rate-limit key, to observe it (RATE-12)',
  ),
  headers: list(
    '--header',
    headerLine,
    "'NAME: VALUE'",
    'Send this header with each request, for example for a second key of another API. A variable in braces after $ in VALUE is replaced by its value in the environment (repeatable; default: none)',
    { secret: true },
  ),
  plan: value('--plan', oneOf(plans), {
    argument: 'NAME',
    help: `Set the plan of the API key: ${plans.join(', ')} (default: unknown, read from the headers)`,
  }),
  rateLimitPlan: value('--rate-limit-plan', oneOf(plans), {
    argument: 'NAME',
    help: 'Set the plan of the rate-limit key (default: unknown, read from the headers)',
  }),
  sharedKey: toggle(
    '--shared-key',
    'Skip checks that need the API key exclusively, because others use it too',
  ),
  categoryIds: list(
    '--category-id',
    int64,
    'N',
    'Treat category N as known to exist (repeatable; default: the categories of listed animals; if there are none, 1)',
  ),
  readOnly: toggle('--read-only', 'Create nothing'),
  maxCreates: value('--max-creates', wholeBetween(0, 1_000_000), {
    argument: 'N',
    fallback: 200,
    help: 'Create at most N animals, including ones the server should have refused. What cannot be tested because of this limit is inconclusive. With --spec, N resources of each kind (default: 200)',
  }),
  maxWait: value('--max-wait', wholeBetween(0, 172_800), {
    argument: 'S',
    fallback: 120,
    help: 'Wait at most S seconds for a Retry-After in RATE-8; other waits for a limit take no longer, or at most 70 s if that is more (default: 120)',
  }),
  budget: value('--budget', wholeBetween(1, 1_000_000_000), {
    argument: 'N',
    help: 'Send at most N requests in total, the most revealing first. Requests with any key, without a key, and retries count (default: unlimited)',
  }),
  runs: value('--runs', wholeBetween(0, 10_000_000), {
    argument: 'N',
    fallback: 25,
    help: 'Generate N cases per property (default: 25)',
  }),
  seed: value('--seed', wholeBetween(-(2 ** 31), 2 ** 31 - 1), {
    argument: 'N',
    environment: 'ANIMAL_STORE_SEED',
    help: 'Use N as the seed of every generated value (default: random, printed)',
  }),
  only: list(
    '--only',
    text,
    'ID',
    'Test only this requirement id or group: CREATE-9, CREATE (repeatable; default: all)',
  ),
  skip: list('--skip', text, 'ID', 'Skip this requirement id or group (repeatable; default: none)'),
  path: value('--path', casePath, {
    argument: 'PATH',
    help: 'Repeat only this generated case, as a failure prints it; needs --seed and --only',
  }),
  spec: value('--spec', text, {
    argument: 'FILE',
    help: "Run the general checks on another API, from its OpenAPI 3.0 or 3.1 document (default: the animal store's)",
  }),
  operations: list(
    '--operation',
    text,
    'NAME',
    "With --spec, test only this operation: its operationId, 'METHOD path', or a tag, with * for any text. Others are sent only if it needs their resources (repeatable; default: all)",
  ),
  skipOperations: list(
    '--skip-operation',
    text,
    'NAME',
    'With --spec, never send this operation, named as for --operation (repeatable; default: none)',
  ),
  strictRequests: toggle(
    '--strict-requests',
    'With --spec, fail every invalid request that is accepted, also if the document has no 400 or 422 for the operation',
  ),
  strictStatuses: toggle(
    '--strict-statuses',
    'With --spec, also fail statuses of invalid requests, and about the state of the server, that the document does not have for the operation (default: they are observations)',
  ),
  timeout: value('--timeout', wholeBetween(1, longestTimer), {
    argument: 'MS',
    fallback: 10_000,
    help: 'Wait at most MS milliseconds for one response (default: 10000)',
  }),
  maxBody: value('--max-body', wholeBetween(1, 256 * 1024 * 1024), {
    argument: 'BYTES',
    help: "Read at most BYTES of a decoded response body. A longer one is cut, and the report says so. What the cut leaves open is inconclusive (default: 1 MiB, plus what the run's own animals may need)",
  }),
  concurrency: value('--concurrency', wholeBetween(1, 1024), {
    argument: 'N',
    fallback: 8,
    help: 'Send at most N requests at the same time (default: 8)',
  }),
  risky: choice(
    '--risky',
    'Send inputs that can do lasting harm to a fragile store, always last (default: on for loopback servers, off for others)',
  ),
  now: value('--now', instant, {
    argument: 'DATE',
    help: "Use DATE as today's date for GET-4 and GET-5 (default: the server's Date header)",
  }),
  strict: toggle('--strict', 'Fail the run if there are warnings'),
  knownFailures: value('--known-failures', text, {
    argument: 'FILE',
    help: 'Do not fail the run for requirements that FILE lists as known to fail, each with a reason. The run still fails if one of them passes again',
  }),
  shard: value('--shard', shard, {
    argument: 'I/N',
    fallback: { index: 1, of: 1 },
    help: 'Run part I of N of the cases; merge combines the reports (default: 1/1)',
  }),
  workers: value('--workers', wholeBetween(1, 64), {
    argument: 'N',
    fallback: 1,
    help: 'Run the cases in N processes, which share all limits of the run (default: 1)',
  }),
  reportDir: value('--report-dir', text, {
    argument: 'DIR',
    fallback: 'reports',
    help: 'Write the reports to DIR (default: reports)',
  }),
  waitForTarget: value('--wait-for-target', wholeBetween(0, 3_600), {
    argument: 'S',
    help: 'If the very first connection is refused, closed, or reset, or the very first response does not come or is 502, 503, or 504, try again for at most S seconds (default: 10 if CI is set, otherwise 0)',
  }),
  checks: list(
    '--checks',
    text,
    'FILE',
    'Also run the checks and requirements that the module FILE exports (repeatable; default: none)',
  ),
  keepSecrets: toggle(
    '--keep-secrets',
    'Show the tokens, passwords, and cookies of responses in the reports; only for a server on this machine. The keys of the run stay hidden',
  ),
  verbose: toggle('--verbose', 'Print every failure with its details in the terminal'),
  allowAnyPath: toggle(
    '--allow-any-path',
    'Accept a base URL that does not end in /v1 (waives the usage error of VER-1)',
  ),
};

export type SettingName = keyof typeof settingTable;

/** The settings as a list, each with its name. */
export const settingList = Object.entries(settingTable) as readonly (readonly [
  SettingName,
  Setting<unknown>,
])[];

/** Every flag, also in its negative form. */
export const everyFlag: ReadonlySet<string> = new Set(
  settingList.flatMap(([, { flag }]) => [flag, `--no-${flag.slice(2)}`]),
);

/** The part of a secret setting that is never shown: of a header, its value. */
export const secretPart = ({ kind }: Pick<Setting<unknown>, 'kind'>, raw: string): string =>
  kind === 'list' ? raw.slice(raw.indexOf(':') + 1).trim() : raw;

/** The modules of own checks. They are read first, because other settings may name their requirements. */
export const checkFilesOf = (raw: unknown): readonly string[] => {
  const read = typeof raw === 'string' || Array.isArray(raw) ? settingTable.checks.read(raw) : null;
  return read?.ok ? read.value : [];
};

/** Returns a flag's name in a configuration file and in commander's options: `baseUrl` for `--base-url`. */
export const nameOf = (flag: string): string =>
  flag.slice(2).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
