import { didYouMean, quoted } from './settings.ts';
import { counted } from './units.ts';

/** Cuts a word of the command line, because it may be a key. */
const clip = (word: string): string => JSON.stringify(word.length > 12 ? `${word.slice(0, 4)}…` : word);

/** What is wrong with a command line. */
export const usageProblems = {
  more: (left: number) => `and ${counted(left, 'more problem')}`,
  unknownCommand: (word: string, known: readonly string[]) =>
    `${clip(word)} is not a command${didYouMean(word, known) || `: the commands are ${known.join(', ')}`}`,
  unknownOption: (flag: string, known: readonly string[], help: string) =>
    `unknown option ${flag}${didYouMean(flag, known) || `: ${help} lists the options`}`,
  unknownName: (flag: string, name: string, known: readonly string[]) =>
    `${flag}: ${quoted(name)} is unknown${didYouMean(name, known) || `: serve --list-${flag.slice(2)}s lists them`}`,
  keyInFlag: (flag: string) => `${flag} and its value are two words: ${flag} KEY`,
  valueOfSwitch: (flag: string) => `${flag} takes no value: write ${flag} alone`,
  extraWord: (word: string, help: string) => `unexpected argument ${clip(word)} (${help})`,
  noValue: (flag: string, value: string) => `${flag} needs a value: ${flag} ${value}`,
  bothChoices: (flags: readonly string[]) => `${flags.join(' and ')} exclude each other: drop one`,
  noFolder: 'the working directory no longer exists: change to one that does',
} as const;

/** What is wrong with the settings of `serve`. */
export const serveProblems = {
  keyForm: '--key: expected PLAN=KEY, for example free=my-key',
  keyTwice: '--key: one key is given twice',
  limitForm: '--limit: expected KEY=N/SECONDS, for example my-key=5/10',
  limitOfUnknownKey: '--limit: unknown key: add it with --key',
} as const;

/** Why the reference server cannot listen. */
export const listenProblem = (code: string, { host, port }: { host: string; port: number }): string => {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} of ${host} is in use: name another with --port, or 0 for a free one`,
    EACCES: `port ${port} may not be used: name one from 1024 on with --port`,
    EADDRNOTAVAIL: `${host} is not an address of this machine: name another with --host`,
    ENOTFOUND: `the host ${host} is unknown: name another with --host`,
  };
  return reasons[code] ?? `cannot listen on ${host}, port ${port}: ${code}`;
};
