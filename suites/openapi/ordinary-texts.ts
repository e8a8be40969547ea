import type { FlatSchema } from '../../src/check/schemas.ts';

/** Past days end in 2002, and future ones in 2091. */
const firstYears = { past: 1994, future: 2037 } as const;
const mostDays = { past: 3_000, future: 20_000 } as const;

/** A day of each turn, in the past or in the future. */
export const dateOf = (format: 'date' | 'date-time', days: keyof typeof firstYears, turn: number): string => {
  const time = Date.UTC(firstYears[days], 0, 10 + (turn % mostDays[days]));
  const day = new Date(time).toISOString().slice(0, 10);
  return format === 'date' ? day : `${day}T10:00:00Z`;
};

const hex = (turn: number, digits: number): string => turn.toString(16).padStart(digits, '0').slice(-digits);

/** Formats whose values a server may require to be unique. */
export const freshTexts: Readonly<Record<string, (turn: number) => string>> = {
  email: (turn) => `user${turn}@example.com`,
  uuid: (turn) => `${hex(Math.imul(turn + 1, 0x9e3779b1) >>> 0, 8)}-0c55-4a57-9f63-${hex(turn + 1, 12)}`,
  uri: (turn) => `https://example.com/page-${turn}`,
  url: (turn) => `https://example.com/page-${turn}`,
  hostname: (turn) => `host${turn}.example.com`,
};

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** A word and a number, as long as it may be. */
export const freeText = ({ length: { min, max } }: FlatSchema, turn: number): string => {
  const usual = `Sample ${turn}`;
  if (usual.length > min && usual.length < max) return usual;
  if (usual.length <= min)
    return `${usual} ${'abcde '.repeat(Math.ceil(min / 6))}`
      .slice(0, Math.max(min, Math.min(min + 3, max - 1)))
      .replace(/ $/, 'a');
  const length = max <= min ? max : Math.max(min, 1, Math.min(max - 1, 6));
  let rest = turn;
  return Array.from({ length }, () => {
    const letter = letters[rest % 26] ?? 'a';
    rest = Math.floor(rest / 26);
    return letter;
  })
    .reverse()
    .join('')
    .replace(/^./, (first) => first.toUpperCase());
};
