import { bearerKey, instant, oneOf, type Parsed, wholeBetween } from '../config/values.ts';
import { plans } from '../openapi/plans.ts';
import type { KeyGrant } from '../reference/keys.ts';
import type { Dialect, Fault, Patch } from '../reference/patch.ts';
import { serveProblems } from '../report/text/command-line.ts';
import { need, needNamed, readFlags, refuse } from './flag-values.ts';

/** The options of `serve` as written. */
export interface ServeFlags {
  readonly port: string;
  readonly host: string;
  readonly key?: readonly string[];
  readonly limit?: readonly string[];
  readonly seedPets: string;
  readonly dialect?: readonly string[];
  readonly fault?: readonly string[];
  readonly now?: string;
}

export interface ServeSettings {
  readonly host: string;
  readonly port: number;
  readonly keys: readonly KeyGrant[];
  readonly seedPets: number;
  readonly patches: readonly Patch[];
  /** The time at which the server starts, in milliseconds since the Unix epoch; null: today. */
  readonly now: number | null;
}

export interface ServeContext {
  readonly faults: readonly Fault[];
  readonly dialects: readonly Dialect[];
  /** The keys if no flag gives one. */
  readonly defaultKeys: () => readonly KeyGrant[];
}

/** Returns the settings of `serve`, or the first problem in one sentence that contains no key. */
export const readServeFlags = (flags: ServeFlags, context: ServeContext): Parsed<ServeSettings> =>
  readFlags(() => {
    const { key = [], limit = [], dialect = [], fault = [] } = flags;
    const keys = key.length > 0 ? key.map(readKey) : context.defaultKeys();
    return {
      host: flags.host,
      port: need('--port', wholeBetween(0, 65_535)(flags.port)),
      keys: withWindows(distinct(keys), limit),
      seedPets: need('--seed-pets', wholeBetween(0, 1_000_000)(flags.seedPets)),
      patches: [
        ...dialect.map((name) => needNamed('--dialect', name, context.dialects).patch),
        ...fault.map((name) => needNamed('--fault', name, context.faults).patch),
      ],
      now: flags.now === undefined ? null : need('--now', instant(flags.now)),
    };
  });

function readKey(text: string): KeyGrant {
  const at = text.indexOf('=');
  if (at < 0) refuse(serveProblems.keyForm);
  const plan = need('--key', oneOf(plans)(text.slice(0, at)));
  return { plan, key: need('--key', bearerKey(text.slice(at + 1))) };
}

function distinct(keys: readonly KeyGrant[]): readonly KeyGrant[] {
  if (new Set(keys.map(({ key }) => key)).size < keys.length) refuse(serveProblems.keyTwice);
  return keys;
}

/** Adds the windows of `KEY=N/SECONDS` to their keys. A key may contain `=`. */
function withWindows(keys: readonly KeyGrant[], limits: readonly string[]): readonly KeyGrant[] {
  const windows = limits.map((text) => {
    const [, key, limit = '', seconds = ''] = /^(.*)=([^=/]*)\/([^=/]*)$/.exec(text) ?? [];
    if (key === undefined) refuse(serveProblems.limitForm);
    if (!keys.some((grant) => grant.key === key)) refuse(serveProblems.limitOfUnknownKey);
    const window = {
      limit: need('--limit', wholeBetween(1, 1_000_000_000)(limit)),
      seconds: need('--limit', wholeBetween(1, 86_400)(seconds)),
    };
    return { key, window };
  });
  return keys.map((grant) => ({ ...grant, ...windows.findLast(({ key }) => key === grant.key) }));
}
