import type { RequestView, ResponseView } from '../../http/request-view.ts';
import type { ServerFailure, Step } from '../../run/outcome.ts';
import { linesOfPage } from '../../util/html-text.ts';
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
  inputs: 'inputs',
  failingInputs: (inputs: readonly string[]) =>
    `these fail: ${inputs.map((input) => oneLine(input) || 'nothing unusual').join('; ')}`,
  repeats: 'repeats',
  mayVary: (seen: string) =>
    `${seen}: requests at the same time, or chance, may decide instead of this input`,
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
  const text = linesOfPage(body)?.join(' ↵ ') || body;
  const leading =
    status >= 300 && status < 400 && location !== undefined ? ` Location: ${oneLine(location[1])}` : '';
  return `${status}${leading}${text === null || text === '' ? '' : ` ${shorten(oneLine(text), longest)}`}`;
};

/** A request in a line: `POST /v1/pets {"name":"Rex"}`. */
export const requestText = ({ method, url, body }: RequestView): string => {
  const sent = body === null || body === '' ? '' : ` ${shorten(oneLine(body), longestBody)}`;
  return `${oneLine(method)} ${oneLine(pathOf(url))}${sent}`;
};

/** A request with its response, in a line: `POST /v1/pets {"name":"Rex"} → 400`. */
export const stepText = ({ request, response }: Step): string =>
  `${requestText(request)} → ${response === null ? 'no response' : responseText(response)}`;

/** `seen 1 of 3 times`, if a failure did not repeat each time; otherwise null. */
export const seenText = ({ seen, tries }: Pick<ServerFailure, 'seen' | 'tries'>): string | null =>
  seen === tries ? null : `seen ${seen} of ${tries} times`;

/** How to repeat a failure: `seed 7, path 3:1`, and how often it was seen, if not always. */
export const repetition = (failure: ServerFailure): string =>
  [
    `seed ${failure.seed}`,
    failure.path === null ? 'replay runs the whole suite' : `path ${oneLine(failure.path)}`,
    ...[seenText(failure)].filter((text) => text !== null),
    ...(failure.occurrences > 1 ? [`${failure.occurrences} cases failed the same way`] : []),
  ].join(', ');
