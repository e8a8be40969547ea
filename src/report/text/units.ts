import type { Outcome } from '../../run/outcome.ts';

/** `3`, `12,345`: with the separators of English. */
export const count = (value: number): string => value.toLocaleString('en-US');

/** `1 request`, `2 requests`. */
export const counted = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

/** A text with a capital at its beginning. */
export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A reason as a sentence of its own. The name of an operation at its beginning does not change. */
export const asSentence = (reason: string): string =>
  /^[a-z]+ /.test(reason) ? capitalized(reason) : reason;

/** What a run created: `3 animals created`, or for another API `3 resources created`. */
export const whatWasCreated = ({
  interface: judged,
  traffic,
}: Pick<Outcome, 'interface' | 'traffic'>): string =>
  `${counted(traffic.created, judged.title === undefined ? 'animal' : 'resource')} created`;

/** Milliseconds as a person reads them: `0.8 ms`, `340 ms`, `4.2 s`, `3 min 20 s`. */
export const duration = (ms: number): string => {
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

/** An RFC 3339 time as `2026-03-01 12:00:00 UTC`; other text unchanged. */
export const moment = (rfc3339: string): string => {
  const time = new Date(rfc3339);
  return Number.isNaN(time.getTime()) ? rfc3339 : `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
};

/** Header fields as lines of a message. */
export const headerLines = (headers: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
