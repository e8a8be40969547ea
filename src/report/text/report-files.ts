import { counted } from './units.ts';

/** What each report is for. */
export const readers = {
  json: 'programs',
  junit: 'CI systems',
  summary: 'a pull request',
  har: 'developer tools',
  page: 'people',
} as const;

/** Why a file cannot be written, by the system's code. */
export const whyNotWritten: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
  EDQUOT: 'the disk quota is used up',
  // Node's code if a folder cannot be created on a read-only file system.
  ENOENT: 'the folder is not there and cannot be made',
  EISDIR: 'a folder of that name is in the way',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file of that name is in the way',
};

/** Why reports cannot be written or read. */
export const reportProblems = {
  unwritable: (folder: string, why: string, names: readonly string[] = ['Reports']) =>
    `${names.join(', ')} cannot be written to ${folder}: ${why}.`,
  jobSummary: (why: string) => `The job summary could not be written: ${why}`,
  room: 'Make room there and let it be written to, or name another folder with --report-dir.',
  notJson: (file: string) => `${file} is not JSON, so it is not a report of a run.`,
  notReport: (file: string, place: string, why = 'is invalid') =>
    `${file} is not a conformance.json of version 1: ${place || 'it'} ${why}.`,
  missing: (path: string) => `there is no report at ${path}: name a conformance.json, or the folder it is in`,
  unreadable: (path: string, code: string) => `${path} cannot be read (${code}).`,
  noneNamed: 'No report is named.',
} as const;

/** Why reports are not shards of one run. */
export const shardProblems = {
  claim: 'Cannot merge claims: they do not name their server. Merge the reports.',
  notAllShards: 'Cannot merge shard reports with full reports.',
  repeated: (shard: string, times: number) => `Shard ${shard} is given ${times} times.`,
  missing: (shards: readonly string[]) =>
    `Missing shards: ${shards.join(', ')}. Run with --shard ${shards[0]}, then merge all reports.`,
  differ: (what: string, values: readonly string[]) =>
    `These reports are not of one run: their ${what} differ (${values.join(', ')}).`,
  reference: 'the reference server',
  targets: 'targets',
  seeds: 'seeds',
  interfaces: 'interface versions',
  numbers: 'numbers of shards',
} as const;

export const junitWords = {
  known: (reason: string, why: string) => `known failure: ${reason}. ${why}`,
  inconclusive: (why: string) => `inconclusive: ${why}`,
  warning: (level: string) => `Warning (${level}).`,
  run: 'RUN The run',
  testable: 'The server can be tested',
} as const;

export const annotationWords = {
  fixFirst: (cause: string, effect: string) => `Fix first: ${cause} (${effect})`,
  others: (number: number) => `${counted(number, 'more failure')}: see index.html`,
} as const;

/** What a HAR contains. */
export const harComment = (shown: number, all: number): string =>
  `${shown} of ${all} requests: those of failed checks, and a sample of the others`;
