import type { Json } from '../json/json.ts';
import type { Problem } from './problem.ts';

/** Facts as a report has them: JSON, in which an integer that may be large is a text, and which contains no key. */
type Reported<Facts> = [Json] extends [Facts] ? ReportedJson : ReportedMember<Facts>;

type ReportedMember<Facts> = Facts extends bigint
  ? string
  : Facts extends string | number | boolean | null | undefined
    ? Facts
    : { readonly [Name in keyof Facts]: Reported<Facts[Name]> };

type ReportedJson =
  | null
  | boolean
  | number
  | string
  | readonly ReportedJson[]
  | { readonly [name: string]: ReportedJson };

export type ReportedProblem = Reported<Problem>;

/** A longer text is cut: the exchange has all of it. */
const longestText = 1_000;

/** Returns facts as reports have them. A server may repeat a key as the name of a member. */
export const reported = <Facts>(facts: Facts, redact: (text: string) => string): Reported<Facts> =>
  JSON.parse(
    JSON.stringify(facts, (_, value: unknown) => {
      if (typeof value === 'bigint') return String(value);
      if (typeof value === 'string') return redact(value).slice(0, longestText);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [redact(name), member]));
    }),
  );
