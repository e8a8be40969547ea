import { Command, CommanderError } from 'commander';
import { packageVersion } from '../openapi/package-root.ts';
import { suiteErrorText, usageProblems } from '../report/text/command-line.ts';
import { printError } from './output.ts';
import { keepSecretsOf, keyFlagOf, withoutSecrets } from './secrets.ts';
import { exitCodes, problemLines } from './usage.ts';

/** A command. Only the module of the selected command is loaded, so that help and usage errors appear at once. */
interface CommandEntry {
  readonly description: string;
  readonly load: () => Promise<{ readonly register: (command: Command) => void }>;
}

const commands: Readonly<Record<string, CommandEntry>> = {
  run: { description: 'Test a server (the default command)', load: () => import('./run.ts') },
  serve: { description: 'Run the reference server as a sandbox', load: () => import('./serve.ts') },
  domains: {
    description: 'Test the custom domains of a project: DNS, certificates, redirects',
    load: () => import('./domains.ts'),
  },
  selftest: {
    description: 'Prove that the suite catches every fault and accepts every dialect',
    load: () => import('./selftest.ts'),
  },
  judge: {
    description: 'Test a client of the API by its requests',
    load: () => import('./judge.ts'),
  },
  requirements: {
    description: 'List the requirements: id, level, statement, where it is tested',
    load: () => import('./requirements.ts'),
  },
  compare: {
    description: 'Show what changed between two reports; exit code 1 if something newly fails',
    load: () => import('./compare.ts'),
  },
  merge: {
    description: 'Merge the reports of several shards; the exit code is that of the whole run',
    load: () => import('./merge.ts'),
  },
  matrix: {
    description: 'Put the reports of many implementations on one page',
    load: () => import('./matrix.ts'),
  },
  claim: {
    description: 'Print a report that may be published: no bodies, addresses, or keys',
    load: () => import('./claim.ts'),
  },
  init: {
    description: 'Write a commented configuration file and a CI job (GitHub or GitLab), if they do not exist',
    load: () => import('./init.ts'),
  },
};

const flagsOf = (command: Command): readonly string[] => [
  ...command.options.flatMap(({ long }) => long ?? []),
  '--help',
];

/** Returns an error of commander as one sentence that says what to do. It repeats no value, because a value may be a key. */
const sentenceOf = ({ code, message }: CommanderError, command: Command): string => {
  const plain = message.replace(/^error: /, '');
  if (code === 'commander.error') return plain;
  const help = `${command.name()} --help`;
  if (code === 'commander.unknownOption') {
    const given = /'([^'=]*)/.exec(plain)?.[1] ?? '';
    const keyFlag = keyFlagOf(given);
    if (keyFlag !== undefined) return usageProblems.keyInFlag(keyFlag);
    const flag = given.startsWith('--') ? given : given.slice(0, 2);
    if (flagsOf(command).includes(flag)) return usageProblems.valueOfSwitch(flag);
    return usageProblems.unknownOption(flag, flagsOf(command), help);
  }
  if (code === 'commander.excessArguments') {
    const extra = command.args.slice(command.registeredArguments.length);
    return usageProblems.extraWord(extra[0] ?? '', help);
  }
  if (code === 'commander.optionMissingArgument') {
    const [, flag = '', value = ''] = /'(?:-\w, )?(\S+) <?([^>']+)/.exec(plain) ?? [];
    return usageProblems.noValue(flag, value);
  }
  return `${plain.split('\n').join(' ')} (${help})`;
};

/** Returns the name of the command and its arguments. The default command is `run`. */
const commandIn = (argv: readonly string[]): { readonly name: string; readonly rest: readonly string[] } => {
  const [first = '', ...rest] = argv;
  if (first === 'help') return { name: rest[0] ?? '', rest: ['--help'] };
  return first === '' || first.startsWith('-') ? { name: 'run', rest: argv } : { name: first, rest };
};

const wantsOverview = (argv: readonly string[]): boolean =>
  argv.length === 1 && ['-h', '--help', 'help'].includes(argv[0] ?? '');

const overview = (program: Command): void => {
  for (const [name, { description }] of Object.entries(commands))
    program.command(name).description(description);
  program.addHelpText(
    'after',
    '\nEach command has its own --help. ANIMAL_STORE_DEBUG=1 prints the stack trace if the suite itself fails.',
  );
  program.outputHelp();
};

const printUsageError = (problem: string): void => {
  printError(withoutSecrets(problemLines([problem])));
  process.exitCode = exitCodes.usage;
};

/** Prints an error of the suite, so that nobody takes it for a failure of the server. */
const printSuiteError = (error: unknown): void => {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const stack = process.env.ANIMAL_STORE_DEBUG && error instanceof Error ? `${error.stack}\n` : '';
  const text = suiteErrorText(message, { isTraced: stack !== '' });
  printError(withoutSecrets(`${problemLines([text])}${stack}`));
  process.exitCode = exitCodes.suiteError;
};

/** Handles every error of a command. Commander throws its own errors, even to end after --help. */
const handleError = (error: unknown, command: Command): void => {
  if (!(error instanceof CommanderError)) {
    printSuiteError(error);
    return;
  }
  if (error.exitCode === 0) return;
  printUsageError(sentenceOf(error, command));
  // An error of a command may have its own exit code.
  if (error.code === 'commander.error' && error.exitCode > 1) process.exitCode = error.exitCode;
};

/** Commands whose results are in files too, not only in their output. */
const commandsWithReports: readonly string[] = ['run', 'judge', 'domains'];

/**
 * Ignores errors of the output. A reader may close the pipe early. A command with reports continues even if the terminal is gone or the
 * device is full.
 */
const ignoreOutputErrors = (name: string): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && !commandsWithReports.includes(name)) throw error;
    });
  }
};

const createProgram = (): Command =>
  new Command('animal-store-conformance')
    .description('Contract tests for the animal store HTTP API.')
    .usage('[command] [options]')
    .version(packageVersion(), '-v, --version')
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({ outputError: () => {} });

/**
 * The whole program: arguments in, exit code out (`process.exitCode`).
 *
 * @param argv - The arguments after the program's name.
 */
export const main = async (argv: readonly string[]): Promise<void> => {
  const { name, rest } = commandIn(argv);
  ignoreOutputErrors(name);
  keepSecretsOf(argv, process.env);
  process.on('uncaughtException', (error) => {
    printSuiteError(error);
    process.exit();
  });
  const program = createProgram();
  if (wantsOverview(argv)) return overview(program);
  if (['-v', '--version'].includes(argv[0] ?? '')) return console.log(packageVersion());
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) return printUsageError(usageProblems.unknownCommand(name, Object.keys(commands)));
  const command = program.command(name).description(entry.description);
  try {
    (await entry.load()).register(command);
    await program.parseAsync([name, ...rest], { from: 'user' });
  } catch (error) {
    handleError(error, command);
  }
};
