type Handlers = Readonly<Record<string, (...args: never[]) => unknown>>;

/** A message to the other process: a call, or the end of one. */
type Message =
  | {
      readonly kind: 'call';
      readonly number: number | null;
      readonly name: string;
      readonly args: readonly unknown[];
    }
  | { readonly kind: 'result'; readonly number: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly number: number; readonly error: unknown };

/** One end of the connection between two processes. */
export interface Port {
  send(message: Message): void;
  onMessage(listener: (message: Message) => void): void;
}

/** Calls functions of the other process. A call to a process that is gone never ends. */
export interface Channel<There> {
  /** Lets the other process call these functions. */
  serve(here: Handlers): void;
  call<Name extends keyof There & string>(
    name: Name,
    ...args: There[Name] extends (...args: infer Args) => unknown ? Args : never
  ): Promise<There[Name] extends (...args: never[]) => infer Result ? Awaited<Result> : never>;
  /** The same, if nobody waits for the result. */
  tell<Name extends keyof There & string>(
    name: Name,
    ...args: There[Name] extends (...args: infer Args) => unknown ? Args : never
  ): void;
}

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/** Connects the functions of this process with those of another. */
export const createChannel = <There>(port: Port): Channel<There> => {
  let here: Handlers = {};
  const waiting = new Map<number, Waiting>();
  let calls = 0;
  const handle = async ({ number, name, args }: Extract<Message, { kind: 'call' }>): Promise<void> => {
    try {
      const value = await here[name]?.(...(args as never[]));
      if (number !== null) port.send({ kind: 'result', number, value });
    } catch (error) {
      if (number === null) throw error;
      port.send({ kind: 'error', number, error });
    }
  };
  port.onMessage((message) => {
    if (message.kind === 'call') return void handle(message);
    const caller = waiting.get(message.number);
    waiting.delete(message.number);
    if (message.kind === 'result') caller?.resolve(message.value as never);
    else caller?.reject(message.error);
  });
  return {
    serve: (functions) => {
      here = functions;
    },
    call: (name, ...args) =>
      new Promise((resolve, reject) => {
        calls += 1;
        waiting.set(calls, { resolve, reject });
        port.send({ kind: 'call', number: calls, name, args });
      }),
    tell: (name, ...args) => port.send({ kind: 'call', number: null, name, args }),
  };
};
