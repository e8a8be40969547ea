import {
  adding,
  all,
  certificate,
  type DomainFault,
  domain,
  faultsOf,
  page,
  pageOf,
  replacing,
  settings,
} from './patches.ts';
import { hosts, projectPage, record, unknownPage } from './world.ts';

const www = 'www.shop.example';
const apex = 'shop.example';
const old = 'old.shop.example';
const halfHour = 30 * 60_000;

const planFaults = faultsOf('DOMAIN-1', {
  'free-plan': ['The project has the Free plan.', settings(() => ({ plan: 'free' }))],
});

const twoAddresses = all(
  adding(record('apps.host.example', 'A', hosts.otherPlatform), record(apex, 'A', hosts.otherPlatform)),
);

const certificateFaults = faultsOf('DOMAIN-6', {
  'certificate-expired': [
    'The certificate expired yesterday.',
    certificate(www, { names: [www], validFrom: -90, validTo: -1 }),
  ],
  'certificate-not-yet-valid': [
    'The certificate is valid from tomorrow.',
    certificate(www, { names: [www], validFrom: 1 }),
  ],
  'certificate-common-name': ['The name is only in CN.', certificate(www, { names: [], commonName: www })],
  'certificate-common-name-beside': [
    'The name is in CN, and another one in subjectAltName.',
    certificate(www, { names: ['other.example'], commonName: www }),
  ],
  'certificate-other-name': [
    'The certificate is for another name.',
    certificate(www, { names: ['other.example'] }),
  ],
  'certificate-www-alone': [
    'The certificate of the apex has the name with www.',
    certificate(apex, { names: [www] }),
  ],
  'certificate-wildcard-apex': [
    'A wildcard does not cover the apex.',
    certificate(apex, { names: ['*.shop.example'] }),
  ],
  'certificate-wildcard-too-high': [
    'A wildcard matches two labels.',
    certificate(www, { names: ['*.example'] }),
  ],
  'certificate-self-signed': [
    'The certificate is self-signed.',
    certificate(www, { names: [www], trust: 'self-signed' }),
  ],
  'certificate-unknown-root': [
    'Nobody trusts the root.',
    certificate(www, { names: [www], trust: 'unknown-root' }),
  ],
  'certificate-default': [
    'The platform has only its default certificate.',
    certificate(www, { names: ['*.host.example'] }),
  ],
  'certificate-missing': ['There is no handshake for the name.', certificate(www, 'closed')],
  'certificate-late': [
    'There is no certificate 31 minutes after the verification.',
    (world) =>
      all(certificate(www, 'closed'), domain(www, { verified: world.now - halfHour - 60_000 }))(world),
  ],
  'certificate-expired-early': [
    'The certificate is expired soon after the verification.',
    (world) =>
      all(
        certificate(www, { names: [www], validTo: -1, validFrom: -9 }),
        domain(www, { verified: world.now }),
      )(world),
  ],
  'certificate-refused': ['Nothing listens for HTTPS.', certificate(www, 'refused')],
  'certificate-expired-at-one-address': [
    'One of two addresses has an expired certificate.',
    all(twoAddresses, certificate(www, { names: [www], validFrom: -90, validTo: -1 }, hosts.otherPlatform)),
  ],
});

const withPath = settings(({ redirects }) => ({
  redirects: [...redirects, { from: www, path: '/old', to: 'https://www.shop.example/new', status: 308 }],
}));

const oldPath = (status: number, location: string) =>
  page(({ hostname, pathname }) => (hostname === www && pathname === '/old' ? { status, location } : null));

const redirecting = (status: number, location?: string) =>
  pageOf(apex, location === undefined ? { status } : { status, location });

const pageFaults = faultsOf('DOMAIN-7', {
  'redirect-302': ['The redirect is 302 instead of 301.', redirecting(302, 'https://www.shop.example/')],
  'redirect-elsewhere': [
    'The redirect leads to another host.',
    redirecting(301, 'https://www.other.example/'),
  ],
  'redirect-to-http': ['The redirect leads to HTTP.', redirecting(301, 'http://www.shop.example/')],
  'redirect-without-location': ['The redirect has no Location.', redirecting(301)],
  'redirect-serves': ['The domain serves the project instead of redirecting.', pageOf(apex, projectPage)],
  'redirect-missing': ['The domain that redirects is 404.', pageOf(apex, unknownPage)],
  'redirect-relative': ['The Location is a path on the same host.', redirecting(301, '/')],
  'redirect-in-page': [
    'The page redirects, and not the response.',
    pageOf(apex, {
      status: 200,
      body: '<meta http-equiv="refresh" content="0; url=https://www.shop.example/">',
    }),
  ],
  'redirect-path-elsewhere': ['A path redirects to another path.', all(withPath, oldPath(308, '/newer'))],
  'redirect-path-status': ['A path redirects with another status.', all(withPath, oldPath(307, '/new'))],
  'redirect-path-missing': ['A path does not redirect.', withPath],
  'primary-unknown': ['The platform does not know the primary domain.', pageOf(www, unknownPage)],
  'primary-default-page': [
    'The primary domain has the page of unknown names.',
    page(({ hostname }) =>
      hostname === apex ? null : { status: 200, body: `Welcome to ${hostname}, request ${hostname.length}` },
    ),
  ],
  'primary-redirects': [
    'The primary domain redirects to another host.',
    pageOf(www, { status: 302, location: 'https://login.host.example/' }),
  ],
  'primary-loop': [
    'The primary domain redirects in a circle.',
    pageOf(www, { status: 302, location: '/again' }),
  ],
  'primary-other-project': [
    'The primary domain serves another project.',
    pageOf(www, { status: 200, body: 'Hello' }),
  ],
  'primary-status': [
    'The primary domain has another status.',
    all(
      settings(() => ({ project: { path: '/', status: 204, contains: null } })),
      pageOf(www, projectPage),
    ),
  ],
  'second-domain-unknown': [
    'A second domain that does not redirect is not served.',
    all(
      settings(({ domains }) => ({ domains, redirects: [], primary: www })),
      pageOf(apex, unknownPage),
    ),
  ],
});

const removedFaults = faultsOf('DOMAIN-8', {
  'removed-served': ['A removed domain is still served.', pageOf(old, projectPage)],
  'removed-redirects': [
    'A removed domain redirects to the primary domain.',
    pageOf(old, { status: 301, location: 'https://www.shop.example/' }),
  ],
  'removed-served-over-http': [
    'A removed domain is still served over HTTP.',
    page(({ hostname, protocol }) => (hostname === old && protocol === 'http:' ? projectPage : null)),
  ],
  'removed-served-over-https': [
    'A removed domain is still served over HTTPS, and HTTP redirects there.',
    page(({ hostname, protocol, pathname }) => {
      if (hostname !== old) return null;
      return protocol === 'https:' ? projectPage : { status: 308, location: `https://${old}${pathname}` };
    }),
  ],
  'removed-served-at-one-address': [
    'One of two addresses still serves a removed domain.',
    all(
      twoAddresses,
      page(({ hostname }, address) =>
        hostname === old && address === hosts.otherPlatform ? projectPage : null,
      ),
    ),
  ],
  'removed-moved': [
    'The removed domain moved to another host, and the platform still serves it.',
    all(replacing(record(old, 'A', hosts.elsewhere)), pageOf(old, projectPage)),
  ],
});

/** Mistakes in the plan, in certificates, and in what is served. */
export const servingFaults: readonly DomainFault[] = [
  ...planFaults,
  ...certificateFaults,
  ...pageFaults,
  ...removedFaults,
];
