import { isUtf8 } from 'node:buffer';
import type { PageExchange } from '../finding/domain-evidence.ts';
import { headerValue, type TransportFailure } from '../http/exchange.ts';
import { connectionFailure } from './network/handshake.ts';
import type { Network } from './network/network.ts';
import { redirectStatuses } from './settings.ts';

const MOST_REDIRECTS = 5;

/** A page with the redirects before it. */
export interface Page {
  /** The host that was asked for. */
  readonly name: string;
  readonly exchange: PageExchange;
  /** Where the last response redirects to; null: it does not redirect. */
  readonly location: URL | null;
  /** There are more redirects than are followed. */
  readonly isLoop: boolean;
}

/** A header as browsers read it: UTF-8, if it is that. The HTTP client reads each byte as a character. */
const decoded = (value: string): string => {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) && bytes.toString('latin1') === value ? bytes.toString('utf8') : value;
};

/** Where a response redirects to: its Location, resolved. Null: it does not redirect, or not to a URL. */
export const locationOf = ({ request, response }: PageExchange): URL | null => {
  const header = response === null ? null : headerValue(response.headers, 'location');
  if (header === null) return null;
  const location = decoded(header);
  return URL.canParse(location, request.url) ? new URL(location, request.url) : null;
};

const pageOf = (exchange: PageExchange): Omit<Page, 'isLoop'> => ({
  name: new URL(exchange.request.url).hostname,
  exchange,
  location: redirectStatuses.includes(exchange.response?.status ?? 0) ? locationOf(exchange) : null,
});

/** Gets a page of a host at an address, and follows no redirect. */
export const getFirst = async (network: Network, address: string, url: string): Promise<Page> => ({
  ...pageOf(await network.get({ address, url })),
  isLoop: false,
});

/** Gets a page of a host at an address. Redirects on the same host are followed, a few times. `wanted`: a status that ends them. */
export const getPage = async (
  network: Network,
  address: string,
  url: string,
  wanted: number | null,
): Promise<Page> => {
  const { host } = new URL(url);
  let page = await getFirst(network, address, url);
  for (let followed = 0; ; followed += 1) {
    const { location } = page;
    if (page.exchange.response?.status === wanted) return page;
    if (location?.host !== host || !/^https?:$/.test(location.protocol)) return page;
    if (followed === MOST_REDIRECTS) return { ...page, isLoop: true };
    location.hash = '';
    page = await getFirst(network, address, location.href);
  }
};

/** Nothing came in time, so that nothing is known. */
export const isTimeout = ({ kind, detail }: TransportFailure): boolean =>
  kind === 'timeout' ||
  ['no-connection', 'no-response', 'incomplete-response'].includes(detail.code) ||
  (detail.code === 'error' && ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'].includes(detail.error));

/** This machine has no route to the address. */
export const isUnreachable = ({ detail }: TransportFailure): boolean =>
  detail.code === 'error' && connectionFailure(detail.error) === 'unreachable';

/** A page without what differs between hosts, and between requests. */
const essence = ({ name, exchange: { response }, location }: Page): string => {
  const body = Buffer.from(response?.body ?? []).toString('utf8');
  const texts = [location?.href ?? '', body].map((text) =>
    text.toLowerCase().replaceAll(name, '').replaceAll(/\d+/g, ''),
  );
  return JSON.stringify([response?.status ?? null, ...texts]);
};

/** Whether two hosts get the same response, digits and their own names aside. */
export const isSamePage = (one: Page, other: Page): boolean =>
  one.exchange.response !== null && essence(one) === essence(other);
