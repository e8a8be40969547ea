import { isJsonObject } from '../json/json.ts';
import type { Failure } from '../run/outcome.ts';
import { jsonIn } from './json-text.ts';

/** Requirements that a 4xx breaks only by its body, with the statuses for which that is so. */
const onlyByBody: Readonly<Record<string, (status: number) => boolean>> = {
  'ERR-1': () => true,
  'GEN-2': () => true,
  'GEN-3': () => true,
  'GET-2': (status) => status === 404,
  'GET-3': () => true,
};

/** The status is right or is not asked about: the body of an error response is wrong. */
export const hasErrorShapeProblem = ({
  requirement,
  failure: { response },
}: {
  readonly requirement: string;
  readonly failure: Failure;
}): boolean =>
  response !== null &&
  response.status >= 400 &&
  response.status < 500 &&
  onlyByBody[requirement]?.(response.status) === true;

/** What a body is, so that two of one kind come from the same code: its members, or that it is empty, or no JSON. */
const bodyKind = (body: string | null): string => {
  if (body === null || body === '') return 'empty';
  const value = jsonIn(body);
  if (value === undefined) return 'not JSON';
  return isJsonObject(value) ? JSON.stringify(Object.keys(value).toSorted()) : 'not an object';
};

export const sameBodyKind = (a: Failure, b: Failure): boolean =>
  bodyKind(a.response?.body ?? null) === bodyKind(b.response?.body ?? null);
