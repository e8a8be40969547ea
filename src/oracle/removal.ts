import type { Operation } from '../openapi/document.ts';
import type { RemovalState } from './rule.ts';

const hour = 3_600_000;

/** A day begins first at UTC+14 and last at UTC-12. */
const firstMidnight = -14 * hour;
const lastMidnight = 12 * hour;

/** The document gives no time zone. While it is the day of the removal anywhere, a working and a removed operation both pass (GET-5). */
export const removalStateAt = (operation: Operation, now: () => number): RemovalState => {
  if (operation.sunset === null) return 'before';
  const today = now();
  const removed = Date.parse(`${operation.sunset}T00:00:00Z`);
  if (today < removed + firstMidnight) return 'before';
  return today < removed + 24 * hour + lastMidnight ? 'removal-day' : 'after';
};
