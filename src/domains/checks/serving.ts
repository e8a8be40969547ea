import type { DnsExchange, PageExchange } from '../../finding/domain-evidence.ts';
import { observation } from '../../finding/finding.ts';
import type { NotServed } from '../../finding/kinds/domains.ts';
import type { ProblemOf } from '../../finding/problem.ts';
import type { Reason } from '../../finding/reason.ts';
import { redirectedPathSubject, redirectedPathText } from '../../finding/words/dns.ts';
import { isAnswered } from '../dns/responses.ts';
import { breach, type DomainFinding, inconclusive, passed } from '../finding.ts';
import { canonicalName } from '../names.ts';
import { isSamePage, isTimeout, isUnreachable, locationOf, type Page } from '../pages.ts';
import type { Project, Redirect } from '../settings.ts';
import { silenceOf } from './records.ts';

/** Statuses that say nothing about the project: it is protected, or the platform has a problem, or limits requests. */
const isUnclear = (status: number): boolean => [401, 403, 429].includes(status) || status >= 500;

/** Why an exchange shows nothing; null: it does. */
const unclear = ({ address, response, failure }: PageExchange): Reason | null => {
  if (response !== null)
    return isUnclear(response.status) ? { code: 'status', status: response.status } : null;
  if (failure === null || isTimeout(failure)) return { code: 'timeout', address };
  return isUnreachable(failure) ? { code: 'no-connection', address } : null;
};

/** The parts of a URL that are compared. A trailing dot of the host, and the case of an escape, do not matter (RFC 3986 6.2.2.1). */
const placeOf = ({ protocol, hostname, port, pathname }: URL) => ({
  origin: `${protocol}//${canonicalName(hostname)}:${port}`,
  path: pathname.replaceAll(/%[\da-f]{2}/gi, (escaped) => escaped.toUpperCase()),
});

/** Whether a location is the target, or below it if the whole domain redirects. */
const isTarget = (location: URL | null, { to, path }: Redirect): boolean => {
  if (location === null) return false;
  const [found, wanted] = [placeOf(location), placeOf(new URL(to))];
  if (found.origin !== wanted.origin) return false;
  if (path !== null) return found.path === wanted.path;
  return `${found.path}/`.startsWith(`${wanted.path.replace(/\/$/, '')}/`);
};

/** DOMAIN-7: `from` returns `status`, and redirects to `to`. */
export const checkRedirect = (redirect: Redirect, exchange: PageExchange): DomainFinding => {
  const { from, to, status: expected } = redirect;
  const of = { requirement: 'DOMAIN-7', domain: from };
  const reason = unclear(exchange);
  if (reason !== null) return inconclusive(of, reason);
  const { request, response } = exchange;
  const subject = { from: `${from}${redirect.path ?? ''}`, url: request.url, to, expected };
  const fail = (problem: ProblemOf<'redirect-status' | 'redirect-location'>) =>
    breach(of, problem, { exchange });
  const status = response?.status ?? null;
  if (status !== expected) return fail({ ...subject, rule: 'redirect-status', status });
  const location = locationOf(exchange);
  if (isTarget(location, redirect)) return passed(of);
  return fail({ ...subject, rule: 'redirect-location', location: location?.href ?? null });
};

/** Whether a redirect of a whole domain keeps the path: the document does not say. `exchange`: a request for a path that nobody uses. */
export const observePath = (redirect: Redirect, exchange: PageExchange): readonly DomainFinding[] => {
  const { from, status } = redirect;
  if (exchange.response === null) return [];
  const location = locationOf(exchange);
  const isRedirect = exchange.response.status === status && isTarget(location, redirect);
  const isKept = location?.pathname.endsWith(new URL(exchange.request.url).pathname) === true;
  const value = redirectedPathText(isRedirect ? isKept : null);
  return [{ ...observation('DOMAIN-7', redirectedPathSubject(from), value), domain: from }];
};

/** What a domain serves, and what the platform serves for a name that nobody uses; null: it serves nothing. */
export interface ServedView {
  readonly name: string;
  readonly isPrimary: boolean;
  readonly page: Page;
  readonly unused: Page | null;
}

/** DOMAIN-7: a domain that does not redirect serves the project. */
export const checkServed = (
  { name, isPrimary, page, unused }: ServedView,
  project: Project,
): DomainFinding => {
  const of = { requirement: 'DOMAIN-7', domain: name };
  const { exchange } = page;
  const isWanted = exchange.response?.status === project.status;
  const reason = isWanted ? null : unclear(exchange);
  if (reason !== null) return inconclusive(of, reason);
  const because = whyNotServed(page, unused, project);
  const cutAt = exchange.response?.cutAt;
  if (because?.kind === 'content' && cutAt !== undefined)
    return inconclusive(of, { code: 'max-body', detail: 'page', bytes: cutAt });
  const problem = { rule: 'project-not-served', name, url: exchange.request.url, isPrimary } as const;
  if (because !== null) return breach(of, { ...problem, because }, { exchange });
  // Without a text that recognizes the project, the page may be the one for unknown names.
  return project.contains === null && unused !== null && isLost(unused)
    ? inconclusive(of, { code: 'timeout', address: exchange.address })
    : passed(of);
};

const whyNotServed = (
  page: Page,
  unused: Page | null,
  { status: expected, contains }: Project,
): NotServed | null => {
  const { exchange, location, isLoop } = page;
  const { response } = exchange;
  if (response === null) return { kind: 'closed' };
  if (isLoop) return { kind: 'loop' };
  const { status } = response;
  const isExpected = expected === null ? status >= 200 && status < 300 : status === expected;
  if (!isExpected && location !== null) return { kind: 'elsewhere', location: location.href };
  if (!isExpected) return { kind: 'status', status, expected };
  const isRecognized = contains === null || Buffer.from(response.body).toString('utf8').includes(contains);
  if (contains !== null && !isRecognized) return { kind: 'content', contains };
  return unused !== null && isSamePage(page, unused) ? { kind: 'default-page' } : null;
};

/** What the platform serves for a removed domain at one of its addresses, and for a name that nobody uses. */
export interface RemovedView {
  readonly name: string;
  readonly page: Page;
  readonly unused: Page;
}

/** DOMAIN-8: the platform does not serve a removed domain. `asked`: the DNS queries for the addresses of the platform. */
export const checkRemoved = (
  name: string,
  views: readonly RemovedView[],
  asked: readonly DnsExchange[],
): DomainFinding => {
  const of = { requirement: 'DOMAIN-8', domain: name };
  const silent = asked.find((exchange) => !isAnswered(exchange));
  const served = views.find(isServed);
  if (served !== undefined) {
    const { request, response } = served.page.exchange;
    const status = response?.status ?? 0;
    return breach(
      of,
      { rule: 'removed-served', name, url: request.url, status },
      { exchange: served.page.exchange },
    );
  }
  const lost = views.find((view) => isLost(view.page) || (isSuccess(view.page) && isLost(view.unused)));
  if (lost !== undefined) return inconclusive(of, { code: 'timeout', address: lost.page.exchange.address });
  if (silent !== undefined)
    return inconclusive(of, { code: 'no-dns-answer', name: silent.name, why: silenceOf(silent) });
  const isReached = views.some(
    ({ page: { exchange } }) => exchange.failure === null || !isUnreachable(exchange.failure),
  );
  const [first] = views;
  if (first === undefined) return inconclusive(of, { code: 'no-address', name: asked[0]?.name ?? name });
  return isReached
    ? passed(of)
    : inconclusive(of, { code: 'no-connection', address: first.page.exchange.address });
};

const isSuccess = ({ exchange: { response } }: Page): boolean => response !== null && response.status < 400;

/** What came, or did not come, says nothing. */
const isLost = ({ exchange: { failure } }: Page): boolean =>
  failure !== null && (isTimeout(failure) || failure.kind === 'malformed');

const isServed = ({ name, page, unused }: RemovedView): boolean => {
  if (!isSuccess(page) || isLost(unused) || isSamePage(page, unused)) return false;
  const { location, exchange } = page;
  const { protocol } = new URL(exchange.request.url);
  const isToHttps = protocol === 'http:' && location?.protocol === 'https:' && location.hostname === name;
  return !isToHttps;
};
