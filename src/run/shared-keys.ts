import type { RunSettings } from '../config/settings.ts';
import type { Client } from '../http/client-types.ts';
import type { KeySlot } from '../http/exchange.ts';
import type { Cause, Entry } from './evidence.ts';
import type { Observation } from './outcome.ts';

interface Sharing {
  readonly client: Pick<Client, 'isShared'>;
  /** `sharedKey`: it was declared of the API key. */
  readonly settings: Pick<RunSettings, 'sharedKey'>;
}

/** What only a key tells that nobody else uses: others may have used up what remained. */
const needExclusiveKey: readonly string[] = ['RATE-5', 'RATE-6', 'RATE-8', 'RATE-9', 'RATE-13'];

const undecidedFor = (slot: KeySlot, entry: Entry): Entry => ({
  ...entry,
  met: 0,
  causes: [],
  undecided: new Map([[slot, { reason: { code: 'shared-key', detail: 'others', key: slot }, count: 1 }]]),
});

const isOfMain = ({ breach }: Cause): boolean => breach.exchange.request.credential.charges === 'main';

/**
 * The evidence on a requirement without what others may have caused who use the same key, whenever it was found. Who has the API key as
 * well has probably been given the same rate limit key: so no failure is believed then, but what was met is. Who declares
 * that the API key is shared has a rate limit key of their own.
 */
export const besideOthers = (requirement: string, entry: Entry, { client, settings }: Sharing): Entry => {
  if (!needExclusiveKey.includes(requirement)) return entry;
  if (client.isShared('rate-limit')) return undecidedFor('rate-limit', entry);
  const doubtful = settings.sharedKey ? entry.causes.some(isOfMain) : entry.causes.length > 0;
  return client.isShared('main') && doubtful ? undecidedFor('main', entry) : entry;
};

const names: Readonly<Record<KeySlot, string>> = { main: 'API key', 'rate-limit': 'rate limit key' };

/** The keys that others were seen to use, as the report shows it. */
export const otherClients = ({ client, settings }: Sharing): readonly Observation[] => {
  const slots = (['main', 'rate-limit'] as const).filter(
    (slot) => client.isShared(slot) && !(slot === 'main' && settings.sharedKey),
  );
  return slots.map((slot) => ({
    id: 'RATE-6',
    subject: 'other clients',
    value: `others use the ${names[slot]} at the same time: X-RateLimit-Remaining falls by more than this run sends`,
  }));
};
