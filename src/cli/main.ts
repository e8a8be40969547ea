import { Command, CommanderError } from 'commander';
import { didYouMean } from '../config/suggest.ts';
import { packageVersion } from '../openapi/package-root.ts';
import { keepSecretsOf, keyFlagOf, withoutSecrets } from './secrets.ts';
import { exitCodes, problemLines } from './usage.ts';

/** A command; only the module of the chosen one is loaded: help and usage errors are there at once. */
interface CommandEntry {
  readonly description: string;
  readonly load: () => Promise<{ readonly register: (command: Command) => void }>;
}

const commands: Readonly<Record<string, CommandEntry>> = {
  run: {
    description: 'Test a server (the default command); without --base-url, the built-in reference server',
    load: () => import('./run.ts'),
  },
  serve: { description: 'Run the reference server as a sandbox', load: () => import('./serve.ts') },
  selftest: {
    description: 'Prove that the suite catches every fault and accepts every dialect',
    load: () => import('./selftest.ts'),
  },
  requirements: {
    description: 'List the requirements: id, level, statement, where it is tested',
    load: () => import('./requirements.ts'),
  },
  compare: {
    description: 'Tell what changed between two reports; exit code 1 if something newly fails',
    load: () => import('./compare.ts'),
  },
  merge: {
    description: 'Make one report of those of several shards; the exit code is that of the whole',
    load: () => import('./merge.ts'),
  },
  init: {
    description: 'Write a commented configuration file and a CI job (GitHub or GitLab), if they do not exist',
    load: () => import('./init.ts'),
  },
};

/** Words of the command line are shown like keys, for one of them may be a key. */
const clipped = (word: string): string => (word.length > 12 ? `${word.slice(0, 4)}…` : word);

const unknownCommand = (word: string): string =>
  `${JSON.stringify(clipped(word))} is not a command${didYouMean(word, Object.keys(commands)) || `: the commands are ${Object.keys(commands).join(', ')}`}`;

const flagsOf = (command: Command): readonly string[] => [
  ...command.options.flatMap(({ long }) => long ?? []),
  '--help',
];

/** What commander found wrong, in one sentence that says what to do and repeats no value, for it may be a key. */
const sentenceOf = ({ code, message }: CommanderError, command: Command): string => {
  const plain = message.replace(/^error: /, '');
  if (code === 'commander.error') return plain;
  const help = `${command.name()} --help`;
  if (code === 'commander.unknownOption') {
    const given = /'([^'=]*)/.exec(plain)?.[1] ?? '';
    const runsOn = keyFlagOf(given);
    if (runsOn !== undefined) return `${runsOn} and its value are two words: ${runsOn} KEY`;
    const flag = given.startsWith('--') ? given : given.slice(0, 2);
    if (flagsOf(command).includes(flag)) return `${flag} takes no value: write ${flag} alone`;
    return `unknown option ${flag}${didYouMean(flag, flagsOf(command)) || `: ${help} lists the options`}`;
  }
  if (code === 'commander.excessArguments') {
    const extra = command.args.slice(command.registeredArguments.length);
    return `unexpected argument ${JSON.stringify(clipped(extra[0] ?? ''))} (${help})`;
  }
  if (code === 'commander.optionMissingArgument') {
    const [, flag, value] = /'(?:-\w, )?(\S+) <?([^>']+)/.exec(plain) ?? [];
    return `${flag} needs a value: ${flag} ${value}`;
  }
  return `${plain.split('\n').join(' ')} (${help})`;
};

/** The command named first, the rest of the words, and whether help on all commands is wanted. */
const chosen = (argv: readonly string[]): { readonly name: string; readonly rest: readonly string[] } => {
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

const complain = (problem: string): void => {
  process.stderr.write(withoutSecrets(problemLines([problem])));
  process.exitCode = exitCodes.usage;
};

/** A fault of ours: it is said, never taken for the target's. */
const fail = (error: unknown): void => {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const stack = process.env.ANIMAL_STORE_DEBUG && error instanceof Error ? `${error.stack}\n` : '';
  const hint = stack === '' ? ' (ANIMAL_STORE_DEBUG=1 shows where)' : '';
  process.stderr.write(
    withoutSecrets(`${problemLines([`the suite itself failed: ${message}${hint}`])}${stack}`),
  );
  process.exitCode = exitCodes.fault;
};

/** Commands end by throwing: every way out of commander leads through here. */
const caught = (error: unknown, command: Command): void => {
  if (!(error instanceof CommanderError)) {
    fail(error);
    return;
  }
  if (error.exitCode === 0) return;
  complain(sentenceOf(error, command));
  // A command's own complaint may carry another exit code.
  if (error.code === 'commander.error' && error.exitCode > 1) process.exitCode = error.exitCode;
};

/** What these find out is in their reports, and not only in what they print. */
const reporting: readonly string[] = ['run'];

/**
 * A reader that has seen enough closes the pipe; the work goes on without it. So it does for a command with reports where a terminal
 * goes away or a device is full.
 */
const surviveLostOutput = (name: string): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && !reporting.includes(name)) throw error;
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
 * @param argv - The words after the program's name.
 */
export const main = async (argv: readonly string[]): Promise<void> => {
  const { name, rest } = chosen(argv);
  surviveLostOutput(name);
  keepSecretsOf(argv, process.env);
  process.on('uncaughtException', (error) => {
    fail(error);
    process.exit();
  });
  const program = createProgram();
  if (wantsOverview(argv)) return overview(program);
  if (['-v', '--version'].includes(argv[0] ?? '')) return console.log(packageVersion());
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) return complain(unknownCommand(name));
  const command = program.command(name).description(entry.description);
  try {
    (await entry.load()).register(command);
    await program.parseAsync([name, ...rest], { from: 'user' });
  } catch (error) {
    caught(error, command);
  }
};
