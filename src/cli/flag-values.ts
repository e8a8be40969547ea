import { didYouMean } from '../config/suggest.ts';
import { type Parsed, quoted } from '../config/values.ts';

/** What is wrong with a flag, in one sentence. */
class UnusableFlag extends Error {}

/** Throws what is wrong with a flag; `readFlags` returns it. */
export function refuse(problem: string): never {
  throw new UnusableFlag(problem);
}

/** The value of a flag. */
export const need = <Value>(flag: string, parsed: Parsed<Value>): Value =>
  parsed.ok ? parsed.value : refuse(`${flag}: ${parsed.problem}`);

/** One of the servers that `--list-faults` or `--list-dialects` lists. */
export const needNamed = <Named extends { readonly name: string }>(
  flag: '--fault' | '--dialect',
  name: string,
  all: readonly Named[],
): Named => {
  const hint = () =>
    didYouMean(
      name,
      all.map((one) => one.name),
    ) || `: serve --list-${flag.slice(2)}s lists them`;
  return all.find((one) => one.name === name) ?? refuse(`${flag}: ${quoted(name)} is unknown${hint()}`);
};

/** The settings that flags give, or the first problem of a flag. */
export const readFlags = <Settings>(read: () => Settings): Parsed<Settings> => {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    if (!(error instanceof UnusableFlag)) throw error;
    return { ok: false, problem: error.message };
  }
};
