import type { ParsedResponse } from '../http/parsed-response.ts';
import type { ApiDocument } from '../openapi/document.ts';
import type { CoverageCell } from './outcome.ts';

/** Counts which statuses of which operation of the document came, and which headers with them. */
export interface Coverage {
  see(operation: string, reading: ParsedResponse): void;
  cells(): readonly CoverageCell[];
}

interface Count {
  seen: number;
  readonly headers: Map<string, number>;
}

/** Starts with the cells that the document gives, all unseen. */
export const createCoverage = (document: ApiDocument): Coverage => {
  const counts = new Map<string, Count>();
  const key = (operation: string, status: string) => `${operation} ${status}`;
  const documented = new Set(
    document.operations.flatMap(({ id, responses }) =>
      responses.filter(({ status }) => /^\d{3}$/.test(status)).map(({ status }) => key(id, status)),
    ),
  );
  const operations = new Set(document.operations.map(({ id }) => id));
  for (const cell of documented) counts.set(cell, { seen: 0, headers: new Map() });
  return {
    see: (operation, reading) => {
      if (!operations.has(operation)) return;
      const cell = key(operation, String(reading.status));
      const count = counts.get(cell) ?? { seen: 0, headers: new Map<string, number>() };
      counts.set(cell, count);
      count.seen += 1;
      const names = new Set(reading.exchange.response.headers.map(([name]) => name.toLowerCase()));
      for (const name of names) count.headers.set(name, (count.headers.get(name) ?? 0) + 1);
    },
    cells: () =>
      [...counts].map(([cell, { seen, headers }]) => {
        const space = cell.lastIndexOf(' ');
        return {
          operation: cell.slice(0, space),
          status: cell.slice(space + 1),
          seen,
          headers: Object.fromEntries([...headers].sort(([a], [b]) => (a < b ? -1 : 1))),
          documented: documented.has(cell),
        };
      }),
  };
};
