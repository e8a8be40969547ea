import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a command ended: its exit code, or the signal that ended it. */
export interface CommandEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface RunningCommand {
  /** Rejects with the error of the system if the command cannot be started. */
  readonly ended: Promise<CommandEnd>;
  /** Ends the command and everything that it started. */
  stop(): Promise<void>;
}

export interface CommandOptions {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Gets each line of its output. */
  readonly onLine: (line: string) => void;
}

/** A process may need so long to end after it was asked to. */
const politeMs = 1_000;

const passLines = (stream: Readable, onLine: (line: string) => void): void => {
  createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', onLine);
};

/** Starts a command in a process group of its own, so that its children can be ended with it. */
export const startProcess = ({ words, env, onLine }: CommandOptions): RunningCommand => {
  const [file = '', ...args] = words;
  const child = spawn(file, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  passLines(child.stdout, onLine);
  passLines(child.stderr, onLine);
  const ended = new Promise<CommandEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const signalGroup = (signal: 'SIGTERM' | 'SIGKILL' | 0): boolean => {
    if (child.pid === undefined) return false;
    try {
      process.kill(-child.pid, signal);
      return true;
    } catch {
      // The group has no process left.
      return false;
    }
  };
  const stop = async (): Promise<void> => {
    if (!signalGroup('SIGTERM')) return;
    for (let waitedMs = 0; waitedMs < politeMs && signalGroup(0); waitedMs += 50) await sleep(50);
    signalGroup('SIGKILL');
    await ended.catch(() => undefined);
  };
  return { ended, stop };
};
