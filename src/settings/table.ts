import { plans } from '../document/plans.ts';
import type { RunSettings } from './settings.ts';
import type { Parsed, Parser, Raw } from './values.ts';
import {
  bearerKey,
  casePath,
  httpAddress,
  instant,
  int64Between,
  oneOf,
  quoted,
  shard,
  text,
  wholeBetween,
} from './values.ts';

/** One setting of `run`: the command line, the environment, the file and the help all read it from here. */
export interface Setting<T> {
  /** The long flag, `--base-url`; its camelCase, `baseUrl`, is its name in a file. */
  readonly flag: string;
  /** How it is given on the command line: `--strict`, `--seed N`, `--only ID` as often as wanted, `--risky` and `--no-risky`. */
  readonly kind: 'value' | 'list' | 'switch' | 'choice';
  /** The value's name in the help; empty for switches. */
  readonly argument: string;
  readonly environment: string | null;
  /** Its value is never shown. */
  readonly secret: boolean;
  readonly fallback: T;
  readonly help: string;
  read(raw: Raw): Parsed<T>;
}

interface Description<T> {
  readonly argument: string;
  readonly fallback: T;
  readonly help: string;
  readonly environment?: string;
  readonly secret?: boolean;
}

const bad = (problem: string): Parsed<never> => ({ ok: false, problem });

const value = <T, Fallback extends T | null>(
  flag: string,
  parse: Parser<T>,
  { environment = '', secret = false, ...description }: Description<Fallback>,
): Setting<T | Fallback> => ({
  flag,
  kind: 'value',
  environment: environment || null,
  secret,
  ...description,
  read: (raw) => {
    if (typeof raw === 'string') return parse(raw);
    if (typeof raw === 'boolean' || raw.length < 2) return bad('takes one value, not a list or a switch');
    // An address may name a password.
    const isShown = !secret && !raw.some((item) => item.includes('@'));
    return bad(
      `takes one value, and is given ${raw.length}${isShown ? `: ${raw.map(quoted).join(', ')}` : ''}`,
    );
  },
});

const list = <T>(flag: string, parse: Parser<T>, argument: string, help: string): Setting<readonly T[]> => ({
  flag,
  kind: 'list',
  argument,
  environment: null,
  secret: false,
  fallback: [],
  help,
  read: (raw) => {
    if (typeof raw === 'boolean') return bad('takes values, not a switch');
    const items = new Set<T>();
    for (const item of typeof raw === 'string' ? [raw] : raw) {
      const parsed = parse(item);
      if (!parsed.ok) return parsed;
      items.add(parsed.value);
    }
    return { ok: true, value: [...items] };
  },
});

const toggle = <Fallback extends boolean | null>(
  flag: string,
  kind: 'switch' | 'choice',
  fallback: Fallback,
  help: string,
): Setting<boolean | Fallback> => ({
  flag,
  kind,
  argument: '',
  environment: null,
  secret: false,
  fallback,
  help,
  read: (raw) => (typeof raw === 'boolean' ? { ok: true, value: raw } : bad('is either true or false')),
});

const int64 = int64Between(-(2n ** 63n), 2n ** 63n - 1n);
/** As long as a timer can wait. */
const longestTimer = 2 ** 31 - 1;

/** Every setting of `run`, in the order of the help. */
const table: { readonly [Name in keyof RunSettings]: Setting<RunSettings[Name]> } = {
  baseUrl: value('--base-url', httpAddress, {
    argument: 'URL',
    environment: 'ANIMAL_STORE_BASE_URL',
    fallback: null,
    help: 'the target, ending in /v1 (default: the reference server, started for the run)',
  }),
  apiKey: value('--api-key', bearerKey, {
    argument: 'KEY',
    environment: 'ANIMAL_STORE_API_KEY',
    secret: true,
    fallback: null,
    help: "a valid key (default: the reference server's own)",
  }),
  rateLimitKey: value('--rate-limit-key', bearerKey, {
    argument: 'KEY',
    environment: 'ANIMAL_STORE_RATE_LIMIT_KEY',
    secret: true,
    fallback: null,
    help: 'a second valid key, yours alone: naming it is leave to exhaust its per-minute limit (RATE-5 to RATE-10; default: those are skipped)',
  }),
  exhaustDaily: toggle(
    '--exhaust-daily',
    'switch',
    false,
    'leave to exhaust the per-day limit of that key (RATE-11)',
  ),
  allowBan: toggle(
    '--allow-ban',
    'switch',
    false,
    'leave to provoke a ban of that key, to observe it (RATE-12)',
  ),
  plan: value('--plan', oneOf(plans), {
    argument: 'NAME',
    fallback: null,
    help: `the plan of the key: ${plans.join(', ')} (default: unknown, read from the headers)`,
  }),
  rateLimitPlan: value('--rate-limit-plan', oneOf(plans), {
    argument: 'NAME',
    fallback: null,
    help: 'the plan of the rate limit key',
  }),
  sharedKey: toggle(
    '--shared-key',
    'switch',
    false,
    'others use the key too: judge nothing that takes it for yours alone',
  ),
  categoryIds: list(
    '--category-id',
    int64,
    'N',
    'a category known to exist (repeatable; default: those of listed animals, else 1)',
  ),
  readOnly: toggle('--read-only', 'switch', false, 'create nothing'),
  maxCreates: value('--max-creates', wholeBetween(0, 1_000_000), {
    argument: 'N',
    fallback: 200,
    help: 'create at most N animals, wanted or not (default: 200)',
  }),
  maxWait: value('--max-wait', wholeBetween(0, 172_800), {
    argument: 'S',
    fallback: 120,
    help: 'the longest wait for a Retry-After in RATE-8, in seconds; other waits for a limit last as long at most, or 70 s if that is more (default: 120)',
  }),
  budget: value('--budget', wholeBetween(1, 1_000_000_000), {
    argument: 'N',
    fallback: null,
    help: 'send at most N requests in all, the most telling first (default: unlimited)',
  }),
  runs: value('--runs', wholeBetween(0, 10_000_000), {
    argument: 'N',
    fallback: 25,
    help: 'generated cases per property (default: 25)',
  }),
  seed: value('--seed', wholeBetween(-(2 ** 31), 2 ** 31 - 1), {
    argument: 'N',
    fallback: null,
    help: 'seed of every generated value (default: random, printed)',
  }),
  only: list('--only', text, 'ID', 'judge only this requirement or group: CREATE-9, CREATE (repeatable)'),
  skip: list('--skip', text, 'ID', 'leave this requirement or group out (repeatable)'),
  path: value('--path', casePath, {
    argument: 'PATH',
    fallback: null,
    help: 'with --seed and --only: repeat just that case, as a failure prints it',
  }),
  spec: value('--spec', text, {
    argument: 'FILE',
    fallback: null,
    help: "another OpenAPI 3.0 or 3.1 document: the general checks on another API (default: the animal store's)",
  }),
  timeout: value('--timeout', wholeBetween(1, longestTimer), {
    argument: 'MS',
    fallback: 10_000,
    help: 'the longest wait for one answer, in milliseconds (default: 10000)',
  }),
  concurrency: value('--concurrency', wholeBetween(1, 1024), {
    argument: 'N',
    fallback: 8,
    help: 'requests under way at once, at most (default: 8)',
  }),
  risky: toggle(
    '--risky',
    'choice',
    null,
    'send what can do lasting harm to a naive store, always last (default: only to loopback targets)',
  ),
  now: value('--now', instant, {
    argument: 'DATE',
    fallback: null,
    help: "overrides today for GET-4 and GET-5 (default: the target's Date header)",
  }),
  strict: toggle('--strict', 'switch', false, 'warnings fail the run'),
  knownFailures: value('--known-failures', text, {
    argument: 'FILE',
    fallback: null,
    help: 'requirements that are known to fail, each with a reason: they no longer fail the run',
  }),
  shard: value('--shard', shard, {
    argument: 'I/N',
    fallback: { index: 1, of: 1 },
    help: 'run the I-th of N parts of the cases, systematic and generated; merge puts the reports together (default: 1/1)',
  }),
  reportDir: value('--report-dir', text, {
    argument: 'DIR',
    fallback: 'reports',
    help: 'where reports go (default: reports)',
  }),
  allowAnyPath: toggle('--allow-any-path', 'switch', false, 'accept a base URL that does not end in /v1'),
};

/** The settings as a list, each with the name of its field. */
export const settingList = Object.entries(table) as readonly (readonly [
  keyof RunSettings,
  Setting<unknown>,
])[];

/** A flag's name in a configuration file and in commander's options: `--base-url` is `baseUrl`. */
export const nameOf = (flag: string): string =>
  flag.slice(2).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
