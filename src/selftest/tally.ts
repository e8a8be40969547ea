/** Where progress is shown. */
interface Screen {
  write(text: string): void;
  /** A line can be taken back and written anew. */
  readonly live: boolean;
}

/** Counts what is done. */
export interface Tally {
  start(total: number, title: string): void;
  /** One more is done; a complaint about it gets a line of its own. */
  done(complaint: string | null): void;
  /** Takes the count away for good. */
  stop(): void;
}

const eraseLine = '\r\u001b[K';

/** A count that is written over itself, or, where that cannot be, a line for each tenth. */
export const createCounter = ({ write, live }: Screen): Tally => {
  let total = 0;
  let count = 0;
  let complaints = 0;
  const clear = () => live && write(eraseLine);
  const draw = () => {
    const text = `${count} of ${total}${complaints === 0 ? '' : `, ${complaints} not as they have to be`}`;
    if (live) write(eraseLine + text);
    else if (Math.floor((count * 10) / total) > Math.floor(((count - 1) * 10) / total)) write(`${text}\n`);
  };
  return {
    start: (expected, title) => {
      total = expected;
      write(`${title}: ${expected} servers\n`);
    },
    done: (complaint) => {
      count += 1;
      if (complaint !== null) {
        complaints += 1;
        clear();
        write(`${complaint}\n`);
      }
      draw();
    },
    stop: clear,
  };
};
