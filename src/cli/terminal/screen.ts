import { withoutLogCommands } from '../../report/text/log-commands.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The output of a command for people. */
export interface Screen {
  write(text: string): void;
  /** The current width, because a window can be resized. */
  columns(): number;
  /** A line can be erased and written again. */
  readonly live: boolean;
  readonly color: boolean;
}

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const isSet = (value: string | undefined): boolean =>
  value !== undefined && !['', '0', 'false'].includes(value);

/** FORCE_COLOR wins over NO_COLOR, and both over the abilities of the terminal, as in Node. */
const hasColor = (terminal: boolean, env: Env): boolean => {
  if (env.FORCE_COLOR !== undefined) return !['0', 'false'].includes(env.FORCE_COLOR);
  if (env.NO_COLOR) return false;
  return terminal && env.TERM !== 'dumb';
};

/** Returns what a stream can show: a bar only on a terminal that can move its cursor, and not in CI. */
export const screenOf = (stream: Stream, env: Env): Screen => {
  const terminal = stream.isTTY === true;
  return {
    write: (text) => void stream.write(withoutLogCommands(text)),
    columns: () => (terminal && stream.columns ? stream.columns : 80),
    live: terminal && env.TERM !== 'dumb' && !isSet(env.CI),
    color: hasColor(terminal, env),
  };
};
