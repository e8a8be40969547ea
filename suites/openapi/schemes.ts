import {
  anonymous,
  type Credential,
  givenHeaders,
  type KeyScheme,
  keyUnder,
} from '../../src/check/credentials.ts';
import type { Operation, SecurityScheme } from '../../src/check/document.ts';
import type { CaseReason } from '../../src/check/index.ts';
import type { RunPermissions } from '../../src/check/permissions.ts';

/** A scheme that an operation needs, and how the run meets it: with its key, or with a header that each request has. */
export type MetScheme =
  | { readonly by: 'key'; readonly name: string; readonly scheme: KeyScheme }
  | { readonly by: 'header'; readonly name: string; readonly header: string };

/** How the run authenticates on an operation. */
export interface Authentication {
  /** The schemes that are needed together; empty: none is needed. */
  readonly schemes: readonly MetScheme[];
  readonly credential: Credential;
}

/** How a scheme takes a key; null: in another way. OAuth and OpenID Connect send bearer tokens, too (RFC 6750). */
export const keySchemeFor = ({ type, scheme, parameter }: SecurityScheme): KeyScheme | null => {
  if (type === 'oauth2' || type === 'openIdConnect') return { kind: 'bearer' };
  if (type === 'http' && (scheme === 'bearer' || scheme === 'basic')) return { kind: scheme };
  if (parameter === null || parameter.in === 'path') return null;
  return { kind: parameter.in, name: parameter.name };
};

/** The given header that meets a scheme; null: none does. */
const headerFor = ({ parameter }: SecurityScheme, { given }: RunPermissions): string | null => {
  const isGiven = (name: string) => (given.includes(name) ? name : null);
  if (parameter === null) return isGiven('authorization');
  const name = parameter.name.toLowerCase();
  if (parameter.in === 'cookie') return isGiven(`cookie ${parameter.name}`) === null ? null : 'cookie';
  return parameter.in === 'header' ? isGiven(name) : null;
};

/** How the run meets the schemes of one alternative; null: it lacks something. One key meets one scheme, or several of the same form. */
const metBy = (
  together: readonly SecurityScheme[],
  permissions: RunPermissions,
): readonly MetScheme[] | null => {
  const met: MetScheme[] = [];
  const form = (scheme: KeyScheme) => JSON.stringify(scheme);
  for (const each of together) {
    const header = headerFor(each, permissions);
    const scheme = keySchemeFor(each);
    const byKey = met.find((other) => other.by === 'key');
    const isFree = byKey?.by !== 'key' || (scheme !== null && form(byKey.scheme) === form(scheme));
    if (header !== null) met.push({ by: 'header', name: each.name, header });
    else if (permissions.hasKey && scheme !== null && isFree)
      met.push({ by: 'key', name: each.name, scheme });
    else return null;
  }
  return met;
};

/** Prefers a bearer token, then the first alternative. */
const preference = (met: readonly MetScheme[]): number =>
  met.some((each) => each.by === 'key' && each.scheme.kind === 'bearer') ? 0 : 1;

/**
 * Returns how the run authenticates on an operation: without a credential if none is needed or given, otherwise with all schemes of one
 * alternative. Null: the run has no suitable credential.
 */
export const authenticationOn = (
  { security }: Operation,
  permissions: RunPermissions,
): Authentication | null => {
  if (security.length === 0) return { schemes: [], credential: anonymous };
  const [best] = security
    .filter((together) => together.length > 0)
    .flatMap((together) => {
      const met = metBy(together, permissions);
      return met === null ? [] : [met];
    })
    .toSorted((a, b) => preference(a) - preference(b));
  if (best !== undefined) return { schemes: best, credential: credentialOf(best) };
  return security.some((together) => together.length === 0) ? { schemes: [], credential: anonymous } : null;
};

const credentialOf = (met: readonly MetScheme[]): Credential => {
  const [key] = met.flatMap((each) => (each.by === 'key' ? [each.scheme] : []));
  return key === undefined ? givenHeaders : keyUnder(key);
};

/** Why an operation is not tested, with the flags that change that. */
export const lackingCredential = (
  { operation }: { readonly operation: Operation },
  permissions: RunPermissions,
): CaseReason => ({
  code: 'no-key',
  detail: 'schemes',
  operation: `${operation.method} ${operation.path}`,
  flags: flagsFor(operation, permissions),
  schemes: operation.security.map((together) => together.map(({ name }) => name).join(' and ')).join(' or '),
});

/** The flags that give what one alternative of an operation needs: `--header 'X-App: VALUE'`. */
export const flagsFor = ({ security }: Operation, permissions: RunPermissions): readonly string[] => {
  const [first = []] = security;
  const lacking = first.filter((scheme) => headerFor(scheme, permissions) === null);
  const byKey = lacking.find((scheme) => keySchemeFor(scheme) !== null);
  return lacking.flatMap((scheme) => {
    if (scheme === byKey) return permissions.hasKey ? [] : ['--api-key KEY'];
    if (scheme.parameter?.in === 'header') return [`--header '${scheme.parameter.name}: VALUE'`];
    if (scheme.parameter?.in === 'cookie') return [`--header 'Cookie: ${scheme.parameter.name}=VALUE'`];
    return scheme.type === 'http' ? ["--header 'Authorization: VALUE'"] : [];
  });
};
