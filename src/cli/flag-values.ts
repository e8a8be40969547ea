import type { Parsed } from '../config/values.ts';
import { usageProblems } from '../report/text/command-line.ts';

/** The problem of a flag, in one sentence. */
class UnusableFlag extends Error {}

/** Throws the problem of a flag. `readFlags` returns it. */
export function refuse(problem: string): never {
  throw new UnusableFlag(problem);
}

/** Returns the value of a flag, or throws its problem. */
export const need = <Value>(flag: string, parsed: Parsed<Value>): Value =>
  parsed.ok ? parsed.value : refuse(`${flag}: ${parsed.problem}`);

/** Returns the fault or dialect with this name, or throws the problem. */
export const needNamed = <Patched extends { readonly name: string }>(
  flag: '--fault' | '--dialect',
  name: string,
  all: readonly Patched[],
): Patched => {
  const names = () => all.map((each) => each.name);
  return all.find((each) => each.name === name) ?? refuse(usageProblems.unknownName(flag, name, names()));
};

/** Returns settings that are read from flags, or the first problem of a flag. */
export const readFlags = <Settings>(read: () => Settings): Parsed<Settings> => {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    if (!(error instanceof UnusableFlag)) throw error;
    return { ok: false, problem: error.message };
  }
};
