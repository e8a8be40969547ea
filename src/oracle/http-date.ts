import { rememberingLast } from '../memo/memo.ts';

const imf =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const rfc850 = /^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const asctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** An HTTP-date in any of the three forms of RFC 9110, 5.6.7, in milliseconds; null where it is none. */
export const httpDate = rememberingLast((text: string): number | null => {
  if (!imf.test(text) && !rfc850.test(text) && !asctime.test(text)) return null;
  const time = Date.parse(asctime.test(text) ? `${text} GMT` : text);
  return Number.isNaN(time) ? null : time;
});
