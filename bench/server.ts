import { listen } from '../src/reference/listen.ts';
import { createReference } from '../src/reference/reference.ts';
import { systemClock } from '../src/time/clock.ts';
import type { Bench } from './engine.ts';

/** The reference server in a process of its own, with limits that nobody reaches, with a key or without. It ends with its standard input. */
const key = 'bench-enterprise-key';
const endless = { limit: 1_000_000_000, seconds: 60 };
const reference = createReference({
  clock: systemClock,
  random: Math.random,
  keys: [{ key, plan: 'enterprise' }],
  patches: [() => ({ windows: () => [endless] })],
  seedPets: 12,
});
const { baseUrl, close } = await listen(reference, { host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ baseUrl, key } satisfies Bench));
process.stdin.on('end', close).resume();
