import { isJsonObject, type Json } from '../../json/json.ts';
import type { ServerFailure } from '../../run/outcome.ts';
import { hasErrorShapeProblem } from '../error-bodies.ts';
import { beginningOf, frameworkOf } from '../frameworks.ts';
import { jsonIn } from '../json-text.ts';
import { unescapeHtml } from '../name-changes.ts';
import { type Context, headerIn } from './context.ts';

/** The framework that wrote the error of a failure, and the statuses of all failures of the requirement that it wrote. */
export const defaultErrors = ({ requirement, failure, failures }: Context) => {
  const frameworkIn = (each: ServerFailure) =>
    hasErrorShapeProblem({ requirement, failure: each }) ? frameworkOf(each.response?.body) : null;
  const framework = frameworkIn(failure);
  if (framework === null) return null;
  const same = failures.filter((each) => frameworkIn(each)?.name === framework.name);
  const statuses = [...new Set(same.map(({ response }) => response?.status ?? 0))].toSorted();
  return { ...framework, statuses };
};

/** `TypeError: …`, `java.lang.NullPointerException: …`: the name of an exception and its message, on one line. */
const exceptionLine =
  /(?:^|[\s<>:"(]|\\u003c)((?:[A-Za-z_]\w{0,60}\.){0,8}[A-Z]\w{0,60}(?:Error|Exception)\b(?:: ?(?:(?!\\u003|>?",")[^\n<]){0,160})?)/;

/** Where frameworks write the message of an exception apart from its name. */
const exceptionValue = /class="exception_value">([^<]{1,200})</;

const textsIn = (value: Json | undefined): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
};

/** The last line with an exception. An exception is below its cause, and in Python at the end of its trace. */
const lastLine = (text: string): string | null =>
  text
    .split('\n')
    .flatMap((line) => exceptionLine.exec(line)?.[1] ?? [])
    .at(-1)
    // Ruby shows an exception as #<Name: message>.
    ?.replace(/^([^<]*)>$/, '$1')
    .trim() ?? null;

/** The exception that a server error shows, or null. */
export const exceptionIn = ({ response }: Pick<ServerFailure, 'response'>): string | null => {
  if (response === null || response.status < 500) return null;
  const beginning = beginningOf(response.body, 20_000);
  const value = jsonIn(beginning);
  const texts = value === undefined ? [beginning] : textsIn(value);
  const found = texts.map((text) => lastLine(text)).find((line) => line !== null) ?? null;
  const message = exceptionValue.exec(beginning)?.[1];
  const shown = found !== null && message !== undefined ? `${found.split(' ')[0]}: ${message}` : found;
  return shown === null ? null : unescapeHtml(shown);
};

/** The exception behind a failure, with what fails. */
export const exceptionOf = ({ failure }: Pick<Context, 'failure'>) => {
  const exception = exceptionIn(failure);
  return exception === null ? null : { message: failure.message, exception };
};

const typeOf = ({ response }: Pick<ServerFailure, 'response'>): string =>
  headerIn(response?.headers ?? {}, 'content-type') ?? '';

const prefersHtml = ({ request }: Pick<ServerFailure, 'request'>): boolean =>
  /^text\/html\b/.test(headerIn(request.headers, 'accept') ?? '');

/** Whether a client that prefers HTML gets a page, and other clients get JSON with this status of the operation. */
export const isPageForBrowsers = ({ failure, run }: Pick<Context, 'failure' | 'run'>) => {
  const { operation, response } = failure;
  if (!prefersHtml(failure) || !typeOf(failure).startsWith('text/html')) return false;
  const others = run.exchanges.filter(
    (each) =>
      each.operation === operation && each.response?.status === response?.status && !prefersHtml(each),
  );
  return others.length > 0 && others.every((each) => typeOf(each).includes('json'));
};
