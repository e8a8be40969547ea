import type { RunSettings } from '../../src/config/settings.ts';
import { settingList } from '../../src/config/table.ts';
import type { Transport, TransportResult } from '../../src/http/exchange.ts';
import type { Target } from '../../src/run/run-deps.ts';

/** The settings of `run` where none is given. */
export const noSettings = Object.fromEntries(
  settingList.map(([name, { fallback }]) => [name, fallback]),
) as unknown as RunSettings;

const refusedConnection: TransportResult = {
  ok: false,
  failure: { kind: 'refused', message: 'the connection was refused', reused: false },
};

const silent: Transport = { send: async () => refusedConnection, close: async () => {} };

/** A target that nobody answers for. */
export const nowhere = (changes: Partial<Target> = {}): Target => ({
  baseUrl: 'http://127.0.0.1:1/v1',
  keys: { main: 'a-key-of-nobody', 'rate-limit': null },
  plans: { main: null, 'rate-limit': null },
  reference: false,
  transport: silent,
  close: async () => {},
  ...changes,
});
