import { didYouMean, quoted } from '../../config/refusals.ts';
import { summaryWords } from './summary.ts';
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

/** Lines about a run itself. */
export const runLines = {
  preparing: (spec: string) => `Preparing requests for ${spec}`,
  unusedKey: 'The given API key is not used: the reference server has a key of its own',
  interrupted: 'Interrupted. Writing reports; press Ctrl-C again to quit now.',
  proxyUnused: (variables: readonly string[]) =>
    `${variables.join(', ')}: set, but not used: this program connects to the server directly`,
  /** `ends`: how each process ended. */
  noWorker: (ends: readonly (string | number)[]) => `no worker has a result: ${ends.join(', ')}`,
  /** Which server, with which key, plan, and seed. */
  opening: ({ baseUrl, key, plan, seed }: Opening) =>
    [
      `Testing ${baseUrl ?? summaryWords.reference}`,
      ...(key === null ? [] : [`key ${key}`]),
      ...(plan === null ? [] : [summaryWords.plan(plan)]),
      summaryWords.seed(seed),
    ].join(', '),
} as const;

interface Opening {
  /** Null: the reference server. */
  readonly baseUrl: string | null;
  /** Masked. */
  readonly key: string | null;
  readonly plan: string | null;
  readonly seed: number | null;
}

/** An error of the program itself; `isTraced`: its stack trace follows. */
export const suiteErrorText = (error: string, { isTraced = true } = {}): string =>
  `the suite itself failed: ${error}${isTraced ? '' : ' (ANIMAL_STORE_DEBUG=1 shows where)'}`;

/** What `serve` prints when it starts. */
export const announcement = (baseUrl: string, keys: readonly ServedKey[]): string => {
  const lines = keys.map(({ plan, key, window }) => {
    const limit = window ? `  (${window.limit} requests in ${window.seconds} s)` : '';
    return `  ${plan.padEnd(10)}  ${key}${limit}`;
  });
  return [`${summaryWords.animalStore} at ${baseUrl}`, 'Keys:', ...lines, 'Stop with Ctrl-C.'].join('\n');
};

interface ServedKey {
  readonly plan: string;
  readonly key: string;
  readonly window?: { readonly limit: number; readonly seconds: number } | undefined;
}

/** The list of requirements. */
export const listWords = {
  everyExchange: 'every exchange',
  notTested: (subject: string) => `not tested by run: a requirement on ${subject}s`,
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
