import { expect, test } from 'vitest';
import { breachOf } from '../../test/support/executing.ts';
import type { Finding } from '../oracle/finding.ts';
import { met } from '../oracle/rule.ts';
import { createPasses } from './passes.ts';
import { createPetOf, listPets } from './probes.ts';

const { request } = listPets({ limit: 7 });
const passOf = (words: string, findings: readonly Finding[] = [met('LIST-3')]) => ({
  request,
  findings,
  status: 200,
  inWords: () => words,
});
const wordsOf = (passes: ReturnType<typeof createPasses>, like = request) =>
  passes.meeting('LIST-3', like).map((pass) => pass.inWords());

test('are those that met the requirement, and did not breach it as well', () => {
  const passes = createPasses();
  passes.add('one', passOf('met'));
  passes.add('one', passOf('met another', [met('LIST-4')]));
  passes.add('other', passOf('met and breached', [met('LIST-3'), breachOf('LIST-3')]));
  passes.add('other', passOf('breached another', [met('LIST-3'), breachOf('LIST-4')]));
  expect(wordsOf(passes)).toEqual(['met', 'breached another']);
  expect(wordsOf(passes, createPetOf({}).request)).toEqual([]);
});

test('are kept of each check, however many another one makes', () => {
  const passes = createPasses();
  for (let count = 0; count < 1_000; count += 1) passes.add('many', passOf(`many ${count}`));
  passes.add('few', passOf('few'));
  const words = wordsOf(passes);
  expect(words).toHaveLength(201);
  expect(words.at(-1)).toBe('few');
});
