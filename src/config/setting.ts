import { valueProblems } from './refusals.ts';
import type { Parsed, Parser, Raw } from './values.ts';

/** One setting of `run`, for the command line, the environment, the configuration file, and the help. */
export interface Setting<T> {
  /** The long flag, `--base-url`; its camelCase, `baseUrl`, is its name in a file. */
  readonly flag: string;
  /** Its form on the command line: switch `--strict`, value `--seed N`, list `--only ID` (repeatable), choice `--risky` or `--no-risky`. */
  readonly kind: 'value' | 'list' | 'switch' | 'choice';
  /** The value's name in the help; empty for switches. */
  readonly argument: string;
  readonly environment: string | null;
  /** An empty variable is an error, not an absent one. */
  readonly refusesEmptyVariable: boolean;
  /** Its value is never shown. */
  readonly secret: boolean;
  readonly fallback: T;
  readonly help: string;
  read(raw: Raw): Parsed<T>;
}

type Description<T> = Pick<Setting<T>, 'argument' | 'help'> &
  Partial<Pick<Setting<T>, 'fallback' | 'environment' | 'refusesEmptyVariable' | 'secret'>>;

/** Has no value, no variable, and no secret. */
const plain = { argument: '', environment: null, refusesEmptyVariable: false, secret: false } as const;

const bad = (problem: string): Parsed<never> => ({ ok: false, problem });

/** A setting with one value. Without a fallback, it is null. */
export const value = <T, Fallback extends T | null = null>(
  flag: string,
  parse: Parser<T>,
  { fallback = null as Fallback, ...description }: Description<Fallback>,
): Setting<T | Fallback> => ({
  ...plain,
  flag,
  kind: 'value',
  fallback,
  ...description,
  read: (raw) => {
    if (typeof raw === 'string') return parse(raw);
    if (typeof raw === 'boolean' || raw.length < 2) return bad(valueProblems.notOneValue);
    // An address may name a password.
    const isShown = description.secret !== true && !raw.some((item) => item.includes('@'));
    return bad(valueProblems.manyValues(raw.length, isShown ? raw : []));
  },
});

/** A setting with several values, of which each counts once. */
export const list = <T>(
  flag: string,
  parse: Parser<T>,
  argument: string,
  help: string,
  more: Partial<Pick<Setting<unknown>, 'secret'>> = {},
): Setting<readonly T[]> => ({
  ...plain,
  ...more,
  flag,
  kind: 'list',
  argument,
  fallback: [],
  help,
  read: (raw) => {
    if (typeof raw === 'boolean') return bad(valueProblems.notValues);
    const items = new Set<T>();
    for (const item of typeof raw === 'string' ? [raw] : raw) {
      const parsed = parse(item);
      if (!parsed.ok) return parsed;
      items.add(parsed.value);
    }
    return { ok: true, value: [...items] };
  },
});

/** A switch that is off by default. */
export const toggle = (flag: string, help: string): Setting<boolean> => ({
  ...plain,
  flag,
  kind: 'switch',
  fallback: false,
  help,
  read: (raw) => (typeof raw === 'boolean' ? { ok: true, value: raw } : bad(valueProblems.notBoolean)),
});

/** A switch with a negative form. It is null by default. */
export const choice = (flag: string, help: string): Setting<boolean | null> => ({
  ...toggle(flag, help),
  kind: 'choice',
  fallback: null,
});
