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

const otherMethods: Check<Probe> = {
  name: 'GEN-4 methods that the document does not know do no harm',
  gives: ['GEN-4'],
  phase: 'risky',
  readOnlyCost: 0,
  examples: (fixtures) =>
    [undescribed('PUT', '/pets'), undescribed('DELETE', `/pets/${nobody}`)].filter(
      (probe) => !isDescribed(fixtures, probe),
    ),
  attempt: async (probe, context) => {
    if (context.fixtures.readOnly) return context.lose('read-only');
    if (context.fixtures.isSeenId(nobody)) return context.end(`the id ${nobody} exists`);
    await context.send(probe);
  },
};

/** What routes nothing has to answer it. */
const otherPath: Check<Probe> = {
  name: 'GEN-4 a path that the document does not know does no harm',
  gives: ['GEN-4'],
  phase: 'main',
  // An empty petId is none at all.
  examples: (fixtures) => [
    ...[undescribed('GET', `/pets/${nobody}/photos`)].filter((probe) => !isDescribed(fixtures, probe)),
    undescribed('GET', '/pets/'),
  ],
  attempt: async (probe, context) => void (await context.send(probe)),
};

export const undescribedRequests: readonly Check<unknown>[] = [anyCase(otherPath), anyCase(otherMethods)];
