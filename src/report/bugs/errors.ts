import type { ServerFailure } from '../../run/outcome.ts';
import { hasErrorShapeProblem } from '../error-bodies.ts';
import { frameworkOf } from '../frameworks.ts';
import { exceptionIn } from '../text/exceptions.ts';
import { type Context, type Exchanged, headerIn } from './context.ts';

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

const typeOf = ({ response }: Pick<Exchanged, 'response'>): string =>
  headerIn(response?.headers ?? {}, 'content-type') ?? '';

const prefersHtml = ({ request }: Pick<Exchanged, 'request'>): boolean =>
  /^text\/html\b/.test(headerIn(request.headers, 'accept') ?? '');

const isPage = (exchanged: Exchanged): boolean =>
  prefersHtml(exchanged) && typeOf(exchanged).startsWith('text/html');

/** The parameters of a request: what one operation refuses because of one of them, others may refuse, too. */
const parametersOf = ({ request: { method, url } }: Exchanged): string => {
  const names = URL.canParse(url) ? new URL(url).searchParams.keys() : [];
  return [method, ...new Set(names)].toSorted().join(' ');
};

/**
 * Whether a client that prefers HTML gets a page, and other clients get JSON with this status of the operation: for the same request, or
 * for others if pages come for requests with different parameters. Otherwise the parameter may be why.
 */
export const isPageForBrowsers = ({ failure, run: { exchanges } }: Pick<Context, 'failure' | 'run'>) => {
  if (!isPage(failure)) return false;
  const others = exchanges.filter(
    (each) =>
      each.operation === failure.operation &&
      each.response?.status === failure.response?.status &&
      !prefersHtml(each),
  );
  const isSameRequest = ({ request: { method, url } }: Exchanged): boolean =>
    method === failure.request.method && url === failure.request.url;
  const isSeparated =
    others.some(isSameRequest) || new Set(exchanges.filter(isPage).map(parametersOf)).size > 1;
  return isSeparated && others.length > 0 && others.every((each) => typeOf(each).includes('json'));
};

/** The exception behind a failure, with what fails. */
export const exceptionOf = ({ failure }: Pick<Context, 'failure'>) => {
  const exception = exceptionIn(failure);
  return exception === null ? null : { message: failure.message, exception };
};
