import { didYouMean, quoted } from '../config/refusals.ts';

const noTime = 'is not an RFC 3339 time, such as 2026-11-01T10:00:00Z';

/** What is wrong with a field of the file of `domains`, as a predicate after `FILE:LINE: FIELD: `. */
export const domainProblems = {
  notMap: 'is not a list of "name: value" fields',
  notList: 'is not a list',
  notText: 'is not text',
  notTextOrList: 'is neither text nor a list of texts',
  notWhole: (least: number, most: number) => `is not a whole number from ${least} to ${most}`,
  notOneOf: (given: string, words: readonly (string | number)[]) =>
    `${quoted(given)} is none of ${words.join(', ')}${didYouMean(given, words.map(String))}`,
  missing: 'is missing, and required',
  empty: 'is empty: at least one is needed',
  repeated: 'is given twice',
  unknown: (field: string, known: readonly string[]) =>
    `is not a field${didYouMean(field, known) || `: expected one of ${known.join(', ')}`}`,
  isUrl: (given: string) => `${quoted(given)} is a URL: give the host name alone, such as www.shop.example`,
  isAddress: (given: string) => `${quoted(given)} is an address: give a host name, such as www.shop.example`,
  notHost: (given: string) => `${quoted(given)} is not a host name such as www.shop.example`,
  notResolver: (given: string) =>
    `${quoted(given)} is not ADDRESS or ADDRESS:PORT, such as 127.0.0.1:5353 or [::1]:5353`,
  notTime: (given: string) => `${quoted(given)} ${noTime}`,
  noTime,
  notPath: (given: string) => `${quoted(given)} is not a path that begins with /`,
  notUrl: (given: string) =>
    `${quoted(given)} is neither an http or https URL nor a host name, such as https://www.shop.example`,
  twice: (name: string) => `${name} is listed twice`,
  notAttached: (name: string) => `${name} is not one of domains`,
  attachedAndRemoved: (name: string) => `${name} is one of domains, so it is not removed`,
  noPrimary: 'is missing, and required, unless exactly one of domains does not redirect',
  notCertificates: 'has no PEM certificate that can be read',
} as const;

/** What is wrong with the arguments of `domains`. */
export const domainsUsage = {
  nothing:
    'domains needs --config FILE, or names with --platform-host: try domains www.shop.example --platform-host apps.host.example',
  both: '--config has the domains: leave out the names and --platform-host, --plan, --ca, and --primary',
  noPlatformHost: '--platform-host is missing: give the CNAME value that the dashboard shows',
  notDuration: (given: string) => `--wait ${quoted(given)} is not a number with s, m, or h: try --wait 30m`,
} as const;
