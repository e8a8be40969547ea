import { anyCase, type Check, core } from '../../src/check/check.ts';
import { undescribed } from '../../src/check/requests.ts';
import type { Fixtures } from '../../src/check/run-context.ts';
import type { Probe } from '../../src/oracle/probe.ts';

/** A large id that no animal has, so that an undocumented method changes nothing of other clients. */
const unusedId = 8_999_999_999_999_999_998n;

const isDescribed = ({ document }: Fixtures, { request }: Probe): boolean =>
  document.operations.some(
    ({ method, path }) =>
      method === request.method && path.split('/').length === request.path.split('/').length,
  );

/** The probes that the document does not describe. */
const absentFrom = (fixtures: Fixtures, probes: readonly Probe[]): readonly Probe[] =>
  probes.filter((probe) => !isDescribed(fixtures, probe));

/** A server may have these methods and change its store: none is sent to a collection that it could delete. */
const unsafeMethods: Check<Probe> = {
  id: 'gen-4-undocumented-methods',
  title: 'undocumented methods cause no server error',
  requirement: 'GEN-4',
  phase: 'risky',
  readOnlyCost: 0,
  examples: (fixtures) =>
    absentFrom(fixtures, [
      undescribed('PUT', '/pets'),
      undescribed('DELETE', `/pets/${unusedId}`),
      undescribed('POST', `/pets/${unusedId}`),
      undescribed('PATCH', `/pets/${unusedId}`),
      undescribed('POST', '/store/orders'),
    ]).map(core),
  attempt: async (probe, context) => {
    if (context.fixtures.readOnly) return context.lose('read-only');
    if (context.fixtures.isSeenId(unusedId)) return context.end({ code: 'id-in-use', id: `${unusedId}` });
    await context.send(probe);
  },
};

/** Frameworks often handle HEAD and OPTIONS by themselves, without tests. */
const safeMethods: Check<Probe> = {
  id: 'gen-4-head-and-options',
  title: 'HEAD and OPTIONS cause no server error',
  requirement: 'GEN-4',
  phase: 'main',
  examples: (fixtures) =>
    absentFrom(fixtures, [
      undescribed('HEAD', '/pets'),
      undescribed('HEAD', `/pets/${unusedId}`),
      undescribed('HEAD', '/store/orders'),
      undescribed('OPTIONS', '/pets'),
    ]).map(core),
  attempt: async (probe, context) => void (await context.send(probe)),
};

/** The fallback of the router must respond. */
const otherPath: Check<Probe> = {
  id: 'gen-4-undocumented-paths',
  title: 'undocumented paths cause no server error',
  requirement: 'GEN-4',
  phase: 'main',
  // An empty petId is not a petId. Whether paths are case-sensitive is not specified.
  examples: (fixtures) => [
    ...absentFrom(fixtures, [undescribed('GET', `/pets/${unusedId}/photos`)]).map(core),
    undescribed('GET', '/pets/'),
    undescribed('GET', '/PETS'),
  ],
  attempt: async (probe, context) => void (await context.send(probe)),
};

export const undescribedRequests: readonly Check<unknown>[] = [
  anyCase(otherPath),
  anyCase(safeMethods),
  anyCase(unsafeMethods),
];
