import type { CoverageCell, Latency, Traffic } from '../../run/outcome.ts';
import { coverageWords, trafficWords } from '../text/page.ts';
import { count, duration } from '../text/units.ts';
import { type Html, html } from './html.ts';

const bars = (title: string, numbers: Readonly<Record<string, number>>): Html | null => {
  const entries = Object.entries(numbers);
  if (entries.length === 0) return null;
  const most = Math.max(1, ...entries.map(([, number]) => number));
  return html`<table class="bars"><caption>${title}</caption><tbody>${entries.map(
    ([
      name,
      number,
    ]) => html`<tr><th scope="row">${name}</th><td class="bar"><svg aria-hidden="true"><rect width="${(number / most) * 100}%" height="100%" rx="2"/></svg></td>
<td class="number">${count(number)}</td></tr>`,
  )}</tbody></table>`;
};

/** A logarithmic scale over the measured times, in whole powers of ten; a position is a percentage. */
const scaleOf = (latencies: readonly Latency[]) => {
  const low = Math.floor(Math.log10(Math.max(0.1, Math.min(...latencies.map(({ p50 }) => p50)))));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(0.1, ...latencies.map(({ max }) => max)))));
  const at = (ms: number) => ((Math.log10(Math.max(ms, 10 ** low)) - low) / (high - low)) * 100;
  return { at, ticks: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)) };
};

/** Each percentile with the number of requests that it needs: one request has no percentiles. */
const percentiles = [
  { name: 'p50', fewest: 2 },
  { name: 'p90', fewest: 10 },
  { name: 'p99', fewest: 100 },
  { name: 'max', fewest: 1 },
] as const;

const latencyRow = (
  operation: string,
  latency: Latency,
  requests: number,
  scale: ReturnType<typeof scaleOf>,
): Html => {
  const boxes = percentiles
    .filter(({ fewest }) => requests >= fewest)
    .toReversed()
    .map(
      ({ name }) => html`<rect class="${name}" y="25%" width="${scale.at(latency[name])}%" height="50%"/>`,
    );
  const grid = scale.ticks.map(
    (ms) => html`<line x1="${scale.at(ms)}%" x2="${scale.at(ms)}%" y1="0" y2="100%"/>`,
  );
  return html`<tr><th scope="row">${operation}</th><td class="bar"><svg aria-hidden="true">${grid}${boxes}</svg></td>
${percentiles.map(({ name, fewest }) => html`<td class="number">${requests < fewest ? '–' : duration(latency[name])}</td>`)}</tr>`;
};

const latencyTable = ({ latency, byOperation }: Traffic): Html | null => {
  const entries = Object.entries(latency);
  if (entries.length === 0) return null;
  const scale = scaleOf(entries.map(([, figures]) => figures));
  const axis = scale.ticks.map((ms, index) => {
    const anchor = index === 0 ? 'start' : index === scale.ticks.length - 1 ? 'end' : 'middle';
    return html`<text x="${scale.at(ms)}%" y="12" text-anchor="${anchor}">${duration(ms)}</text>`;
  });
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${trafficWords.latency}"><table class="bars latency"><caption>${trafficWords.percentiles}</caption>
<thead><tr><th scope="col">${coverageWords.response.operation}</th><td class="bar"><svg aria-hidden="true" class="axis">${axis}</svg></td>${percentiles.map(
    ({ name }) =>
      html`<th scope="col" class="number"><i class="key ${name}"></i>${trafficWords.percentile[name]}</th>`,
  )}</tr></thead>
<tbody>${entries.map(([operation, figures]) => latencyRow(operation, figures, byOperation[operation] ?? 0, scale))}</tbody></table></div>`;
};

type Numbers<Value> = Readonly<Record<string, Value>>;

const pick = <Value>(values: Numbers<Value>, names: ReadonlySet<string>): Numbers<Value> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));

/** The operations of the document. All other paths and methods are one entry, because most have one request. */
const byDocumented = (traffic: Traffic, coverage: readonly CoverageCell[]): Traffic => {
  const documented = new Set(coverage.map(({ operation }) => operation));
  const numbers = pick(traffic.byOperation, documented);
  const sum = (values: Numbers<number>) => Object.values(values).reduce((total, value) => total + value, 0);
  const others = sum(traffic.byOperation) - sum(numbers);
  return {
    ...traffic,
    byOperation: others === 0 ? numbers : { ...numbers, [trafficWords.others]: others },
    latency: pick(traffic.latency, documented),
  };
};

/** What was sent: by operation, by status or kind of failure, and how long responses took. */
export const trafficSection = (all: Traffic, coverage: readonly CoverageCell[]): Html => {
  const traffic = byDocumented(all, coverage);
  return html`<p class="lead">${trafficWords.lead(traffic)}</p>
<div class="pair">${bars(trafficWords.bars.operation, traffic.byOperation)}${bars(trafficWords.bars.status, traffic.byStatus)}${bars(trafficWords.bars.noResponse, traffic.unanswered)}</div>
${latencyTable(traffic)}`;
};

/** Headers that the document, or a standard that it builds on, requires. */
const columns = [
  'content-type',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'retry-after',
  'www-authenticate',
];

/** Headers on every response of most servers. They are of no interest here. */
const connectionHeaders = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

const headerCell = (cell: CoverageCell, name: string): Html => {
  const number = cell.headers[name] ?? 0;
  if (cell.seen === 0)
    return html`<td class="untested"><span class="sr">${coverageWords.headers.untested}</span></td>`;
  if (number === 0) return html`<td class="none">${coverageWords.headers.none}</td>`;
  return number >= cell.seen
    ? html`<td class="all">${coverageWords.headers.all}</td>`
    : html`<td class="some">${coverageWords.some(number, cell.seen)}</td>`;
};

const coverageRow = (cell: CoverageCell): Html => html`<tr><th scope="row">${cell.operation}</th>
<td>${cell.status}</td><td class="number">${cell.seen === 0 ? coverageWords.headers.untested : count(cell.seen)}</td>
<td>${coverageWords.documented[`${cell.documented}`]}</td>${columns.map((name) => headerCell(cell, name))}
<td class="others">${Object.keys(cell.headers)
  .filter((name) => !columns.includes(name) && !connectionHeaders.has(name))
  .join(', ')}</td></tr>`;

/** Operations in their order, each with its statuses in ascending order. */
const byOperation = (coverage: readonly CoverageCell[]): readonly CoverageCell[] =>
  [...Map.groupBy(coverage, ({ operation }) => operation).values()].flatMap((cells) =>
    cells.toSorted((a, b) => a.status.localeCompare(b.status)),
  );

/** Operation by status by header: which responses the run received. */
export const coverageSection = (coverage: readonly CoverageCell[]): Html | null =>
  coverage.length === 0
    ? null
    : html`<p class="lead">${coverageWords.lead}</p>
<div class="scroll" tabindex="0" role="region" aria-label="${coverageWords.title}"><table class="coverage">
<thead><tr><th scope="col">${coverageWords.response.operation}</th><th scope="col">${coverageWords.response.status}</th><th scope="col" class="number">${coverageWords.response.number}</th><th scope="col">${coverageWords.response.documented}</th>
${columns.map((name) => html`<th scope="col"><code>${name}</code></th>`)}<th scope="col">${coverageWords.others}</th></tr></thead>
<tbody>${byOperation(coverage).map(coverageRow)}</tbody></table></div>`;
