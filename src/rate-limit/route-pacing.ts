import type { Exchange, RespondedExchange } from '../http/exchange.ts';
import type { PacedRequest, Pacing, Permission, RequestEnded } from '../http/pacing-types.ts';
import { pacedLimitOf } from './paced-limit.ts';
import { createPacing, type PacingOptions } from './pacing.ts';

/** A route that is limited for longer than this in total is not requested any more. */
const longestWaitMs = 20_000;

/** If so many operations got a 429, and no other status came since, the limit is not of a route. */
const mostLimitedRoutes = 3;

interface Route {
  readonly pacing: Pacing;
  /** Milliseconds waited for it so far, and until when it waits now. */
  waitedMs: number;
  waitsUntil: number;
}

const hasResponse = (exchange: Exchange | null): exchange is RespondedExchange => exchange?.response != null;

/**
 * Creates the pacing of a run on another API, whose operations may have limits of their own. An operation has one if it shows another limit
 * than the others, or if it gets a 429 and others do not. Operations that show the same limit share it.
 */
export const createRoutePacing = (options: PacingOptions): Pacing => {
  const shared = createPacing(options);
  const routes = new Map<string, Route>();
  /** The route of an operation with a key, if it has a limit of its own. */
  const routeOf = new Map<string, string>();
  /** The first limit that was shown with a key. */
  const firstLimit = new Map<string, number>();
  /** Operations that got a 429 after which nothing else came. */
  const limited = new Set<string>();

  const nameOf = ({ slot, operation }: PacedRequest): string => `${slot} ${operation}`;

  const routeNamed = (name: string): Route => {
    const known = routes.get(name);
    if (known !== undefined) return known;
    const pacing = createPacing({
      ...options,
      plans: { main: null, 'rate-limit': null },
      fallback: null,
      note: () => undefined,
    });
    const route = { pacing, waitedMs: 0, waitsUntil: 0 };
    routes.set(name, route);
    return route;
  };

  /** Learns from a response which limit its operation has. Returns the name of its route, or null if it shares the limit of all. */
  const place = (request: PacedRequest, exchange: RespondedExchange): string | null => {
    const { limit } = pacedLimitOf(exchange);
    const first = limit === null ? undefined : (firstLimit.get(request.slot) ?? limit);
    if (first !== undefined) firstLimit.set(request.slot, first);
    const is429 = exchange.response.status === 429;
    if (is429) limited.add(request.operation);
    else limited.clear();
    const own = routeOf.get(nameOf(request)) ?? null;
    if (limit !== null && first !== undefined && limit !== first && own === null)
      routeOf.set(nameOf(request), `${request.slot} limit ${limit}`);
    else if (is429 && limit === null && own === null && limited.size < mostLimitedRoutes)
      routeOf.set(nameOf(request), nameOf(request));
    return routeOf.get(nameOf(request)) ?? null;
  };

  const askRoute = (route: Route, request: PacedRequest, now: number): Permission => {
    const permission = route.pacing.ask(request, now);
    if (permission.kind === 'go') return permission;
    if (permission.kind === 'ended')
      return { ...permission, end: { ...permission.end, operation: request.operation }, ofRoute: true };
    if (permission.kind === 'response') return permission;
    const { untilMs } = permission;
    if (untilMs > route.waitsUntil) {
      route.waitedMs += untilMs - Math.max(now, route.waitsUntil);
      route.waitsUntil = untilMs;
    }
    if (route.waitedMs <= longestWaitMs) return { ...permission, ofRoute: true };
    const until = new Date(untilMs).toISOString();
    return {
      kind: 'ended',
      end: { detail: 'used-up', key: request.slot, until, operation: request.operation },
      ofRoute: true,
    };
  };

  return {
    ...shared,
    ask: (request, now) => {
      const name = routeOf.get(nameOf(request));
      if (name === undefined) return shared.ask(request, now);
      const permission = askRoute(routeNamed(name), request, now);
      return permission.kind === 'go' ? shared.ask(request, now) : permission;
    },
    sent: (request, now): RequestEnded => {
      const before = routeOf.get(nameOf(request)) ?? null;
      const end = (before === null ? shared : routeNamed(before).pacing).sent(request, now);
      return (exchange, endedAt) => {
        const after = hasResponse(exchange) ? place(request, exchange) : before;
        if (after === before) return end(exchange, endedAt);
        end(null, endedAt);
        if (after !== null) routeNamed(after).pacing.sent(request, now)(exchange, endedAt);
      };
    },
  };
};
