import { memoizedLast } from '../util/memoize.ts';

const day = 'Mon|Tue|Wed|Thu|Fri|Sat|Sun';
const month = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
const time = '\\d{2}:\\d{2}:\\d{2}';
const imf = new RegExp(`^(${day}), \\d{2} (${month}) \\d{4} ${time} GMT$`);
const rfc850 = new RegExp(`^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \\d{2}-(${month})-\\d{2} ${time} GMT$`);
const asctime = new RegExp(`^(${day}) (${month}) [ \\d]\\d ${time} \\d{4}$`);

/** Parses an HTTP-date in any of the three forms of RFC 9110 5.6.7. Returns milliseconds, or null if the text is not one. */
export const httpDate = memoizedLast((text: string): number | null => {
  if (!imf.test(text) && !rfc850.test(text) && !asctime.test(text)) return null;
  const at = Date.parse(asctime.test(text) ? `${text} GMT` : text);
  return Number.isNaN(at) ? null : at;
});
