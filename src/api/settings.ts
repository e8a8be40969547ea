import type { Check, OwnRequirement } from '../check/index.ts';
import { entryProblems } from '../config/refusals.ts';
import { nameOf, settingList } from '../config/table.ts';

/** The plan of an API key. */
export type PlanName = 'free' | 'pro' | 'business' | 'enterprise';

/** The settings of a run, by their names in the configuration file. Undefined: not given. */
export interface Settings {
  /** The server to test; ends in /v1. */
  readonly baseUrl?: string | undefined;
  /** Test the built-in reference server. */
  readonly reference?: boolean | undefined;
  /** The valid API key. */
  readonly apiKey?: string | undefined;
  /** A second valid key that only this run uses. Allows its per-minute limit to be used up. */
  readonly rateLimitKey?: string | undefined;
  /** The PEM files of a TLS client certificate, and of its private key. */
  readonly clientCert?: string | undefined;
  readonly clientKey?: string | undefined;
  /** Allow the daily limit of the rate-limit key to be used up. */
  readonly exhaustDaily?: boolean | undefined;
  /** Allow the run to provoke a ban of the rate-limit key. */
  readonly allowBan?: boolean | undefined;
  /** Headers of each request, as `Name: value`. */
  readonly header?: readonly string[] | undefined;
  /** The plan of the API key. */
  readonly plan?: PlanName | undefined;
  /** The plan of the rate-limit key. */
  readonly rateLimitPlan?: PlanName | undefined;
  /** Skip checks that need the API key exclusively. */
  readonly sharedKey?: boolean | undefined;
  /** Categories that are known to exist. */
  readonly categoryId?: readonly (number | bigint | string)[] | undefined;
  /** Create nothing. */
  readonly readOnly?: boolean | undefined;
  /** Create at most so many animals. Default: 200. */
  readonly maxCreates?: number | undefined;
  /** The longest wait for a Retry-After in RATE-8, in seconds. Default: 120. */
  readonly maxWait?: number | undefined;
  /** Send at most so many requests, the most revealing first. */
  readonly budget?: number | undefined;
  /** Generated cases per property. Default: 25. */
  readonly runs?: number | undefined;
  /** The seed of every generated value. Default: random. */
  readonly seed?: number | undefined;
  /** Test only these requirement ids or groups: CREATE-9, CREATE. */
  readonly only?: readonly string[] | undefined;
  /** Skip these requirement ids or groups. */
  readonly skip?: readonly string[] | undefined;
  /** Repeat only this generated case; needs `seed` and `only`. */
  readonly path?: string | undefined;
  /** The OpenAPI document of another API. */
  readonly spec?: string | undefined;
  /** With `spec`, test only these operations: ids, `METHOD path`, or tags, with `*` for any text. */
  readonly operation?: readonly string[] | undefined;
  /** With `spec`, never send these operations. */
  readonly skipOperation?: readonly string[] | undefined;
  /** The longest wait for one response, in milliseconds. Default: 10000. */
  readonly timeout?: number | undefined;
  /** Read at most so many bytes of a response body. */
  readonly maxBody?: number | undefined;
  /** Requests at the same time, at most. Default: 8. */
  readonly concurrency?: number | undefined;
  /** Send inputs that can do lasting harm to a fragile server. Default: on for loopback servers only. */
  readonly risky?: boolean | undefined;
  /** Today's date for GET-4 and GET-5. Default: that of the server. */
  readonly now?: string | Date | undefined;
  /** A warning fails the run. */
  readonly strict?: boolean | undefined;
  /** With `spec`: every invalid request that is accepted is a failure. Default: only if the server refuses others. */
  readonly strictRequests?: boolean | undefined;
  /** Also fail statuses of invalid requests that the document does not have. */
  readonly strictStatuses?: boolean | undefined;
  /** The file of the requirements that are known to fail. */
  readonly knownFailures?: string | undefined;
  /** `I/N`: part I of N of the cases. */
  readonly shard?: string | undefined;
  /** The folder for the reports. Default: no reports. */
  readonly reportDir?: string | undefined;
  /** Show the tokens, passwords, and cookies of responses in the reports: only of a server on this machine. */
  readonly keepSecrets?: boolean | undefined;
  /** If the very first connection is refused, try again for so many seconds. */
  readonly waitForTarget?: number | undefined;
  /** Accept a base URL that does not end in /v1. */
  readonly allowAnyPath?: boolean | undefined;
  /** Checks of your own (see `defineCheck`), or files that export them. */
  readonly checks?: readonly (Check | string)[] | undefined;
  /** Requirements of your own (see `defineRequirement`). */
  readonly requirements?: readonly OwnRequirement[] | undefined;
}

type Flags = Readonly<Record<string, string | boolean | readonly string[]>>;

/** Settings as the table of settings reads them, and own checks and requirements. */
export interface GivenSettings {
  readonly flags: Flags;
  readonly own: readonly unknown[];
}

/** Settings that only the command line has, because a call has no terminal, and runs in the process of its caller. */
const terminalSettings: readonly string[] = ['verbose', 'workers'];

const names = settingList
  .map(([, { flag }]) => nameOf(flag))
  .filter((name) => !terminalSettings.includes(name));

/** Problems with the names of settings, one sentence each. */
export const problemsOfNames = (settings: object): readonly string[] => {
  const known = [...names, 'requirements'];
  return Object.keys(settings)
    .filter((name) => !known.includes(name))
    .map((name) => entryProblems.notSetting(name, known));
};

const textOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));

const rawOf = (value: unknown): string | boolean | readonly string[] => {
  if (typeof value === 'boolean') return value;
  return Array.isArray(value) ? value.map(textOf) : textOf(value);
};

/** Returns the settings of a call as the command line would give them. */
export const givenSettings = ({ requirements = [], checks = [], ...settings }: Settings): GivenSettings => {
  const files = checks.filter((check) => typeof check === 'string');
  const given = Object.entries({ ...settings, checks: files.length > 0 ? files : undefined });
  return {
    flags: Object.fromEntries(
      given
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([name, value]) => [name, rawOf(value)]),
    ),
    own: [...requirements, ...checks.filter((check) => typeof check !== 'string')],
  };
};
