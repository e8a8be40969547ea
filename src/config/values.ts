import { valueProblems } from './refusals.ts';

/** A setting before it is parsed: text, a switch, or a list of texts. */
export type Raw = string | boolean | readonly string[];

/** A parsed value, or the problem as a predicate: "is empty". */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

/** What was read, or what is wrong with it, one sentence each. */
export type OrProblems<Read> =
  | ({ readonly ok: true } & Read)
  | { readonly ok: false; readonly problems: readonly string[] };

/** Parses one value. */
export type Parser<T> = (text: string) => Parsed<T>;

const good = <T>(value: T): Parsed<T> => ({ ok: true, value });
const bad = (problem: string): Parsed<never> => ({ ok: false, problem });

/** Accepts any text that is not empty. */
export const text: Parser<string> = (given) =>
  given.includes('\0') ? bad(valueProblems.nul) : given === '' ? bad(valueProblems.empty) : good(given);

/** Accepts a whole number within inclusive bounds, exact above 2^53. */
export const int64Between =
  (least: bigint, most: bigint): Parser<bigint> =>
  (given) => {
    const value = /^-?\d+$/.test(given) ? BigInt(given) : null;
    return value !== null && value >= least && value <= most
      ? good(value)
      : bad(valueProblems.notWhole(given, least, most));
  };

/** Accepts a whole number within inclusive bounds that are safe integers. */
export const wholeBetween = (least: number, most: number): Parser<number> => {
  const exact = int64Between(BigInt(least), BigInt(most));
  return (given) => {
    const parsed = exact(given);
    return parsed.ok ? good(Number(parsed.value)) : parsed;
  };
};

/** Accepts one of a few words. */
export const oneOf =
  <const Word extends string>(words: readonly Word[]): Parser<Word> =>
  (given) => {
    const found = words.find((word) => word === given);
    return found === undefined ? bad(valueProblems.notOneOf(given, words)) : good(found);
  };

/** Accepts fast-check's path of one case, numbers joined by colons, and the check that has the case. */
export const casePath: Parser<string> = (given) =>
  /^\d+(:\d+)*(@.+)?$/s.test(given) ? good(given) : bad(valueProblems.notPath(given));

/** The parts of a value of `--path`. `check` is null if it may be a case of any check. */
export const partsOfPath = (path: string): { readonly position: string; readonly check: string | null } => {
  const [, position = path, check = null] = /^([^@]*)@(.*)$/s.exec(path) ?? [];
  return { position, check };
};

/** Accepts `I/N`: part I of N. */
export const shard: Parser<{ readonly index: number; readonly of: number }> = (given) => {
  const [, index, of] = (/^(\d{1,4})\/(\d{1,4})$/.exec(given) ?? []).map(Number);
  return index !== undefined && of !== undefined && index >= 1 && index <= of
    ? good({ index, of })
    : bad(valueProblems.notShard(given));
};

const dayOf = (given: string): string => given.slice(0, 10);
const isCalendarDay = (day: string): boolean => {
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && dayOf(new Date(time).toISOString()) === day;
};

/** Accepts a day (its midnight in UTC) or an RFC 3339 time. Returns milliseconds since the Unix epoch. */
export const instant: Parser<number> = (given) => {
  const shaped = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d))?$/.test(given);
  const time = shaped && isCalendarDay(dayOf(given)) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(time) ? bad(valueProblems.notDate(given)) : good(time);
};

/** Accepts a bearer token that is valid in a header field. Problems never show it. */
export const bearerKey: Parser<string> = (given) => {
  if (given === '') return bad(valueProblems.empty);
  if (/^bearer\s/i.test(given)) return bad(valueProblems.startsWithBearer);
  const at = [...given].findIndex((character) => !/^[\x21-\x7e]$/.test(character));
  if (at < 0) return good(given);
  const code = ([...given][at]?.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return bad(valueProblems.notInBearer(code, at + 1));
};

/** A header that every request of a run has. */
export interface GivenHeader {
  readonly name: string;
  readonly value: string;
  /** As it was given: with `${NAME}` for a variable of the environment, which `value` has the value of. */
  readonly written: string;
}

/** Headers that frame a message or belong to a connection: the HTTP client sets them. */
const framing =
  /^(connection|content-encoding|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/** Accepts `Name: value`. Problems never show the value. */
export const headerLine: Parser<GivenHeader> = (given) => {
  const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/s.exec(given) ?? [];
  if (name === '') return bad(valueProblems.notHeader);
  if (framing.test(name)) return bad(valueProblems.framingHeader(name));
  if (!/^[\t\x20-\x7e\xa0-\xff]+$/.test(value)) return bad(valueProblems.notHeaderValue(name));
  return good({ name, value, written: given });
};

/** Accepts an http or https address without query, fragment, and user. Returns it without slashes at its end. */
export const httpAddress: Parser<string> = (given) => {
  if (/[\s\p{Cc}\\]/u.test(given)) return bad(valueProblems.spaceInAddress);
  const url = /^https?:\/\/[^/]/i.test(given) && URL.canParse(given) ? new URL(given) : null;
  if (url === null) return bad(valueProblems.notAddress(given));
  if (url.username !== '' || url.password !== '') return bad(valueProblems.userInAddress);
  if (/[?#]/.test(given)) return bad(valueProblems.queryInAddress);
  return good(url.href.replace(/\/+$/, ''));
};
