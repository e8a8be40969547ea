import { suggest } from '../util/suggest.ts';

/** Returns text as a message shows it: quoted, on one line, cut after 80 characters. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

/** Returns the end of a message about an unknown word: `: did you mean X?`, or empty text. */
export const didYouMean = (word: string, candidates: Iterable<string>): string => {
  const suggestion = suggest(word, candidates);
  return suggestion === null ? '' : `: did you mean ${suggestion}?`;
};

/** What is wrong with one value, as a predicate: "is empty". */
export const valueProblems = {
  nul: 'contains a NUL character',
  empty: 'is empty',
  notOneValue: 'takes one value, not a list or a switch',
  notValues: 'takes values, not a switch',
  notBoolean: 'is either true or false',
  startsWithBearer: 'starts with the word Bearer: give the key alone',
  spaceInAddress: 'contains white space, a control character, or a backslash',
  userInAddress: 'names a user or a password: leave them out, the key goes into --api-key',
  queryInAddress: 'has a query or a fragment: end it with the path, such as https://host/v1',
  notWhole: (given: string, least: bigint, most: bigint) =>
    `${quoted(given)} is not a whole number from ${least} to ${most}`,
  notOneOf: (given: string, words: readonly string[]) =>
    `${quoted(given)} is none of ${words.join(', ')}${didYouMean(given, words)}`,
  notPath: (given: string) =>
    `${quoted(given)} is not a path as a failure prints it: numbers joined by colons, and perhaps a check, such as 3:1:0@create-9-large-category-id`,
  notShard: (given: string) => `${quoted(given)} is not I/N with 1 <= I <= N <= 9999, such as 2/4`,
  notDate: (given: string) => `${quoted(given)} is not a date such as 2030-12-05 or 2030-12-05T08:00:00Z`,
  notInBearer: (code: string, at: number) =>
    `contains U+${code} at character ${at}, which is not allowed in a bearer token: was it copied with a space or a line end?`,
  notHeader: "is not a header such as 'X-Tenant: 7'",
  framingHeader: (name: string) => `names ${name}, which the HTTP client sets itself`,
  notHeaderValue: (name: string) => `has no value for ${name} that a header may have`,
  notAddress: (given: string) =>
    `${given.includes('@') ? 'it' : quoted(given)} is not an http or https address such as https://host/v1`,
  /** `shown`: empty if a value may hold a secret. */
  manyValues: (count: number, shown: readonly string[]) =>
    `takes one value, and is given ${count}${shown.length > 0 ? `: ${shown.map(quoted).join(', ')}` : ''}`,
} as const;

/** What is wrong with a file, as a predicate. */
export const fileProblems = {
  missing: 'there is no such file',
  isDirectory: 'is a directory, not a file',
  forbidden: 'this user may not read it',
  notUtf8: 'is not UTF-8 text',
  unreadable: (code: string) => `cannot be read (${code})`,
} as const;

/** What is wrong with an entry of a file, after its place. */
export const entryProblems = {
  severalDocuments: 'a second document begins (---): only one is read, so remove the others',
  notYaml: 'not YAML',
  notSettings: 'expected "name: value" settings',
  notKnownFailures: 'expected a list of {id, reason}, or a map of ids to reasons',
  notSetting: (name: string, known: readonly string[]) =>
    `${quoted(name)} is not a setting${didYouMean(name, known) || ': run --help lists them'}`,
  setTwice: (name: string) => `${name} is set twice`,
  notValue: (name: string) => `${name} is neither a value nor a list of values`,
  noReason: (id: string) => `${id} has no reason`,
  listedTwice: (id: string) => `${id} is listed twice`,
} as const;

/** What is wrong with a requirement id. */
export const idProblems = {
  ofClients: (word: string, subject: string) =>
    `${word} is a requirement on ${subject}s, and run tests servers`,
  unknown: (word: string, known: readonly string[]) =>
    `unknown requirement ${quoted(word)}${didYouMean(word, known) || ': the command requirements lists them'}`,
  severalInOne: (flag: string, ids: readonly string[]) =>
    `takes one requirement or group, and is given again for each: ${ids.map((id) => `${flag} ${id}`).join(' ')}`,
} as const;

const noBaseUrl = (why: string): string =>
  `--base-url is missing: ${why}. Set --base-url, or test the built-in server with --reference`;

/** What is wrong with settings that are each valid. */
export const settingsProblems = {
  noServer: 'baseUrl is missing: name the server, or test the built-in one with reference: true',
  noVersion: '--base-url does not end in /v1 (VER-1): add it, or set --allow-any-path',
  noVariable: (header: string, variable: string) =>
    `--header: ${header} needs the variable ${variable}, which is not set. Set it, or leave out the header`,
  twoAuthorizations:
    '--header Authorization and --api-key both set that header: give one of them (for Bearer, Basic, or OAuth: --api-key)',
  authorizationOfStore: '--header: Authorization is set by --api-key: give the key there',
  noKey: '--api-key is required with --base-url: set ANIMAL_STORE_API_KEY',
  sameKey: '--rate-limit-key is the same as --api-key: use a second key, whose limit may be used up',
  keyNeedsCertificate: (given: string, missing: string) =>
    `${given} also needs ${missing}: a certificate and its private key, both as PEM files`,
  notCertificate: (cert: string, key: string, code: string) =>
    `--client-cert ${cert} and --client-key ${key}: not a PEM certificate and its unencrypted private key (${code})`,
  keepSecrets:
    '--keep-secrets shows tokens and passwords, so it needs a server on this machine: name one such as http://localhost:4010/v1, or remove the flag',
  pathAlone: '--path also needs --seed and --only (copy the replay command)',
  pathInShard: '--path repeats one case, and --shard may leave it out: remove one of them',
  workersInShard: '--workers and --shard both divide the cases: remove one of them',
  workersOnBudget:
    '--workers divides the cases, and --budget sends the most revealing ones first: remove one of them',
  pathInWorkers: '--path repeats one case, so --workers has nothing to divide: remove one of them',
  noneSelected: '--only and --skip select no requirement: remove one of them',
  keyWithoutServer: noBaseUrl('an API key is given'),
  ciWithoutServer: noBaseUrl('CI is set'),
  twoConfigFiles: (first: string, second: string) =>
    `${first} and ${second} both exist: remove one, or name it with --config`,
  needsSpec: (flag: string) => `${flag} needs --spec: it names an operation of that document`,
  noOperation: (flag: string, pattern: string, known: readonly string[]) =>
    `${flag}: ${quoted(pattern)} names no operation${didYouMean(pattern, known) || `: give an operationId, 'METHOD path', or a tag, with * for any text`}`,
  needsSecondKey: (flag: string) => `${flag} needs --rate-limit-key`,
  noSuchPatch: (kind: string, name: string) => `startReferenceServer: there is no ${kind} ${name}`,
  noCaseForPath: (path: string | null, only: readonly string[]) =>
    `--path ${path} leads to no case of ${only.join(', ')}, so nothing was repeated: copy the replay command of the failure`,
  reportDir: (folder: string, why: string) => `--report-dir ${folder}: ${why}. Name another folder`,
  noneTestable: (id: string, missing: string) =>
    `--only selects nothing that can be tested: ${id} needs ${missing}`,
  twoServers: (from: string) =>
    `--reference: ${from} names another server. Drop --reference, or unset the base URL; --base-url on the command line wins over both`,
  noValue: (source: string, flag: string) => `${source} has no value: the next word is the flag ${flag}`,
  unknownVariable: (name: string, known: readonly string[]) =>
    `${name} is not a known variable${didYouMean(name, known) || `: they are ${known.join(', ')}`}`,
} as const;

/** What a requirement needs before it can be tested. */
export const needs = {
  versionedUrl: 'a base URL that is not waived by --allow-any-path',
  plan: '--plan (a plan with documented limits)',
  secondKey: '--rate-limit-key (a second key whose limit may be used up)',
  exhaustDaily: '--exhaust-daily (uses up the daily limit)',
} as const;
