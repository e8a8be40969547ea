import { type CheckName, checkName } from '../finding/check-name.ts';
import { type Finding, isBreach } from '../finding/finding.ts';
import type { Exchange } from '../http/exchange.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import type { Redactors } from '../http/redact.ts';
import { showRequest, showResponse } from '../http/request-view.ts';
import type { ApiDocument } from '../openapi/document.ts';
import type { FoundExchange } from './found-outcome.ts';
import type { CoverageCell } from './outcome.ts';

/** Keeps exchanges for the reports, in bounded memory: all of failed checks, and a sample of the others. */
export interface ExchangeStore {
  add(exchange: Exchange, check: CheckName, findings: readonly Finding[]): void;
  /** Keeps an exchange that a failure shows, even if it breaches nothing itself or the store is full. */
  pin(exchange: Exchange, check: CheckName, requirement: string): void;
  /** In the order of sending, each once. */
  all(): readonly FoundExchange[];
}

/** Nobody reads more failed exchanges of one run. */
const mostBreaching = 400;
/** Enough for each kind of exchange of the animal store. */
const mostSampled = 300;
/** Exchanges of failed checks that breach nothing themselves: what came before a failure. */
const mostFromFailedChecks = 400;
/** The number of exchanges in the sample, for each check, operation, and status: more show nothing new. */
const perKind = 3;
/** The length of all bodies that are kept to be shown: browsers open a page of this size. Failures show theirs in any case. */
const mostShown = 24 * 1024 * 1024;

/** Keeps nothing: for a run without reports. */
export const noExchangeStore: ExchangeStore = { add: () => {}, pin: () => {}, all: () => [] };

/** An exchange store that redacts what it keeps. */
export const createExchangeStore = ({ redact, redactResponse }: Redactors): ExchangeStore => {
  const breaching: FoundExchange[] = [];
  const sampled: FoundExchange[] = [];
  const pinned = new Map<number, FoundExchange>();
  const kinds = new Map<string, number>();
  const failed = new Set<string>();
  const pending = createQueue();
  let shownLength = 0;
  const hasRoom = (): boolean => shownLength < mostShown;

  const shown = (exchange: Exchange, check: CheckName, breaches: readonly string[]): FoundExchange => {
    const request = showRequest(exchange.wire, redact);
    const response = exchange.response === null ? null : showResponse(exchange.response, redactResponse);
    shownLength += (request.body?.length ?? 0) + (response?.body?.length ?? 0);
    return {
      id: exchange.id,
      check: checkName(check),
      operation: exchange.request.operation,
      startedAt: exchange.startedAt,
      durationMs: exchange.durationMs,
      request,
      response,
      failure: exchange.failure?.detail ?? null,
      breaches,
    };
  };

  return {
    add: (exchange, check, findings) => {
      const breaches = findings.filter(isBreach).map(({ requirement }) => requirement);
      if (breaches.length > 0) {
        failed.add(check.id);
        if (breaching.length < mostBreaching && hasRoom())
          breaching.push(shown(exchange, check, [...new Set(breaches)]));
        return;
      }
      const kind = `${check.id} ${exchange.request.operation} ${exchange.response?.status ?? 'none'}`;
      const seen = kinds.get(kind) ?? 0;
      kinds.set(kind, seen + 1);
      if (seen < perKind && sampled.length < mostSampled && hasRoom())
        sampled.push(shown(exchange, check, []));
      else pending.add({ exchange, check });
    },
    pin: (exchange, check, requirement) => {
      failed.add(check.id);
      const breaches = [...(pinned.get(exchange.id)?.breaches ?? []), requirement];
      pinned.set(exchange.id, shown(exchange, check, [...new Set(breaches)]));
    },
    all: () => {
      const fromFailedChecks = pending
        .all()
        .filter(({ check }) => failed.has(check.id))
        .slice(0, mostFromFailedChecks)
        .flatMap(({ exchange, check }) => (hasRoom() ? [shown(exchange, check, [])] : []));
      const all = new Map([...fromFailedChecks, ...sampled, ...breaching].map((each) => [each.id, each]));
      for (const each of pinned.values()) {
        const breaches = [...(all.get(each.id)?.breaches ?? []), ...each.breaches];
        all.set(each.id, { ...each, breaches: [...new Set(breaches)] });
      }
      return [...all.values()].sort((a, b) => a.id - b.id);
    },
  };
};

interface PendingExchange {
  readonly exchange: Exchange;
  readonly check: CheckName;
}

/** More than a default run sends. */
const mostPending = 2_000;
/** A small part of the 400 MB that a run may take. */
const mostPendingBytes = 32 * 1024 * 1024;

const sizeOf = ({ wire, response }: Exchange): number =>
  (wire.body?.length ?? 0) + (response?.body.length ?? 0);

/** Exchanges that are needed only if their check fails later. If there are too many, the oldest are dropped. */
const createQueue = () => {
  const queue: PendingExchange[] = [];
  let bytes = 0;
  return {
    add: (item: PendingExchange): void => {
      queue.push(item);
      bytes += sizeOf(item.exchange);
      while (queue.length > mostPending || bytes > mostPendingBytes) {
        const oldest = queue.shift();
        bytes -= oldest === undefined ? 0 : sizeOf(oldest.exchange);
      }
    },
    all: (): readonly PendingExchange[] => queue,
  };
};

interface Counted extends Omit<CoverageCell, 'headers'> {
  seen: number;
  cut: number;
  expected: number;
  readonly headers: Map<string, number>;
}

/** Counts the statuses of each operation of the document, and their headers. Starts with the documented cells, all unseen. */
export const createCoverage = (document: ApiDocument) => {
  const counts = new Map<string, Counted>();
  const cellOf = (operation: string, status: string, documented: boolean): Counted => {
    const key = `${operation} ${status}`;
    const none = { seen: 0, cut: 0, expected: 0 };
    const cell = counts.get(key) ?? { operation, status, ...none, headers: new Map(), documented };
    counts.set(key, cell);
    return cell;
  };
  for (const { id, responses } of document.operations)
    for (const { status } of responses) if (/^\d{3}$/.test(status)) cellOf(id, status, true);
  const operations = new Set(document.operations.map(({ id }) => id));
  return {
    see: (operation: string, response: ParsedResponse, expects429: boolean): void => {
      if (!operations.has(operation)) return;
      const cell = cellOf(operation, String(response.status), false);
      cell.seen += 1;
      if (response.exchange.response.cutAt !== undefined) cell.cut += 1;
      if (response.status === 429 && expects429) cell.expected += 1;
      const names = new Set(response.exchange.response.headers.map(([name]) => name.toLowerCase()));
      for (const name of names) cell.headers.set(name, (cell.headers.get(name) ?? 0) + 1);
    },
    cells: (): readonly CoverageCell[] =>
      [...counts.values()].map(({ cut, expected, ...cell }) => ({
        ...cell,
        ...(cut === 0 ? {} : { cut }),
        ...(expected === 0 ? {} : { expected }),
        headers: Object.fromEntries([...cell.headers].sort(([a], [b]) => (a < b ? -1 : 1))),
      })),
  };
};
