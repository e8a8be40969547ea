import type { ResponseView } from '../../http/request-view.ts';
import type { ServerFailure, Step } from '../../run/outcome.ts';
import { oneLine, shorten } from './escape.ts';

/** In front of the parts of a failure. */
export const failureLabels = {
  section: 'section',
  causedBy: 'caused by',
  blocks: 'blocks',
  before: 'before',
  request: 'request',
  response: 'response',
  exception: 'exception',
  expected: 'expected',
  actual: 'actual',
  alsoFails: 'also fails',
  passes: 'passes',
  during: 'during',
  curl: 'curl',
  replay: 'replay',
  inFile: (length: number) => `${length} characters: see conformance.json`,
} as const;

const longestBody = 160;

const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/]+/, '');

/** A response in a line: its status, its Location if it redirects, its body. */
export const responseText = (
  { status, headers, body }: ResponseView,
  { longest = longestBody }: { readonly longest?: number } = {},
): string => {
  const location = Object.entries(headers).find(([name]) => name.toLowerCase() === 'location');
  const leading =
    status >= 300 && status < 400 && location !== undefined ? ` Location: ${oneLine(location[1])}` : '';
  return `${status}${leading}${body === null || body === '' ? '' : ` ${shorten(oneLine(body), longest)}`}`;
};

/** A request with its response, in a line: `POST /v1/pets {"name":"Rex"} → 400`. */
export const stepText = ({ request, response }: Step): string => {
  const { method, url, body } = request;
  const sent = body === null || body === '' ? '' : ` ${shorten(oneLine(body), longestBody)}`;
  const received = response === null ? 'no response' : responseText(response);
  return `${oneLine(method)} ${oneLine(pathOf(url))}${sent} → ${received}`;
};

/** How to repeat a failure: `seed 7, path 3:1`, and how often it was seen, if not always. */
export const repetition = (failure: ServerFailure): string =>
  [
    `seed ${failure.seed}`,
    failure.path === null ? 'replay runs the whole suite' : `path ${oneLine(failure.path)}`,
    ...(failure.seen === failure.tries ? [] : [`seen ${failure.seen} of ${failure.tries} times`]),
    ...(failure.occurrences > 1 ? [`${failure.occurrences} cases failed the same way`] : []),
  ].join(', ');
