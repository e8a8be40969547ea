import type { TestServer } from '../testing.ts';
import { bodyOf, describeFaults, type Showing } from './create-testing.ts';
import { rateCountFaults } from './rate-counts.ts';

const key = 'key-free';
const header = (name: string, faulty: readonly string[], conforming: readonly string[]): Showing => ({
  find: async (server: TestServer) =>
    (await server.burst(faulty.length, { key })).map(({ headers }) => headers.get(`x-ratelimit-${name}`)),
  faulty,
  conforming,
});
const limit = (shown: string): Showing => header('limit', [shown], ['60']);
const remaining = (...shown: readonly string[]): Showing =>
  header('remaining', shown, ['59', '58', '57', '56']);

describeFaults(rateCountFaults, {
  'windows-of-another-plan': limit('300'),
  'limit-per-hour': limit('3600'),
  'limit-shown-one-too-high': limit('61'),
  'limit-counts-down': header('limit', ['59', '58', '57'], ['60', '60', '60']),
  'limit-doubled-on-creations': {
    find: async (server) => (await server.create(bodyOf(), { key })).headers.get('x-ratelimit-limit'),
    faulty: '120',
    conforming: '60',
  },
  'limit-of-all-windows-added': limit('1060'),
  'remaining-is-the-limit': remaining('60', '60', '60', '60'),
  'remaining-after-one': remaining('59', '59', '59', '59'),
  'remaining-rises': remaining('1', '2', '3', '4'),
  'remaining-from-a-cache': remaining('59', '59', '59', '59'),
  'remaining-jumps-back': remaining('59', '60', '57', '60'),
  'instances-begin-apart': remaining('59', '58', '57', '59'),
  'free-plan-not-counted': remaining('60', '60', '60', '60'),
  'remaining-half': remaining('30', '30', '30', '30'),
});
