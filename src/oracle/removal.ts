import type { Operation } from '../openapi/document.ts';
import type { RemovalState } from './rule.ts';

const hour = 3_600_000;

/** UTC+14 has a new day first, UTC-12 last. */
const firstMidnight = -14 * hour;
const lastMidnight = 12 * hour;

/** The document gives no time zone: while it is the day of the removal anywhere, working and removed both pass (GET-5). */
export const removalStateAt = (operation: Operation, now: () => number): RemovalState => {
  if (operation.sunset === null) return 'before';
  const today = now();
  const removed = Date.parse(`${operation.sunset}T00:00:00Z`);
  if (today < removed + firstMidnight) return 'before';
  return today < removed + 24 * hour + lastMidnight ? 'removal-day' : 'after';
};
