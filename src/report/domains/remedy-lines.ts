import { domainWords as words } from '../text/domains/page.ts';
import type { Remedy, RemedyRecord } from '../text/domains/remedies.ts';
import { oneLine, shorten } from '../text/escape.ts';

const LONGEST = 300;

/** Text from DNS or a server on one line, cut. */
export const line = (text: string): string => shorten(oneLine(text), LONGEST);

/** A record as zone files have it. */
export const recordText = ({ name, ttl, type, value }: RemedyRecord): string =>
  `${name} ${ttl} IN ${type} ${value}`;

/** A remedy as lines: what to do, the records and steps ready to paste, and when to wait. */
export const remedyLines = ({ text, records, steps, wait }: Remedy): readonly string[] => [
  ...(wait === null ? [] : [line(words.waitUntil(wait))]),
  line(text),
  ...records.map((record) => line(`  ${record.action.padEnd(7)} ${recordText(record)}`)),
  ...steps.map((step, index) => line(`  ${index + 1}. ${step}`)),
];
