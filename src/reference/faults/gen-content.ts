import type { Call } from '../parts.ts';
import type { Fault } from '../patch.ts';
import { instead } from '../patches.ts';
import { problem } from './create-patches.ts';
import { failOn } from './gen-answers.ts';

const header = ({ request }: Call, name: string): string => request.headers.get(name) ?? '';

/** Mistakes with what headers say of a body, and with what is asked for. */
export const contentFaults: readonly Fault[] = [
  {
    name: 'odd-parameters-of-the-media-type-crash',
    requirement: 'GEN-4',
    companions: [],
    description:
      'A charset that is not known, or multipart/form-data that names no boundary, is an exception: 500.',
    patch: failOn('createPet', (call) =>
      /^multipart\/(?!.*boundary=)|charset=(?!"?utf-?8)/i.test(header(call, 'content-type')),
    ),
  },
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
];
