import { listen } from '../reference/listen.ts';
import type { Clock } from '../time/clock.ts';
import { type CommandEnd, startProcess } from './command.ts';
import type { Recorder } from './recorder.ts';
import { recordedServer } from './web-server.ts';

export interface OneServerOptions {
  readonly recorder: Recorder;
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  /** The command to start; null: the client is started by somebody else. */
  readonly words: readonly string[] | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly key: string | null;
  /** The longest time; null: until the signal. */
  readonly timeoutMs: number | null;
  readonly signal: AbortSignal;
  readonly onListening: (baseUrl: string) => void;
  readonly onLine: (line: string) => void;
}

/** Listens on one port until the command ends, the time is over, or the signal comes. Returns how the command ended; null: there is none. */
export const serveOne = async (options: OneServerOptions): Promise<CommandEnd | null> => {
  const { recorder, clock, words, env, key, timeoutMs, signal, onListening, onLine } = options;
  const server = recordedServer(recorder, clock);
  const { baseUrl, close } = await listen(server, { ...options, onEnd: server.onEnd });
  onListening(baseUrl);
  const over = new AbortController();
  const stopped = AbortSignal.any([signal, over.signal]);
  const child =
    words === null
      ? null
      : startProcess({
          words,
          env: {
            ...env,
            ANIMAL_STORE_BASE_URL: baseUrl,
            ...(key === null ? {} : { ANIMAL_STORE_API_KEY: key }),
          },
          onLine,
        });
  const waiting = clock.sleep(timeoutMs ?? longestMs, stopped).then(
    () => null,
    () => null,
  );
  try {
    return await (child === null ? waiting : Promise.race([child.ended, waiting]));
  } finally {
    over.abort();
    await child?.stop();
    await close();
  }
};

/** The longest time of a timer. */
const longestMs = 2 ** 31 - 1;
