import type { TestServer } from '../testing.ts';
import { describeFaults, type Showing } from './create-testing.ts';
import { rateWindowFaults } from './rate-windows.ts';

const key = 'key-ten';
const last = async (server: TestServer, count: number) => (await server.burst(count, { key })).at(-1);

/** One request, four seconds, eleven more, and one after the wait that the 429 asks for. */
const afterWait = async (server: TestServer) => {
  await server.burst(1, { key });
  server.now += 4_000;
  const refused = await last(server, 11);
  server.now += Number(refused?.headers.get('retry-after')) * 1_000;
  return last(server, 1);
};

const statusAfterWait: Showing = {
  find: async (server) => (await afterWait(server))?.status,
  faulty: 429,
  conforming: 200,
};

describeFaults(
  rateWindowFaults,
  {
    'refused-requests-count': statusAfterWait,
    'refusal-restarts-the-window': statusAfterWait,
    'reset-a-minute-from-now': {
      find: async (server) => {
        const [first] = await server.burst(1, { key });
        server.now += 4_000;
        const second = await last(server, 1);
        return [first, second].map(
          (answer) => Number(answer?.headers.get('x-ratelimit-reset')) - server.now / 1000,
        );
      },
      faulty: [56, 60],
      conforming: [56, 56],
    },
  },
  { keys: [{ key, plan: 'pro', window: { limit: 10, seconds: 60 } }] },
);
