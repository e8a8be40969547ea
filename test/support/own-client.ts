import { listPets } from '../../src/check/requests.ts';
import { createClient } from '../../src/http/client.ts';
import { createHttpTransport } from '../../src/http/transport.ts';
import { createPacing } from '../../src/rate-limit/pacing.ts';
import { systemClock } from '../../src/time/clock.ts';

// The suite's own client as a client under test: six lists, with the key and the address that `judge` gives it.

const { ANIMAL_STORE_BASE_URL: baseUrl = '', ANIMAL_STORE_API_KEY: key = '' } = process.env;
const transport = createHttpTransport({ concurrency: 4, clock: systemClock });
const client = createClient({
  baseUrl,
  keys: { main: key, 'rate-limit': null },
  transport,
  clock: systemClock,
  pacing: createPacing({
    plans: { main: null, 'rate-limit': null },
    fallback: null,
    sharedKey: false,
    maxWaitMs: 70_000,
    random: Math.random,
    note: () => {},
  }),
  version: '1.0.0',
  timeoutMs: 10_000,
  concurrency: 4,
  budget: null,
  signal: new AbortController().signal,
  onWait: () => {},
  onNote: () => {},
});
for (let left = 6; left > 0; left -= 1) await client.send(listPets({ limit: left }).request);
client.end();
await transport.close();
