import { type Check, core, defineCheck, type Probe, type RunContext } from '../../src/check/index.ts';
import { noOperation } from '../../src/check/requests.ts';

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
      noOperation('PUT', '/pets'),
      noOperation('DELETE', `/pets/${unusedId}`),
      noOperation('POST', `/pets/${unusedId}`),
      noOperation('PATCH', `/pets/${unusedId}`),
      noOperation('POST', '/store/orders'),
    ]).map(core),
  run: async (probe, context) => {
    if (context.run.readOnly) return context.lose('read-only');
    if (context.run.isKnownId(unusedId)) return context.skipCase({ code: 'id-in-use', id: `${unusedId}` });
    await context.send(probe);
  },
});

/** Frameworks often handle HEAD and OPTIONS by themselves, without tests. */
const safeMethods = defineCheck<Probe>({
  id: 'gen-4-head-and-options',
  title: 'HEAD and OPTIONS cause no server error',
  requirement: 'GEN-4',
  inputs: (run) =>
    absentFrom(run, [
      noOperation('HEAD', '/pets'),
      noOperation('HEAD', `/pets/${unusedId}`),
      noOperation('HEAD', '/store/orders'),
      noOperation('OPTIONS', '/pets'),
    ]).map(core),
  run: async (probe, context) => void (await context.send(probe)),
});

/** The fallback of the router must respond. */
const otherPath = defineCheck<Probe>({
  id: 'gen-4-undocumented-paths',
  title: 'undocumented paths cause no server error',
  requirement: 'GEN-4',
  // An empty petId is not a petId. Whether paths are case-sensitive is not specified.
  inputs: (run) => [
    ...absentFrom(run, [noOperation('GET', `/pets/${unusedId}/photos`)]).map(core),
    noOperation('GET', '/pets/'),
    noOperation('GET', '/PETS'),
  ],
  run: async (probe, context) => void (await context.send(probe)),
});

export const undescribedRequests: readonly Check[] = [otherPath, safeMethods, unsafeMethods];
