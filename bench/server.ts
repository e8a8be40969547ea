import { listen } from '../src/reference/listen.ts';
import { createReference } from '../src/reference/reference.ts';
import { systemClock } from '../src/time/clock.ts';
import type { Bench } from './engine.ts';

/** Starts the reference server in a separate process, with rate limits that no run reaches. It ends with its standard input. */
const key = 'bench-enterprise-key';
const unreachable = { limit: 1_000_000_000, seconds: 60 };
const reference = createReference({
  clock: systemClock,
  random: Math.random,
  keys: [{ key, plan: 'enterprise' }],
  patches: [() => ({ windows: () => [unreachable] })],
  seedPets: 12,
});
const { baseUrl, close } = await listen(reference, { host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ baseUrl, key } satisfies Bench));
process.stdin.on('end', close).resume();
