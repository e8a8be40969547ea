import type { ServerFailure } from '../../run/outcome.ts';
import { hasErrorShapeProblem } from '../error-bodies.ts';
import { frameworkOf } from '../frameworks.ts';
import { exceptionIn } from '../text/exceptions.ts';
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

/** The exception behind a failure, with what fails. */
export const exceptionOf = ({ failure }: Pick<Context, 'failure'>) => {
  const exception = exceptionIn(failure);
  return exception === null ? null : { message: failure.message, exception };
};
