import { didYouMean } from '../config/suggest.ts';
import { bearerKey, instant, oneOf, type Parsed, quoted, wholeBetween } from '../config/values.ts';
import { plans } from '../openapi/plans.ts';
import type { KeyGrant } from './keys.ts';
import type { Dialect, Fault, Patch } from './patch.ts';

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
  /** The keys where none is given. */
  readonly defaultKeys: () => readonly KeyGrant[];
}

class Unusable extends Error {}

/** The value, or the end of the reading with a sentence about the flag. */
function need<Value>(flag: string, parsed: Parsed<Value>): Value {
  if (parsed.ok) return parsed.value;
  throw new Unusable(`${flag} ${parsed.problem}`);
}

/** Understands the options of `serve`, or says in one sentence, without any key, what is wrong with the first that it does not. */
export function readServeFlags(flags: ServeFlags, context: ServeContext): Parsed<ServeSettings> {
  try {
    const { key = [], limit = [], dialect = [], fault = [] } = flags;
    const given = key.map(readKey);
    const keys = withWindows(distinct(given.length > 0 ? given : context.defaultKeys()), limit);
    const patches = [
      ...dialect.map((name) => named('--dialect', name, context.dialects).patch),
      ...fault.map((name) => named('--fault', name, context.faults).patch),
    ];
    const value = {
      host: flags.host,
      port: need('--port', wholeBetween(0, 65_535)(flags.port)),
      keys,
      seedPets: need('--seed-pets', wholeBetween(0, 1_000_000)(flags.seedPets)),
      patches,
      now: flags.now === undefined ? null : need('--now', instant(flags.now)),
    };
    return { ok: true, value };
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    return { ok: false, problem: error.message };
  }
}

function readKey(text: string): KeyGrant {
  const at = text.indexOf('=');
  if (at < 0) throw new Unusable('--key is not PLAN=KEY, such as free=my-key');
  const plan = need('--key', oneOf(plans)(text.slice(0, at)));
  return { plan, key: need('--key', bearerKey(text.slice(at + 1))) };
}

function distinct(keys: readonly KeyGrant[]): readonly KeyGrant[] {
  if (new Set(keys.map(({ key }) => key)).size < keys.length)
    throw new Unusable('--key gives one key twice: a key has one plan');
  return keys;
}

/** `KEY=N/SECONDS`: the key may hold `=` itself. */
function withWindows(keys: readonly KeyGrant[], limits: readonly string[]): readonly KeyGrant[] {
  const windows = limits.map((text) => {
    const [, key, limit = '', seconds = ''] = /^(.*)=([^=/]*)\/([^=/]*)$/.exec(text) ?? [];
    if (key === undefined) throw new Unusable('--limit is not KEY=N/SECONDS, such as my-key=5/10');
    if (!keys.some((grant) => grant.key === key))
      throw new Unusable('--limit names a key that no --key gives');
    const window = {
      limit: need('--limit', wholeBetween(1, 1_000_000_000)(limit)),
      seconds: need('--limit', wholeBetween(1, 86_400)(seconds)),
    };
    return { key, window };
  });
  return keys.map((grant) => ({ ...grant, ...windows.findLast(({ key }) => key === grant.key) }));
}

function named<Named extends { readonly name: string }>(
  flag: string,
  name: string,
  all: readonly Named[],
): Named {
  const found = all.find((one) => one.name === name);
  if (found) return found;
  const names = all.map((one) => one.name);
  throw new Unusable(
    `${flag} ${quoted(name)} is unknown${didYouMean(name, names) || `: --list-${flag.slice(2)}s lists them`}`,
  );
}
