import { anonymous, bearer, type Credential } from '../../src/check/credentials.ts';
import {
  type Check,
  core,
  defineCheck,
  type Header,
  type Probe,
  type RunContext,
  undocumentedRequest,
} from '../../src/check/index.ts';

/** A large id that no animal has, so that an undocumented method changes nothing of other clients. */
const unusedId = 8_999_999_999_999_999_998n;

const isDescribed = ({ document }: RunContext, { request }: Probe): boolean =>
  document.operations.some(
    ({ method, path }) =>
      method === request.method && path.split('/').length === request.path.split('/').length,
  );

/** The probes that the document does not describe. */
const absentFrom = (run: RunContext, probes: readonly Probe[]): readonly Probe[] =>
  probes.filter((probe) => !isDescribed(run, probe));

/** A server may have these methods and change its store: none is sent to a collection that it could delete. */
const unsafeMethods = defineCheck<Probe>({
  id: 'gen-4-undocumented-methods',
  title: 'undocumented methods cause no server error',
  requirement: 'GEN-4',
  phase: 'risky',
  cost: { requests: 1, readOnly: 0 },
  inputs: (run) =>
    absentFrom(run, [
      undocumentedRequest('PUT', '/pets'),
      undocumentedRequest('DELETE', `/pets/${unusedId}`),
      undocumentedRequest('POST', `/pets/${unusedId}`),
      undocumentedRequest('PATCH', `/pets/${unusedId}`),
      undocumentedRequest('POST', '/store/orders'),
    ]).map(core),
  run: async (probe, context) => {
    if (context.run.readOnly) return context.lose('read-only');
    if (context.run.isKnownId(unusedId)) return context.skipCase({ code: 'id-in-use', id: `${unusedId}` });
    await context.send(probe);
  },
});

/** What a browser asks before a page of another site may send a request with a key (fetch.spec.whatwg.org). */
const preflight = (path: string, credential: Credential): Probe => {
  const { request, ...probe } = undocumentedRequest('OPTIONS', path);
  const headers: readonly Header[] = [
    ['Origin', 'https://app.example'],
    ['Access-Control-Request-Method', 'GET'],
    ['Access-Control-Request-Headers', 'authorization'],
  ];
  return {
    ...probe,
    label: `the headers of a CORS preflight and ${credential.label}`,
    request: { ...request, credential, headers },
  };
};

/** Frameworks often handle HEAD and OPTIONS by themselves, without tests. */
const safeMethods = defineCheck<Probe>({
  id: 'gen-4-head-and-options',
  title: 'HEAD and OPTIONS cause no server error',
  requirement: 'GEN-4',
  inputs: (run) => [
    ...absentFrom(run, [
      undocumentedRequest('HEAD', '/pets'),
      undocumentedRequest('HEAD', `/pets/${unusedId}`),
      undocumentedRequest('HEAD', '/store/orders'),
      undocumentedRequest('OPTIONS', '/pets'),
      preflight('/store/orders', anonymous),
    ]).map(core),
    ...absentFrom(run, [preflight(`/pets/${unusedId}`, bearer('main'))]),
  ],
  run: async (probe, context) => void (await context.send(probe)),
});

/** The fallback of the router must respond. */
const otherPath = defineCheck<Probe>({
  id: 'gen-4-undocumented-paths',
  title: 'undocumented paths cause no server error',
  requirement: 'GEN-4',
  // An empty petId is not a petId. Whether paths are case-sensitive is not specified.
  inputs: (run) => [
    ...absentFrom(run, [undocumentedRequest('GET', `/pets/${unusedId}/photos`)]).map(core),
    core(undocumentedRequest('GET', '/PETS')),
    undocumentedRequest('GET', '/pets/'),
  ],
  run: async (probe, context) => void (await context.send(probe)),
});

export const undescribedRequests: readonly Check[] = [otherPath, safeMethods, unsafeMethods];
