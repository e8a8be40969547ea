import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A program of this folder in a process of its own. */
export interface Child {
  /** The next line that it prints, read as JSON. */
  next(): Promise<unknown>;
  /** Ends it, and waits until it has. */
  end(): Promise<void>;
}

/** Starts `bench/<file>` with Node's own flags before its arguments; what it says on standard error is ours to say. */
export const start = (file: string, args: readonly string[], flags: readonly string[] = []): Child => {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [...flags, path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    next: async () => {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${file} ended without an answer`);
      return JSON.parse(value);
    },
    end: async () => {
      child.stdin.end();
      await ended;
    },
  };
};
