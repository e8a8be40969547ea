import type { TestServer } from '../testing.ts';
import { describeFaults, type Showing } from './create-testing.ts';
import { rateRefusalFaults } from './rate-refusals.ts';

/** What comes after so many requests, a minute apart, so that no limit is met: and, a wait later, again. */
const after = (requests: number, seconds: number, faulty: readonly number[]): Showing => ({
  find: async (server: TestServer) => {
    const found: number[] = [];
    for (let sent = 0; sent < requests; sent += 1) {
      await server.burst(1);
      server.now += 60_000;
    }
    for (const _wait of faulty) {
      found.push(...(await server.burst(1)).map(({ status }) => status));
      server.now += seconds * 1000;
    }
    return found;
  },
  faulty,
  conforming: faulty.map(() => 200),
});

/** Remaining in the answers to four requests, where three are served in ten seconds. */
const remaining = (faulty: readonly string[]): Showing => ({
  find: async (server: TestServer) =>
    (await server.burst(4, { key: 'key-tiny' })).map(({ headers }) => headers.get('x-ratelimit-remaining')),
  faulty,
  conforming: ['2', '1', '0', '0'],
});

describeFaults(rateRefusalFaults, {
  'remaining-before-the-request': remaining(['3', '2', '1', '0']),
  'remaining-one-too-high': remaining(['3', '2', '1', '1']),
  'refused-from-the-start': after(0, 10, [429, 429, 429]),
  'refused-for-ever-after-two-hundred': after(198, 60, [200, 429, 429]),
  'refused-for-ever-with-no-wait': after(48, 1, [200, 429, 429]),
});
