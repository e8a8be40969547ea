import { expect, test } from 'vitest';
import { breachOf } from '../../test/support/executing.ts';
import { createPetOf, listPets } from '../check/requests.ts';
import type { Finding } from '../oracle/finding.ts';
import type { Probe } from '../oracle/probe.ts';
import { passed } from '../oracle/rule.ts';
import { createPassLog, type Pass } from './passing-requests.ts';

const { request } = listPets({ limit: 7 });
const probeOf = (label: string): Probe => ({ ...listPets({ limit: 7 }), label });
const passOf = (label: string, findings: readonly Finding[] = [passed('LIST-3')]): Pass => ({
  request,
  findings,
  status: 200,
  about: () => ({ kind: 'probe', probe: probeOf(label) }),
});
const labelsOf = (passes: ReturnType<typeof createPassLog>, like = request) =>
  passes.meeting('LIST-3', like).map((pass) => {
    const about = pass.about();
    return about.kind === 'probe' ? about.probe.label : null;
  });

test('are those that met the requirement, and did not breach it as well', () => {
  const passes = createPassLog();
  passes.add('one', passOf('passed'));
  passes.add('one', passOf('met another', [passed('LIST-4')]));
  passes.add('other', passOf('met and breached', [passed('LIST-3'), breachOf('LIST-3')]));
  passes.add('other', passOf('breached another', [passed('LIST-3'), breachOf('LIST-4')]));
  expect(labelsOf(passes)).toEqual(['passed', 'breached another']);
  expect(labelsOf(passes, createPetOf({}).request)).toEqual([]);
});

test('are kept of each check, however many another one makes', () => {
  const passes = createPassLog();
  for (let count = 0; count < 1_000; count += 1) passes.add('many', passOf(`many ${count}`));
  passes.add('few', passOf('few'));
  const labels = labelsOf(passes);
  expect(labels).toHaveLength(201);
  expect(labels.at(-1)).toBe('few');
});
