import { testDomains } from '../domains/test-domains.ts';
import { findingsOf, ofKind, verdictOf } from '../domains/verdict.ts';
import { domainProblemText } from '../finding/kinds/domains.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import { domainDialects } from '../reference/domains/dialects.ts';
import { domainFaults } from '../reference/domains/faults.ts';
import { worldContext } from '../reference/domains/network.ts';
import type { WorldPatch } from '../reference/domains/patches.ts';
import { rightWorld } from '../reference/domains/world.ts';
import type { Task } from './tasks.ts';
import { type RequirementFinding, type TestedServer, untested } from './tested-server.ts';

/** Any time will do. */
const now = Date.parse('2026-11-28T12:00:00Z');

/** The patch of a task on domains; null: it is on a server. */
export const patchOf = ({ kind, names: [name] }: Task): WorldPatch | null => {
  const all = kind === 'fault' ? domainFaults : domainDialects;
  return all.find((each) => each.name === name)?.patch ?? null;
};

/** Tests the domains of a world, without sockets. */
export const testWorld = async (task: Task, patch: WorldPatch): Promise<TestedServer> => {
  const world = patch(rightWorld(now));
  const tested = await testDomains(world.settings, worldContext(world, `${Math.abs(task.seed)}`));
  const found = findingsOf(tested);
  const findings = loadCatalogue()
    .filter(({ subject }) => subject === 'domain')
    .map((requirement): RequirementFinding => {
      const { id, level } = requirement;
      const own = ofKind(found, 'breach').filter((breach) => breach.requirement === id);
      const evidence = own.map(({ problem, domain }) => {
        const { message, expected, actual } = domainProblemText(problem);
        return { message, request: domain ?? expected, response: actual, check: id, seen: 1, tries: 1 };
      });
      return { id, level, verdict: verdictOf(requirement, found).verdict, reason: null, evidence };
    });
  const isFailed = findings.some(({ verdict }) => verdict === 'failed');
  return {
    ...untested,
    task,
    exit: isFailed ? 1 : 0,
    verdict: isFailed ? 'nonconformant' : 'conformant',
    findings,
    requests: tested.traffic.requests,
    broken: null,
  };
};
