import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A program of this folder in a separate process. */
export interface Child {
  /** Returns the next line that it prints, parsed as JSON. */
  next(): Promise<unknown>;
  /** Closes its standard input and waits for its exit. */
  end(): Promise<void>;
}

/** Starts `bench/<file>` with Node `flags` and program `args`. It inherits standard error. */
export const start = (file: string, args: readonly string[], flags: readonly string[] = []): Child => {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [...flags, path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    next: async () => {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${file} ended before it printed a result`);
      return JSON.parse(value);
    },
    end: async () => {
      child.stdin.end();
      await ended;
    },
  };
};
