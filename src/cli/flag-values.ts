import type { Parsed } from '../config/values.ts';
import { usageProblems } from '../report/text/command-line.ts';

class UnusableFlag extends Error {}

/** Throws the problem of a flag. `readFlags` returns it. */
export function refuse(problem: string): never {
  throw new UnusableFlag(problem);
}

export const need = <Value>(flag: string, parsed: Parsed<Value>): Value =>
  parsed.ok ? parsed.value : refuse(`${flag}: ${parsed.problem}`);

export const needNamed = <Patched extends { readonly name: string }>(
  flag: '--fault' | '--dialect',
  name: string,
  all: readonly Patched[],
): Patched => {
  const names = () => all.map((each) => each.name);
  return all.find((each) => each.name === name) ?? refuse(usageProblems.unknownName(flag, name, names()));
};

export const readFlags = <Settings>(read: () => Settings): Parsed<Settings> => {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    if (!(error instanceof UnusableFlag)) throw error;
    return { ok: false, problem: error.message };
  }
};
