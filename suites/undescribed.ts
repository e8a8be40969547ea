import type { Probe } from '../src/oracle/probe.ts';
import { anyCase, type Check } from '../src/run/check.ts';
import type { Fixtures } from '../src/run/fixtures.ts';
import { undescribed } from '../src/run/probes.ts';

/** A large id that nothing stands under, lest a server that knows more than the document says changes what others made. */
const nobody = 8_999_999_999_999_999_998n;

const isDescribed = ({ document }: Fixtures, { request }: Probe): boolean =>
  document.operations.some(
    ({ method, path }) =>
      method === request.method && path.split('/').length === request.path.split('/').length,
  );

/** Those that the document does not describe. */
const absentFrom = (fixtures: Fixtures, probes: readonly Probe[]): readonly Probe[] =>
  probes.filter((probe) => !isDescribed(fixtures, probe));

/** A server may have these methods, and change what it stores: none is sent for a whole collection that can be deleted. */
const unsafeMethods: Check<Probe> = {
  name: 'GEN-4 methods that the document does not know do no harm',
  gives: ['GEN-4'],
  phase: 'risky',
  readOnlyCost: 0,
  examples: (fixtures) =>
    absentFrom(fixtures, [
      undescribed('PUT', '/pets'),
      undescribed('DELETE', `/pets/${nobody}`),
      undescribed('POST', `/pets/${nobody}`),
      undescribed('PATCH', `/pets/${nobody}`),
      undescribed('POST', '/store/orders'),
    ]),
  attempt: async (probe, context) => {
    if (context.fixtures.readOnly) return context.lose('read-only');
    if (context.fixtures.isSeenId(nobody)) return context.end(`the id ${nobody} exists`);
    await context.send(probe);
  },
};

/** Servers answer HEAD and OPTIONS by themselves, or leave them to a handler that nobody wrote. */
const safeMethods: Check<Probe> = {
  name: 'GEN-4 HEAD and OPTIONS on documented paths -> no server failure',
  gives: ['GEN-4'],
  phase: 'main',
  examples: (fixtures) =>
    absentFrom(fixtures, [
      undescribed('HEAD', '/pets'),
      undescribed('HEAD', `/pets/${nobody}`),
      undescribed('HEAD', '/store/orders'),
      undescribed('OPTIONS', '/pets'),
    ]),
  attempt: async (probe, context) => void (await context.send(probe)),
};

/** What routes nothing has to answer it. */
const otherPath: Check<Probe> = {
  name: 'GEN-4 a path that the document does not know does no harm',
  gives: ['GEN-4'],
  phase: 'main',
  // An empty petId is none at all. Whether the case of a path matters is not specified.
  examples: (fixtures) => [
    ...absentFrom(fixtures, [undescribed('GET', `/pets/${nobody}/photos`)]),
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
