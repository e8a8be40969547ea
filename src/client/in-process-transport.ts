import type { VirtualClock } from '../run/virtual-clock.ts';
import { onAbort } from './abort.ts';
import { decodeContent } from './content-coding.ts';
import type { Answer, Header, Transport, TransportFailure, WireRequest, WireResponse } from './exchange.ts';

const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;
const failed = (kind: TransportFailure['kind'], message: string): Answer => ({
  ok: false,
  failure: { kind, message, reused: false },
});

/**
 * A transport to a fetch handler in the same process: no sockets, time-outs by the given clock, which is held meanwhile. A handler that throws has dropped
 * the connection. What `Request` cannot express is left out as a server behind node:http would see it: the body of GET and HEAD.
 *
 * @throws TypeError (from `send`) for a request that HTTP cannot carry
 */
export const createInProcessTransport = (
  fetch: (request: Request) => Response | Promise<Response>,
  clock: VirtualClock,
): Transport => ({
  send: async (wire, { timeoutMs, signal }) => {
    if (signal?.aborted) return failed('aborted', 'the run was ended before the answer came');
    const request = toRequest(wire);
    const release = clock.hold();
    const answer = answerOf(fetch, request).finally(release);
    return withinTime(answer, clock, timeoutMs, signal);
  },
  close: async () => undefined,
});

const toRequest = ({ url, method, headers, body }: WireRequest): Request => {
  try {
    const bodiless = method === 'GET' || method === 'HEAD' || body === null;
    return new Request(url, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body: bodiless ? null : Buffer.from(body),
    });
  } catch (error) {
    throw new TypeError(
      `the request cannot be sent: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
};

const answerOf = async (
  fetch: (request: Request) => Response | Promise<Response>,
  request: Request,
): Promise<Answer> => {
  let response: WireResponse;
  try {
    const answered = await fetch(request);
    const body = new Uint8Array(await answered.arrayBuffer());
    response = { status: answered.status, headers: [...answered.headers] as Header[], body };
  } catch {
    return failed('reset', 'the server closed the connection without answering');
  }
  const body = decodeContent(response.headers, response.body, MAX_RESPONSE_BYTES);
  if (body === null) return failed('malformed', 'the body is not encoded as its Content-Encoding says');
  return { ok: true, response: { ...response, body }, reused: false };
};

const withinTime = (
  answer: Promise<Answer>,
  clock: VirtualClock,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const settle = (answered: Answer): void => {
      callOff();
      stopListening();
      resolve(answered);
    };
    const abort = (): void => settle(failed('aborted', 'the run was ended before the answer came'));
    const late = (): void => settle(failed('timeout', `no answer within ${timeoutMs} ms`));
    const callOff = clock.after(timeoutMs, late);
    const stopListening = onAbort(signal, abort);
    answer.then(settle, reject);
  });
