import { decodeBody } from '../../json/decode.ts';
import type { Json } from '../../json/json.ts';
import { parseJson } from '../../json/parse.ts';
import type { Call, Operation } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { editReply, handle, type Where } from '../patches.ts';
import { ConnectionDropped, type Reply, textReply } from '../reply.ts';

/** A page as web frameworks show by default. */
export const htmlPage = (status: number, title: string): Reply =>
  textReply(status, 'text/html; charset=utf-8', `<!doctype html><title>${title}</title><h1>${title}</h1>`);

/** How a server fails; all but `hang` at once. */
const failures = {
  'Internal Server Error': () => htmlPage(500, 'Internal Server Error'),
  'Service Unavailable': () => htmlPage(503, 'Service Unavailable'),
  drop: () => {
    throw new ConnectionDropped();
  },
} as const;

/** Answers as a server that fails, or drops the connection. */
export const failWith = (failure: keyof typeof failures): Reply => failures[failure]();

/** What a handler does where it fails; `hang`: it answers after a minute. */
export type Failure = keyof typeof failures | 'hang';

const minute = 60_000;

/** Fails on some requests for an operation that have a valid key, in place of its handler. */
export const failOn = (
  operation: Operation,
  when: (call: Call) => boolean | Promise<boolean>,
  failure: Failure = 'Internal Server Error',
): Patch =>
  handle(operation, async (call, before) => {
    if (!(await when(call))) return before(call);
    if (failure !== 'hang') return failWith(failure);
    await call.world.clock.sleep(minute);
    return before(call);
  });

/** The body of a creation, as text; U+FFFD where it is not UTF-8. */
export async function bodyText(call: Call): Promise<string> {
  const body = await call.body();
  return body.ok ? decodeBody(body.bytes).text : '';
}

/** The body of a creation; undefined where it is no JSON. */
export async function sent(call: Call): Promise<Json | undefined> {
  const parsed = parseJson(await bodyText(call));
  return parsed.ok ? parsed.value : undefined;
}

/** Writes JSON bodies of answers in another way: `write` gets their JSON text. */
export const rewrite = (where: Where, write: (text: string, body: Json) => string | Uint8Array): Patch =>
  editReply(where, (reply, call) => {
    if (reply.body === null || !('json' in reply.body)) return reply;
    const written = write(call.parts.stringify(reply.body.json), reply.body.json);
    return { ...reply, body: typeof written === 'string' ? { text: written } : { bytes: written } };
  });
