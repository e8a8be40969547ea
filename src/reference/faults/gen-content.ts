import { parseJson } from '../../json/parse.ts';
import type { Call } from '../parts.ts';
import type { Fault } from '../patch.ts';
import { handle, instead } from '../patches.ts';
import { problem } from './create-patches.ts';
import { bodyText, failOn } from './gen-answers.ts';

const header = ({ request }: Call, name: string): string => request.headers.get(name) ?? '';

/** A creation on which the server fails. */
const crash = (
  name: string,
  companions: readonly string[],
  description: string,
  when: (call: Call) => boolean | Promise<boolean>,
): Fault => ({
  name,
  requirement: 'GEN-4',
  companions,
  description,
  patch: failOn('createPet', when),
});

/** Mistakes with what headers say of a body, and with what is asked for. */
export const contentFaults: readonly Fault[] = [
  crash(
    'multipart-without-boundary-crashes',
    [],
    'The parser of forms throws where multipart/form-data names no boundary: 500.',
    (call) => /^multipart\/(?!.*boundary=)/i.test(header(call, 'content-type')),
  ),
  crash(
    'unknown-charset-crashes',
    [],
    'The charset of the Content-Type is looked up, and one that is not found is an exception: 500.',
    (call) => /charset=(?!"?utf-?8)/i.test(header(call, 'content-type')),
  ),
  crash(
    'body-that-is-not-gzip-crashes',
    [],
    'A body that is not what its Content-Encoding says makes the decompression throw: 500.',
    async (call) => header(call, 'content-encoding') !== '' && parseJson(await bodyText(call)).ok,
  ),
  crash(
    'body-beyond-100-kib-crashes',
    [],
    'The parser refuses more than 100 KiB with an exception, and the handler of errors makes a 500 of any.',
    async (call) => (await bodyText(call)).length > 102_400,
  ),
  {
    name: 'accept-compared-as-text',
    requirement: 'GEN-1',
    companions: ['GET-1', 'GET-2', 'GET-3', 'GET-4', 'LIST-1', 'LIST-4', 'LIST-8'],
    description:
      'Accept is compared with application/json as a text: whoever accepts more than that gets 406.',
    patch: instead(['listPets', 'getPet'], async (call, next) => {
      const reply = await next();
      if (call.grant === null || header(call, 'accept') === 'application/json') return reply;
      const { status, body } = problem(406, 'not_acceptable')(call);
      return { ...reply, status, body };
    }),
  },
  {
    name: 'invalid-category-quoted-as-it-is',
    requirement: 'GEN-2',
    companions: ['ERR-1'],
    description: 'The Error repeats a categoryId that is a string, and does not escape it.',
    patch: handle('createPet', async (call, before) => {
      const reply = await before(call);
      const [, quoted] = /"categoryId":"((?:[^"\\]|\\.)*)"/.exec(await bodyText(call)) ?? [];
      if (reply.status !== 400 || quoted === undefined) return reply;
      const message = `no category ${String(JSON.parse(`"${quoted}"`))}`;
      const text = `{"code":"invalid_body","message":"${message}","status":400}`;
      return { ...reply, headers: { ...reply.headers, 'content-type': 'application/json' }, body: { text } };
    }),
  },
];
