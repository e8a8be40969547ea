import type { ServerFailure } from '../../run/outcome.ts';
import { beginningOf } from '../frameworks.ts';
import { headerIn } from './context.ts';

const pathOf = (url: string, base?: string): string | null =>
  URL.canParse(url, base) ? new URL(url, base).pathname : null;

/** The words of Django for a POST that it does not redirect. */
const cannotRedirect = /APPEND_SLASH/;

/** The path of a request, if the response leads to the same path with a slash at its end. */
export const slashOf = ({
  request,
  response,
}: Pick<ServerFailure, 'request' | 'response'>): string | null => {
  const path = pathOf(request.url);
  if (response === null || path === null || path.endsWith('/')) return null;
  if (response.status >= 500 && cannotRedirect.test(beginningOf(response.body, 20_000))) return path;
  const location = headerIn(response.headers, 'location');
  const isRedirect = response.status >= 300 && response.status < 400 && location !== null;
  return isRedirect && pathOf(location, request.url) === `${path}/` ? path : null;
};
