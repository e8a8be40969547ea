import { type Breach, isBreach } from '../finding/finding.ts';
import {
  type Arrivals,
  arrivedAt,
  bearerToken,
  isLimited,
  quietUntil,
  respondedAt,
  statusOf,
} from '../oracle/requests/arrival.ts';
import type { ClientLine } from '../run/outcome.ts';
import type { PlacedFinding, Watched } from './findings.ts';

/** A page shows no more. */
const mostLines = 24;
const mostRequests = 400;
const shownRestMs = 3_000;

const lineOf = (name: string, all: Arrivals, wrong: ReadonlySet<number>): ClientLine => {
  const arrivals = all.slice(0, mostRequests);
  const start = Math.min(...arrivals.map(arrivedAt));
  const refused = arrivals.filter(isLimited);
  const last = Math.max(...arrivals.map(({ endedAt }) => endedAt));
  // The rest of a long wait would make everything else too small to see.
  const end = Math.max(last, ...refused.map((each) => Math.min(quietUntil(each) ?? 0, last + shownRestMs)));
  return {
    name,
    durationMs: Math.max(1, end - start),
    requests: arrivals.map((arrival) => ({
      at: arrivedAt(arrival) - start,
      status: statusOf(arrival),
      isWrong: wrong.has(arrival.exchange.id),
    })),
    waits: refused.flatMap((each) => {
      const until = quietUntil(each);
      return until === null ? [] : [{ from: respondedAt(each) - start, until: until - start }];
    }),
  };
};

/** The requests with each key over time, wrong ones first. */
export const clientLines = (
  all: readonly Watched[],
  placed: readonly PlacedFinding[],
): readonly ClientLine[] => {
  const breaches = placed
    .map(({ finding }) => finding)
    .filter((finding): finding is Breach => isBreach(finding));
  const wrong = new Set(breaches.map(({ exchange }) => exchange.id));
  const lines = all.flatMap(({ scenario, arrivals }) =>
    [...Map.groupBy(arrivals, bearerToken).values()].map((ofKey) =>
      lineOf(scenario ?? 'traffic', ofKey, wrong),
    ),
  );
  const wrongIn = ({ requests }: ClientLine) => Number(requests.some(({ isWrong }) => isWrong));
  return lines.toSorted((a, b) => wrongIn(b) - wrongIn(a)).slice(0, mostLines);
};
