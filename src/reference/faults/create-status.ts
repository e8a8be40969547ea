import { isJsonObject, type Json } from '../../json/json.ts';
import type { Patch } from '../patch.ts';
import { compose, replace } from '../patch-kit/core.ts';
import {
  changeStored,
  editCreated,
  readField,
  respondToObject,
  showInstead,
  statusByDefault,
} from '../patch-kit/creations.ts';
import { errorReply, internalError } from '../patch-kit/responses.ts';
import { isPetStatus, petStatuses } from '../pet.ts';
import { shownEverywhere } from './companions.ts';
import { family } from './family.ts';

/** Shows this status if none was sent, and no filter selects it. */
const byDefault = (shown: Json): Patch =>
  compose(
    statusByDefault(() => undefined),
    showInstead((_pet, { status }) => (status === undefined ? { status: shown } : {})),
  );

const readAs = readField('status');

/** Reads the text of a status in another way. */
const readText = (read: (text: string) => string): Patch =>
  readAs((status) => (typeof status === 'string' ? read(status) : status));

/** Accepts more statuses; they are shown as sent, and no filter selects them. */
const keptAsSent = (accepted: (status: Json | undefined) => boolean): Patch =>
  compose(
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

/** CREATE-4: an animal created without a status. */
const defaultFaults = family(
  'CREATE-4',
  {
    'status-null-by-default': ['The default status is null.', byDefault(null)],
    'status-empty-by-default': ['The default status is empty.', byDefault('')],
    'status-unknown-by-default': ['The default status is "unknown".', byDefault('unknown')],
    'status-a-number-by-default': ['The default status is the number 0.', byDefault(0n)],
    'default-status-capitalised-in-the-201': [
      'The 201 shows the default status as AVAILABLE; the store has available.',
      editCreated((pet, { status }) => ({ status: status === undefined ? 'AVAILABLE' : pet.status })),
      { companions: ['CREATE-1', 'GEN-3', 'GET-1', 'LIST-8'] },
    ],
  },
  { companions: shownEverywhere },
);

/** CREATE-6 for `status`: an invalid value gets 400. */
const statusFaults = family('CREATE-6', {
  'status-in-any-case': ['The server accepts a status in any case.', readText((sent) => sent.toLowerCase())],
  'status-in-any-case-behind-its-first-letter': [
    'The server accepts any case after the first letter of a status, like parseEnum of Nim.',
    readText((sent) => sent.slice(0, 1) + sent.slice(1).toLowerCase()),
  ],
  'sold-in-capitals-accepted': [
    'The server accepts SOLD for sold, like the constant of an older client, and no other status in capitals.',
    readText((sent) => (sent === 'SOLD' ? 'sold' : sent)),
  ],
  'pending-with-a-capital-accepted': [
    'The server accepts Pending for pending, as the dashboard shows it.',
    readText((sent) => (sent === 'Pending' ? 'pending' : sent)),
  ],
  'status-trimmed': ['The server trims a status before it validates it.', readText((sent) => sent.trim())],
  'empty-status-taken-for-none': [
    'The server treats an empty status as missing.',
    readAs((status) => (status === '' ? undefined : status)),
  ],
  'null-status-taken-for-none': [
    'The server treats the status null as missing.',
    readAs((status) => status ?? undefined),
  ],
  'falsy-status-taken-for-none': [
    'The server treats the statuses 0 and false as missing.',
    readAs((status) => (status === 0n || status === false ? undefined : status)),
  ],
  'status-by-its-number': [
    'The server accepts the number of a status, from 0 on.',
    readAs((status) => (typeof status === 'bigint' ? (petStatuses[Number(status)] ?? status) : status)),
  ],
  'true-status-is-available': [
    'The server reads the status true as available.',
    readAs((status) => (status === true ? 'available' : status)),
  ],
  'status-in-an-array': [
    'The server reads an array of one status as that status.',
    readAs((status) => (Array.isArray(status) && status.length === 1 ? status[0] : status)),
  ],
  'status-an-object-is-ignored': [
    'The server ignores a status that is an object.',
    readAs((status) =>
      typeof status === 'object' && status !== null && !Array.isArray(status) ? undefined : status,
    ),
  ],
  'status-named-by-the-member-of-an-object': [
    'The server reads {"sold": null} as the status sold, like an enumeration of serde.',
    readAs((status) => {
      const members = isJsonObject(status) ? Object.entries(status) : [];
      const [[name, value] = []] = members;
      return members.length === 1 && value === null && isPetStatus(name) ? name : status;
    }),
  ],
  'unknown-status-falls-back': [
    'The server replaces an unknown status with available.',
    readAs((status) => (typeof status === 'string' && isInvalid(status) ? 'available' : status)),
  ],
  'status-by-its-beginning': [
    'The server recognizes a status by its first letter.',
    readText((sent) => petStatuses.find((known) => sent !== '' && known[0] === sent[0]) ?? sent),
  ],
  'unknown-status-stored': [
    'The server accepts any string as a status.',
    keptAsSent((status) => typeof status === 'string'),
  ],
  'inherited-names-are-statuses': [
    'The server looks statuses up in an object with a prototype: constructor and toString are accepted.',
    keptAsSent(inherited),
  ],
  'unknown-status-crashes': [
    'An unknown status fails in the database: 500.',
    respondToObject(({ status }) => typeof status === 'string' && isInvalid(status), internalError),
    { companions: ['GEN-4'] },
  ],
  'unknown-status-is-a-conflict': [
    'An unknown status gets 409.',
    respondToObject(
      ({ status }) => typeof status === 'string' && isInvalid(status),
      errorReply(409, 'conflict'),
    ),
  ],
});

export const createStatusFaults = [...defaultFaults, ...statusFaults];
