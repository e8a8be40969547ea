import { othersUse } from '../client/client.ts';
import type { Client } from '../client/client-types.ts';
import type { KeySlot } from '../client/exchange.ts';
import type { RunSettings } from '../settings/settings.ts';
import type { Cause, Entry } from './ledger.ts';
import type { Observation } from './outcome.ts';

/** What only a key tells that nobody else uses: others may have used up what remained. */
const needExclusiveKey: readonly string[] = ['RATE-5', 'RATE-6', 'RATE-8', 'RATE-9', 'RATE-13'];

const undecidedFor = (slot: KeySlot, entry: Entry): Entry => ({
  ...entry,
  met: 0,
  causes: [],
  undecided: new Map([[othersUse[slot], 1]]),
});

const isOn =
  (slot: KeySlot) =>
  ({ breach }: Cause): boolean =>
    breach.exchange.request.credential.charges === slot;

/**
 * The evidence on a requirement without what others may have caused who use the same key, whenever it was found. What was seen of the
 * rate limit key is evidence although others use the API key.
 */
export const besideOthers = (
  requirement: string,
  entry: Entry,
  { isShared }: Pick<Client, 'isShared'>,
): Entry => {
  if (!needExclusiveKey.includes(requirement)) return entry;
  if (isShared('rate-limit')) return undecidedFor('rate-limit', entry);
  return isShared('main') && entry.causes.some(isOn('main')) ? undecidedFor('main', entry) : entry;
};

/** The keys that others were seen to use, as the report shows it. */
export const otherClients = ({
  client,
  settings,
}: {
  readonly client: Pick<Client, 'isShared'>;
  readonly settings: Pick<RunSettings, 'sharedKey'>;
}): readonly Observation[] => {
  const slots = (['main', 'rate-limit'] as const).filter(
    (slot) => client.isShared(slot) && !(slot === 'main' && settings.sharedKey),
  );
  return slots.map((slot) => ({
    id: 'RATE-6',
    subject: 'other clients',
    value: `${othersUse[slot]}: X-RateLimit-Remaining falls by more than this run sends`,
  }));
};
