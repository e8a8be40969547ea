import type { Incoming } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { compose, replace, wrap } from '../patch-kit/core.ts';
import { admitting, isKeyless } from '../patch-kit/keys.ts';
import { family } from './family.ts';

type Normalize = (path: string) => string;

/** The router normalizes a path, and the code that checks keys compares it as it was sent. */
const normalizedAfterTheCheck = (normalize: Normalize, methods?: readonly string[]): Patch =>
  compose(
    replace('route', (before) => (method, path) => before(method, normalize(path))),
    admitting(
      (arrival) =>
        isKeyless(arrival) &&
        normalize(arrival.url.pathname) !== arrival.url.pathname &&
        methods?.includes(arrival.request.method) !== false,
    ),
  );

/** The router knows a path already, and the code that checks keys compares it as it was sent. */
const unknownToTheCheck = (isUnknown: (path: string) => boolean): Patch =>
  admitting((arrival) => isKeyless(arrival) && isUnknown(arrival.url.pathname));

const hasHeader =
  (name: string, value: RegExp) =>
  (arrival: Incoming): boolean =>
    isKeyless(arrival) && value.test(arrival.request.headers.get(name) ?? '');

/** Routes a request as the headers say, although its own path or method needed no key. */
const routedByHeaders = (
  routeOf: (arrival: Incoming) => { readonly method: string; readonly path: string } | null,
): Patch =>
  wrap((call, next) => {
    const target = call.grant === null ? routeOf(call) : null;
    const [grant = null] = call.state.keys;
    if (target === null || grant === null) return next();
    const route = call.parts.route(target.method, target.path);
    const { operation } = route;
    return operation === null
      ? next()
      : Promise.resolve(call.parts.handlers[operation]({ ...call, grant, route }));
  });

/** Ways around the code that checks keys: what routers and proxies do before or after it. */
export const bypassFaults = family('AUTH-1', {
  'trailing-slash-needs-no-key': [
    'The router ignores a slash at the end of a path, and the key is checked only without it.',
    normalizedAfterTheCheck((path) => path.replace(/(?<=.)\/$/, '')),
  ],
  'trailing-slash-of-one-animal-needs-no-key': [
    'The pattern of protected paths ends after the id: /pets/7/ needs no key.',
    normalizedAfterTheCheck((path) => path.replace(/(?<=\/pets\/\d+)\/$/, '')),
  ],
  'creation-with-a-trailing-slash-needs-no-key': [
    'The router ignores a slash at the end of a creation, and the key is checked only without it.',
    normalizedAfterTheCheck((path) => path.replace(/(?<=\/pets)\/$/, ''), ['POST']),
  ],
  'doubled-slash-needs-no-key': [
    'The router merges slashes, and the proxy checks keys only under /v1/pets.',
    normalizedAfterTheCheck((path) => path.replaceAll(/\/{2,}/g, '/')),
  ],
  'path-parameters-need-no-key': [
    'The router drops ;parameters of a path, and the filter for keys compares the whole path.',
    normalizedAfterTheCheck((path) => path.replaceAll(/;[^/]*/g, '')),
  ],
  'segments-behind-a-semicolon-need-no-key': [
    'The proxy keeps ..; in a path, and the server reads it as the parent.',
    normalizedAfterTheCheck((path) => path.replaceAll(/\/[^/]+\/\.\.;/g, '')),
  ],
  'paths-in-other-case-need-no-key': [
    'The router ignores the case of a path, and the filter for keys does not.',
    normalizedAfterTheCheck((path) => path.toLowerCase()),
  ],
  'encoded-paths-need-no-key': [
    'The filter for keys compares the path before percent-decoding.',
    unknownToTheCheck((path) => /%[0-7]/.test(path)),
  ],
  'suffix-for-the-format-needs-no-key': [
    'The router drops the suffix .json, and the filter for keys compares the whole path.',
    normalizedAfterTheCheck((path) => path.replace(/\.json$/, '')),
  ],
  'overridden-preflight-needs-no-key': [
    'OPTIONS needs no key, and a header replaces the method afterwards.',
    routedByHeaders(({ request, url }) => {
      const method = request.headers.get('x-http-method-override');
      return request.method === 'OPTIONS' && method !== null ? { method, path: url.pathname } : null;
    }),
  ],
  'method-override-to-options-needs-no-key': [
    'The filter for keys reads X-HTTP-Method-Override, and the router reads the method.',
    admitting(hasHeader('x-http-method-override', /^options$/i)),
  ],
  'path-rewritten-after-the-check': [
    'The root needs no key, and X-Original-URL replaces the path afterwards.',
    routedByHeaders(({ request, url }) => {
      const path = request.headers.get('x-original-url');
      return /^\/v1\/?$/.test(url.pathname) && path !== null ? { method: request.method, path } : null;
    }),
  ],
  'forwarded-path-decides-about-the-key': [
    'The authentication service reads X-Forwarded-Uri, which anyone can send: /health needs no key.',
    admitting(hasHeader('x-forwarded-uri', /^\/health/)),
  ],
  'user-of-a-proxy-trusted': [
    'X-Forwarded-User counts as authenticated, although no proxy in front removes it.',
    admitting(hasHeader('x-forwarded-user', /./)),
  ],
});
