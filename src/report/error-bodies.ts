import { isJsonObject } from '../json/json.ts';
import type { ServerFailure } from '../run/outcome.ts';
import { beginningOf, frameworkOf } from './frameworks.ts';
import { jsonIn } from './json-text.ts';

/** Requirements on the bodies of 4xx responses, with the statuses for which a failure is about the body. */
const onlyByBody: Readonly<Record<string, (status: number) => boolean>> = {
  'ERR-1': () => true,
  'GEN-2': () => true,
  'GEN-3': () => true,
  'GET-2': (status) => status === 404,
  'GET-3': () => true,
};

/** Whether a failure is about the body of an error response, not about its status. */
export const hasErrorShapeProblem = ({
  requirement,
  failure: { response },
}: {
  readonly requirement: string;
  readonly failure: ServerFailure;
}): boolean =>
  response !== null &&
  response.status >= 400 &&
  response.status < 500 &&
  onlyByBody[requirement]?.(response.status) === true;

/** The kind of a body: its members, or the page of a framework for a status. The same code probably makes bodies of one kind. */
const bodyKind = ({ response }: ServerFailure): string => {
  const { body = null, status = 0 } = response ?? {};
  if (body === null || body === '') return JSON.stringify([status, null]);
  const value = jsonIn(body);
  if (value === undefined) return JSON.stringify([status, frameworkOf(body)?.name]);
  return isJsonObject(value) ? JSON.stringify(Object.keys(value).toSorted()) : JSON.stringify([status]);
};

export const sameBodyKind = (a: ServerFailure, b: ServerFailure): boolean => bodyKind(a) === bodyKind(b);

/** `Warning: Undefined variable $a in /srv/index.php on line 3`, as text or HTML. */
const phpError =
  /(?:Warning|Notice|Deprecated|(?:Fatal|Parse) error)(?:<\/b>)?:\s{1,9}(?<error>.{0,500}?) in (?:<b>)?\S{1,300}?(?<place>[^/\\\s]{1,100})(?:<\/b>)?(?: on line (?:<b>)?|:)(?<line>\d+)/s;

/** The error that PHP printed into a body, before anything else; null: none. */
export const printedError = ({ response }: Pick<ServerFailure, 'response'>): string | null => {
  const { error = '', place, line } = phpError.exec(beginningOf(response?.body, 2_000))?.groups ?? {};
  return line === undefined ? null : `${error.slice(0, 80)}, ${place} line ${line}`;
};
