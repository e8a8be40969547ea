import { isJsonObject, type Json } from '../../json/json.ts';
import type { Fault, Patch } from '../patch.ts';
import { editSent, replace, together } from '../patches.ts';
import { isPetStatus, petStatuses } from '../pet.ts';
import {
  answerWhere,
  changeStored,
  editCreated,
  internalError,
  problem,
  showInstead,
  shownEverywhere,
} from './create-patches.ts';

/** An animal created without a status shows this one, and no filter selects it. */
const byDefault = (name: string, description: string, shown: Json): Fault => ({
  name,
  requirement: 'CREATE-4',
  companions: shownEverywhere,
  description,
  patch: together(
    changeStored((_pet, { status }) => (status === undefined ? { status: undefined } : {})),
    showInstead((_pet, { status }) => (status === undefined ? { status: shown } : {})),
  ),
});

/** An invalid status that is read as if something else had been sent; undefined: as if nothing had. */
const readAs = (
  name: string,
  description: string,
  read: (status: Json | undefined) => Json | undefined,
): Fault => ({
  name,
  requirement: 'CREATE-6',
  companions: [],
  description,
  patch: editSent(({ status }) => ({ status: read(status) })),
});

const text = (status: Json | undefined, change: (text: string) => string): Json | undefined =>
  typeof status === 'string' ? change(status) : status;

/** Any status passes that `accepted` is true of; it is shown as it was sent, and no filter selects it. */
const keptAsSent = (accepted: (status: Json | undefined) => boolean): Patch =>
  together(
    replace('violations', (before) => (body) => {
      const status = typeof body === 'object' && body !== null && 'status' in body ? body.status : undefined;
      return before(body).filter((violation) => !(violation.startsWith('status') && accepted(status)));
    }),
    changeStored((pet, { status = null }) =>
      isPetStatus(status) || !accepted(status) ? {} : { status: undefined, extra: { ...pet.extra, status } },
    ),
  );

const inherited = (status: Json | undefined): boolean =>
  typeof status === 'string' && status in Object.prototype;

const isInvalid = (status: Json | undefined): boolean => status !== undefined && !isPetStatus(status);

/** CREATE-4: the status where none is sent; CREATE-6 for `status`. */
export const createStatusFaults: readonly Fault[] = [
  byDefault('status-null-by-default', 'Without a status an animal has the status null.', null),
  byDefault('status-empty-by-default', 'Without a status an animal has an empty one.', ''),
  byDefault('status-unknown-by-default', 'Without a status an animal has the status unknown.', 'unknown'),
  byDefault('status-a-number-by-default', 'Without a status an animal has the number of the first one.', 0n),
  {
    name: 'default-status-capitalised-in-the-201',
    requirement: 'CREATE-4',
    companions: ['CREATE-1', 'GEN-3', 'GET-1', 'LIST-8'],
    description: 'Without a status the 201 says AVAILABLE, the name of a constant; the store has available.',
    patch: editCreated((pet, { status }) => ({ status: status === undefined ? 'AVAILABLE' : pet.status })),
  },
  readAs('status-in-any-case', 'A status is accepted in any case.', (status) =>
    text(status, (sent) => sent.toLowerCase()),
  ),
  readAs(
    'status-in-any-case-behind-its-first-letter',
    'A status is accepted with its letters but the first in any case, as parseEnum of Nim reads it.',
    (status) => text(status, (sent) => sent.slice(0, 1) + sent.slice(1).toLowerCase()),
  ),
  readAs('status-trimmed', 'Spaces around a status are removed before it is judged.', (status) =>
    text(status, (sent) => sent.trim()),
  ),
  readAs('empty-status-taken-for-none', 'An empty status is taken for none.', (status) =>
    status === '' ? undefined : status,
  ),
  readAs('null-status-taken-for-none', 'The status null is taken for none.', (status) => status ?? undefined),
  readAs('falsy-status-taken-for-none', 'The statuses 0 and false are taken for none.', (status) =>
    status === 0n || status === false ? undefined : status,
  ),
  readAs('status-by-its-number', 'A status may be given by its number, from 0 on.', (status) =>
    typeof status === 'bigint' ? (petStatuses[Number(status)] ?? status) : status,
  ),
  readAs('true-status-is-available', 'The status true is read as available.', (status) =>
    status === true ? 'available' : status,
  ),
  readAs('status-in-an-array', 'An array of one status is read as that one.', (status) =>
    Array.isArray(status) && status.length === 1 ? status[0] : status,
  ),
  readAs('status-an-object-is-ignored', 'A status that is an object is ignored.', (status) =>
    typeof status === 'object' && status !== null && !Array.isArray(status) ? undefined : status,
  ),
  readAs(
    'status-named-by-the-member-of-an-object',
    'An object with one member, null, is read as the status of its name, as serde reads an enumeration.',
    (status) => {
      const members = isJsonObject(status) ? Object.entries(status) : [];
      const [[name, value] = []] = members;
      return members.length === 1 && value === null && isPetStatus(name) ? name : status;
    },
  ),
  readAs(
    'unknown-status-falls-back',
    'A status outside the enumeration is replaced by available.',
    (status) => (typeof status === 'string' && isInvalid(status) ? 'available' : status),
  ),
  readAs('status-by-its-beginning', 'A status is recognised by its first letter.', (status) =>
    text(status, (sent) => petStatuses.find((known) => sent !== '' && known[0] === sent[0]) ?? sent),
  ),
  {
    name: 'unknown-status-stored',
    requirement: 'CREATE-6',
    companions: [],
    description: 'Any string is accepted as a status and stored.',
    patch: keptAsSent((status) => typeof status === 'string'),
  },
  {
    name: 'inherited-names-are-statuses',
    requirement: 'CREATE-6',
    companions: [],
    description: 'The statuses are looked up in an object with a prototype: constructor and toString pass.',
    patch: keptAsSent(inherited),
  },
  {
    name: 'unknown-status-crashes',
    requirement: 'CREATE-6',
    companions: ['GEN-4'],
    description: 'A status outside the enumeration fails in the database: 500.',
    patch: answerWhere(({ status }) => typeof status === 'string' && isInvalid(status), internalError),
  },
  {
    name: 'unknown-status-is-a-conflict',
    requirement: 'CREATE-6',
    companions: [],
    description: 'A status outside the enumeration is refused with 409.',
    patch: answerWhere(
      ({ status }) => typeof status === 'string' && isInvalid(status),
      problem(409, 'conflict'),
    ),
  },
];
