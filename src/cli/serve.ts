import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import type { Listening } from '../reference/listen.ts';
import { announcement, listenProblem } from '../report/text/command-line.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import * as output from './output.ts';
import type { ServeFlags, ServeSettings } from './serve-settings.ts';

/** `serve`: the reference server as a sandbox. */
export function register(command: Command): void {
  command
    .option('--port <n>', 'port to listen on; 0 picks one', '4010')
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--key <plan=key>', 'a valid key (repeatable; default: one key per plan, printed)', append)
    .option('--limit <key=n/seconds>', 'another window for a key (repeatable)', append)
    .option('--seed-pets <n>', 'animals in the store at first', '25')
    .option('--dialect <name>', 'a choice that the document leaves open (repeatable)', append)
    .option('--list-dialects', 'list the dialects and stop')
    .option('--fault <name>', 'a fault to serve: a seeded bug (repeatable)', append)
    .option('--list-faults', 'list the faults and stop')
    .option('--now <date>', 'the time at which the server starts')
    .option('--quiet', 'no access log')
    .option('--json', 'base URL and keys as one JSON line')
    .action(serve);
}

const append = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

type Flags = ServeFlags & {
  readonly listDialects?: true;
  readonly listFaults?: true;
  readonly quiet?: true;
  readonly json?: true;
};

async function serve(flags: Flags, command: Command): Promise<void> {
  const { faults } = await import('../reference/faults/index.ts');
  const { dialects } = await import('../reference/dialects/index.ts');
  if (flags.listDialects || flags.listFaults) {
    if (flags.listDialects) for (const { name, description } of dialects) print(`${name}  ${description}`);
    if (flags.listFaults)
      for (const { name, requirement, description } of faults)
        print(`${name}  ${requirement}  ${description}`);
    return;
  }
  const { readServeFlags } = await import('./serve-settings.ts');
  const { oneKeyPerPlan } = await import('../reference/keys.ts');
  const defaultKeys = () => oneKeyPerPlan(() => randomBytes(16).toString('base64url'));
  const settings = readServeFlags(flags, { faults, dialects, defaultKeys });
  if (!settings.ok) return command.error(`error: ${settings.problem}`, { exitCode: 2 });
  const listening = await start(settings.value, flags, command);
  print(
    flags.json
      ? jsonAnnouncement(listening, settings.value)
      : announcement(listening.baseUrl, settings.value.keys),
  );
  // A reader that closes the pipe after the first line must not stop the server.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  await waitForSignal();
  await listening.close();
}

async function start(settings: ServeSettings, flags: Flags, command: Command): Promise<Listening> {
  const { createReference } = await import('../reference/reference.ts');
  const { withAccessLog } = await import('../reference/access-log.ts');
  const { listen } = await import('../reference/listen.ts');
  const clock = clockFrom(settings.now);
  const reference = createReference({ ...settings, clock, random: Math.random });
  try {
    return await listen(
      flags.quiet ? reference : withAccessLog(reference, clock, flags.json ? printError : print),
      settings,
    );
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return command.error(`error: ${listenProblem(code, settings)}`, { exitCode: 2 });
  }
}

/** Returns the machine's clock, moved so that it shows the given time now. */
function clockFrom(now: number | null): Clock {
  if (now === null) return systemClock;
  const offset = now - systemClock.now();
  return { ...systemClock, now: () => systemClock.now() + offset };
}

/** Returns one line of JSON. `keys` has the first key of each plan, and `grants` has all keys. */
function jsonAnnouncement({ baseUrl }: Listening, { keys }: ServeSettings): string {
  const firstOfEach = Object.fromEntries(keys.map(({ plan, key }) => [plan, key]).reverse());
  return JSON.stringify({ baseUrl, keys: firstOfEach, grants: keys });
}

const waitForSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });

const print = (line: string): void => {
  output.print(`${line}\n`);
};

/** Writes to standard error: with --json, standard output has only one line. */
const printError = (line: string): void => {
  output.printError(`${line}\n`);
};
