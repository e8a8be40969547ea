import type { ProblemKind, ProblemText } from '../define-problem.ts';
import { counted } from '../words/counted.ts';

/** A kind of problem whose facts are enough for its sentences. */
export interface DomainKind<Facts extends object> extends ProblemKind<Facts> {
  readonly text: (facts: Facts) => ProblemText;
}

const defineDomainProblem = <Facts extends object>(kind: DomainKind<Facts>): DomainKind<Facts> => kind;

/** DOMAIN-2 to DOMAIN-4: a domain, and the value that the dashboard shows for it. */
type OfDomain = {
  readonly name: string;
  readonly target: string;
};

const example = { name: 'www.shop.example', target: 'apps.host.example' };

/** DOMAIN-2. */
type OfCname = OfDomain & {
  /** The target has an address in DNS, as far as is known. Otherwise, it may be a typo. */
  readonly hasAddress: boolean;
};

const cnameExample = { ...example, hasAddress: true };

/** Whose CAA records they are: `alias` is a name that the domain is an alias of, and that is not the platform's. */
export type CaaOwner = 'zone' | 'subdomain' | 'platform' | 'alias';

/** DOMAIN-5. `at`: the name that has the records. */
type OfCaa = {
  readonly name: string;
  readonly at: string;
  readonly owner: CaaOwner;
};

const caaExample = { name: 'www.shop.example', at: 'shop.example', owner: 'zone' } as const;

/** DOMAIN-6. `address`: where the certificate was shown. */
type OfCertificate = {
  readonly name: string;
  readonly address: string;
};

const certificateExample = { name: 'www.shop.example', address: '192.0.2.1' };

type CertificateMissing = OfCertificate & {
  /** `default`: the platform has the same certificate for names that it does not know. */
  shown: 'default' | { readonly code: string };
};

/** DOMAIN-7: a redirect. */
type OfRedirect = {
  /** As in the list of redirects. */
  readonly from: string;
  readonly url: string;
  readonly to: string;
  readonly expected: number;
};

const redirectExample = {
  from: 'shop.example',
  url: 'https://shop.example/',
  to: 'https://www.shop.example/',
  expected: 301,
};

/** Why a domain does not serve the project. */
export type NotServed =
  | { readonly kind: 'status'; readonly status: number; readonly expected: number | null }
  | { readonly kind: 'elsewhere'; readonly location: string }
  | { readonly kind: 'loop' | 'default-page' | 'closed' }
  | { readonly kind: 'content'; readonly contains: string };

/** `RFC 3339` without milliseconds. */
export const timeText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

const listed = (values: readonly string[], noun: string): string => {
  const shown = values.slice(0, 5).join(', ');
  return values.length > 5 ? `${shown}, and ${counted(values.length - 5, `more ${noun}`)}` : shown;
};

const chainErrors: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its root is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate of its issuer is missing',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its issuer is not trusted, or an intermediate certificate is missing',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its issuer is not trusted, or an intermediate certificate is missing',
  CERT_HAS_EXPIRED: 'a certificate of its chain has expired',
  CERT_NOT_YET_VALID: 'a certificate of its chain is not valid yet',
  CERT_SIGNATURE_FAILURE: 'its signature is wrong',
  CERT_REVOKED: 'it is revoked',
  CERT_UNTRUSTED: 'its issuer is not trusted',
  INVALID_CA: 'its issuer is not a certificate authority',
  INVALID_PURPOSE: 'it is not for servers',
};

/** What is wrong with a chain, from OpenSSL's code. */
export const chainErrorText = (code: string): string => chainErrors[code] ?? `OpenSSL reports ${code}`;

const noHandshake: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused',
  ECONNRESET: 'the connection is closed',
  NO_CERTIFICATE: 'no certificate is sent',
  EPROTO: 'the server does not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS',
};

const missingText = ({ name, address, shown }: CertificateMissing) => {
  const certificate = `a certificate for ${name}`;
  if (shown === 'default')
    return {
      message: `${name} has no certificate: ${address} shows the one that it has for unknown names, expected ${certificate}`,
      expected: certificate,
      actual: 'the certificate for unknown names',
    };
  const why = noHandshake[shown.code] ?? `the TLS handshake fails (${shown.code})`;
  return {
    message: `${name} has no certificate: ${why} at ${address}, expected ${certificate}`,
    expected: certificate,
    actual: `no TLS handshake: ${why}`,
  };
};

const notServedText = (because: NotServed): string => {
  switch (because.kind) {
    case 'status':
      return `status ${because.status}`;
    case 'elsewhere':
      return `a redirect to ${because.location}`;
    case 'loop':
      return 'more than 5 redirects';
    case 'default-page':
      return 'the page that the platform has for unknown names';
    case 'closed':
      return 'no response: the connection was closed';
    case 'content':
      return `a page without ${JSON.stringify(because.contains)}`;
  }
};

/** A message about records that only some name servers have. */
export const onlyAtText = (message: string, servers: readonly string[]): string =>
  `${message} (only at ${listed(servers, 'server')})`;

/** Problems with custom domains. */
export const domainKinds = {
  'plan-too-low': defineDomainProblem<{ plan: string }>({
    example: { plan: 'free' },
    text: ({ plan }) => ({
      message: `The project has the plan ${plan}, expected Pro or above`,
      expected: 'plan pro, business, or enterprise',
      actual: `plan ${plan}`,
    }),
  }),
  'cname-missing': defineDomainProblem<
    OfCname & {
      /** `name`: the name does not exist (NXDOMAIN). `cname`: it has no CNAME record. */
      missing: 'name' | 'cname';
    }
  >({
    example: { ...cnameExample, missing: 'cname' },
    text: ({ name, target, missing }) => ({
      message:
        missing === 'name'
          ? `${name} does not exist in DNS, expected a CNAME record with the value ${target}`
          : `${name} has no CNAME record, expected one with the value ${target}`,
      expected: `CNAME ${target}`,
      actual:
        missing === 'name' ? 'NXDOMAIN: the name does not exist' : 'no data: the name has no CNAME record',
    }),
  }),
  'cname-value': defineDomainProblem<OfCname & { value: string }>({
    example: { ...cnameExample, value: 'sites.other.example' },
    text: ({ name, target, value }) => ({
      message: `${name} is an alias of ${value}, expected ${target}`,
      expected: `CNAME ${target}`,
      actual: `CNAME ${value}`,
    }),
  }),
  'cname-several': defineDomainProblem<OfCname & { values: readonly string[] }>({
    example: { ...cnameExample, values: ['apps.host.example', 'sites.other.example'] },
    text: ({ name, target, values }) => ({
      message: `${name} has ${counted(values.length, 'CNAME record')} (${listed(values, 'value')}), expected only ${target}`,
      expected: `CNAME ${target}`,
      actual: `CNAME ${listed(values, 'value')}`,
    }),
  }),
  'conflicting-record': defineDomainProblem<
    OfDomain & { records: readonly { readonly type: string; readonly value: string }[] }
  >({
    example: { ...example, records: [{ type: 'A', value: '192.0.2.7' }] },
    text: ({ name, target, records }) => {
      const found = listed(
        records.map(({ type, value }) => `${type} ${value}`),
        'record',
      );
      const number = counted(records.length, 'record');
      return {
        message: `${name} has ${number} in conflict with the CNAME (${found}), expected only CNAME ${target}`,
        expected: `no record beside CNAME ${target}`,
        actual: found,
      };
    },
  }),
  'apex-cname': defineDomainProblem<OfDomain & { values: readonly string[] }>({
    example: { ...example, name: 'shop.example', values: ['apps.host.example'] },
    text: ({ name, target, values }) => ({
      message: `${name} is an apex domain with a CNAME record (${listed(values, 'value')}), expected an ALIAS or ANAME record for ${target}`,
      expected: `no CNAME, and the addresses of ${target}`,
      actual: `CNAME ${listed(values, 'value')}`,
    }),
  }),
  'apex-no-address': defineDomainProblem<OfDomain>({
    example: { ...example, name: 'shop.example' },
    text: ({ name, target }) => ({
      message: `${name} has no address, expected those of ${target} (an ALIAS or ANAME record)`,
      expected: `the addresses of ${target}`,
      actual: 'no A and no AAAA record',
    }),
  }),
  'apex-addresses': defineDomainProblem<
    OfDomain & {
      type: 'A' | 'AAAA';
      values: readonly string[];
      /** Empty: the target has no address of the family. */
      targets: readonly string[];
      /** Those of the other family are right. */
      isPartlyRight: boolean;
    }
  >({
    example: {
      ...{ ...example, name: 'shop.example', type: 'A', isPartlyRight: false },
      ...{ values: ['192.0.2.7'], targets: ['192.0.2.1'] },
    },
    text: ({ name, target, type, values, targets }) => {
      const family = type === 'A' ? 'IPv4' : 'IPv6';
      const wanted = targets.length === 0 ? 'none' : listed(targets, 'address');
      return {
        message: `${name} has the ${family} addresses ${listed(values, 'address')}, expected those of ${target} (${wanted})`,
        expected: `${type} ${wanted}`,
        actual: `${type} ${listed(values, 'address')}`,
      };
    },
  }),
  'caa-critical': defineDomainProblem<OfCaa & { tags: readonly string[]; values: readonly string[] }>({
    example: { ...caaExample, tags: ['tbs'], values: ['128 tbs "Unknown"'] },
    text: ({ name, at, tags }) => ({
      message: `The CAA records of ${at} have the unknown critical tag ${listed(tags, 'tag')}, so that nobody may issue a certificate for ${name}`,
      expected: 'no critical CAA tag that is unknown',
      actual: `critical tag ${listed(tags, 'tag')}`,
    }),
  }),
  'caa-issuer': defineDomainProblem<
    OfCaa & {
      authorities: readonly string[];
      /** The values of `issue`. */
      values: readonly string[];
    }
  >({
    example: { ...caaExample, authorities: ['ca.example'], values: ['other-ca.example'] },
    text: ({ name, at, authorities, values }) => ({
      message: `The CAA records of ${at} do not allow ${authorities.join(' or ')} to issue a certificate for ${name}, got issue ${listed(
        values.map((value) => JSON.stringify(value)),
        'value',
      )}`,
      expected: `CAA 0 issue "${authorities[0] ?? ''}"`,
      actual: listed(
        values.map((value) => `CAA issue ${JSON.stringify(value)}`),
        'record',
      ),
    }),
  }),
  'certificate-missing': defineDomainProblem<CertificateMissing>({
    example: { ...certificateExample, shown: { code: 'ECONNRESET' } },
    text: missingText,
  }),
  'certificate-name': defineDomainProblem<OfCertificate & { names: readonly string[] }>({
    example: { ...certificateExample, names: ['other.example'] },
    text: ({ name, address, names }) => ({
      message: `The certificate at ${address} is not for ${name}: its subjectAltName has ${names.length === 0 ? 'no name' : listed(names, 'name')}`,
      expected: `subjectAltName ${name}`,
      actual: names.length === 0 ? 'no name in subjectAltName' : `subjectAltName ${listed(names, 'name')}`,
    }),
  }),
  'certificate-expired': defineDomainProblem<OfCertificate & { at: number }>({
    example: { ...certificateExample, at: Date.UTC(2026, 10, 1) },
    text: ({ name, at }) => ({
      message: `The certificate of ${name} expired at ${timeText(at)}, expected a valid one`,
      expected: 'a certificate that is valid now',
      actual: `valid until ${timeText(at)}`,
    }),
  }),
  'certificate-not-yet-valid': defineDomainProblem<OfCertificate & { at: number }>({
    example: { ...certificateExample, at: Date.UTC(2026, 11, 1) },
    text: ({ name, at }) => ({
      message: `The certificate of ${name} is valid only from ${timeText(at)}, expected a valid one`,
      expected: 'a certificate that is valid now',
      actual: `valid from ${timeText(at)}`,
    }),
  }),
  'certificate-untrusted': defineDomainProblem<OfCertificate & { code: string }>({
    example: { ...certificateExample, code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    text: ({ name, code }) => ({
      message: `The certificate of ${name} is not trusted: ${chainErrorText(code)}`,
      expected: 'a chain to a trusted root',
      actual: chainErrorText(code),
    }),
  }),
  'redirect-status': defineDomainProblem<OfRedirect & { status: number | null }>({
    example: { ...redirectExample, status: 302 },
    text: ({ url, to, expected, status }) => ({
      message: `GET ${url}: expected ${expected} to ${to}, got ${status ?? 'no response'}`,
      expected: `status ${expected}`,
      actual: status === null ? 'no response: the connection was closed' : `status ${status}`,
    }),
  }),
  'redirect-location': defineDomainProblem<OfRedirect & { location: string | null }>({
    example: { ...redirectExample, location: 'https://www.other.example/' },
    text: ({ url, to, location }) => ({
      message: `GET ${url}: expected a redirect to ${to}, got ${location ?? 'no Location'}`,
      expected: `Location ${to}`,
      actual: location === null ? 'no Location' : `Location ${location}`,
    }),
  }),
  'project-not-served': defineDomainProblem<{
    name: string;
    url: string;
    isPrimary: boolean;
    because: NotServed;
  }>({
    example: {
      name: 'www.shop.example',
      url: 'https://www.shop.example/',
      isPrimary: true,
      because: { kind: 'status', status: 404, expected: null },
    },
    text: ({ url, isPrimary, because }) => ({
      message: `GET ${url}: expected the project${isPrimary ? ' (primary domain)' : ''}, got ${notServedText(because)}`,
      expected:
        because.kind === 'content'
          ? `a page that contains ${JSON.stringify(because.contains)}`
          : 'the project',
      actual: notServedText(because),
    }),
  }),
  'removed-served': defineDomainProblem<{ name: string; url: string; status: number }>({
    example: { name: 'old.shop.example', url: 'https://old.shop.example/', status: 200 },
    text: ({ name, url, status }) => ({
      message: `GET ${url}: the platform still serves the removed domain ${name}, expected what it has for unknown names, got status ${status}`,
      expected: 'not served',
      actual: `status ${status}`,
    }),
  }),
};

type DomainRule = keyof typeof domainKinds;

type DomainProblemOf<R extends DomainRule> = R extends DomainRule
  ? { readonly rule: R } & (typeof domainKinds)[R]['example']
  : never;

/** What is wrong with a domain, as facts. */
export type DomainProblem = DomainProblemOf<DomainRule>;

const kinds: { readonly [R in DomainRule]: DomainKind<(typeof domainKinds)[R]['example']> } = domainKinds;

const textOf = <R extends DomainRule>(rule: R, facts: (typeof domainKinds)[R]['example']): ProblemText =>
  kinds[rule].text(facts);

/** What is wrong with a domain, in words. */
export const domainProblemText = (problem: DomainProblem): ProblemText => textOf(problem.rule, problem);
