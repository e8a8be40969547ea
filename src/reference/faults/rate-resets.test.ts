import type { TestServer } from '../testing.ts';
import { describeFaults, type Showing } from './create-testing.ts';
import { rateResetFaults } from './rate-resets.ts';

/** Seconds from now to the Reset in the last of so many responses to a Free key, after some seconds of the minute. */
const resetAfter = (seconds: number, count: number, faulty: number, key = 'key-free'): Showing => ({
  find: async (server: TestServer) => {
    server.now += seconds * 1000;
    const last = (await server.burst(count, { key })).at(-1);
    return Number(last?.headers.get('x-ratelimit-reset')) - server.now / 1000;
  },
  faulty,
  conforming: 60 - seconds,
});

describeFaults(rateResetFaults, {
  'reset-always-a-second-away': resetAfter(10, 1, 1),
  'reset-is-now': resetAfter(10, 1, 0),
  'reset-ten-seconds-early': resetAfter(10, 1, 40),
  'reset-at-half-the-time': resetAfter(10, 1, 25),
  'reset-early-on-the-free-plan': resetAfter(10, 1, 2),
  'reset-is-now-once-nothing-remains': resetAfter(10, 60, 0),
  'reset-on-the-full-minute': {
    find: async (server) => {
      server.now += 10_000;
      await server.burst(60, { key: 'key-free' });
      server.now += 51_000;
      return (await server.get('/pets', { key: 'key-free' })).status;
    },
    faulty: 429,
    conforming: 200,
  },
  'locked-once-nothing-remains': {
    find: async (server) => {
      await server.burst(60, { key: 'key-free' });
      server.now += 61_000;
      return (await server.get('/pets', { key: 'key-free' })).status;
    },
    faulty: 429,
    conforming: 200,
  },
  'reset-never-moves': {
    find: async (server) => {
      await server.burst(1, { key: 'key-free' });
      server.now += 70_000;
      const [response] = await server.burst(1, { key: 'key-free' });
      return Number(response?.headers.get('x-ratelimit-reset')) - server.now / 1000;
    },
    faulty: -10,
    conforming: 50,
  },
});
