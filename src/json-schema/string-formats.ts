/** Formats that ajv-formats accepts too freely, or too strictly, by their RFC. */
export const exactFormats: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': isDateTime,
  duration: isDuration,
  email: isEmail,
  'idn-email': (text) => isEmail(text.replace(/[^\0-\x7f＠]/gu, 'a')),
  uuid: (text) => /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text),
};

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

const dateTime = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|([+-])(\d\d):(\d\d))$/i;

/** RFC 3339 5.6. A second 60 is a leap second: the last of a day in UTC. */
function isDateTime(text: string): boolean {
  const found = dateTime.exec(text);
  if (found === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  const [offsetHours, offsetMinutes] = [Number(found[8] ?? 0), Number(found[9] ?? 0)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false;
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return false;
  const offset = (offsetHours * 60 + offsetMinutes) * (found[7] === '-' ? -1 : 1);
  const inDay = 24 * 60;
  return second < 60 || (hour * 60 + minute - offset + inDay) % inDay === inDay - 1;
}

/** RFC 3339 appendix A: units in order, and none left out between two others. */
function isDuration(text: string): boolean {
  const date = String.raw`(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)`;
  const time = String.raw`T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S)`;
  return new RegExp(String.raw`^P(?:${date}(?:${time})?|${time}|\d+W)$`).test(text);
}

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const localPart = new RegExp(String.raw`^(?:${atom}(?:\.${atom})*|"(?:[ !#-[\]-~]|\\[ -~])*")$`);
const subdomain = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const domain = new RegExp(String.raw`^${subdomain}(?:\.${subdomain})*$`);

/** RFC 5321 4.1.2 (Mailbox): a host without a dot, a quoted local part, and an address literal are valid. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, host] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (at < 0 || local.length > 64 || host.length > 255 || !localPart.test(local)) return false;
  return host.startsWith('[') ? isAddressLiteral(host) : domain.test(host);
}

function isAddressLiteral(host: string): boolean {
  const literal = /^\[(?:IPv6:([\da-f:.]+)|((?:\d{1,3}\.){3}\d{1,3}))\]$/i.exec(host);
  if (literal === null) return false;
  if (literal[2] !== undefined) return literal[2].split('.').every((part) => Number(part) <= 255);
  return URL.canParse(`http://[${literal[1]}]`);
}
