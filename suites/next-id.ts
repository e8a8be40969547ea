import { idOf, petOf } from '../src/oracle/pet.ts';
import { anyCase, type Check } from '../src/run/check.ts';
import { getPet } from '../src/run/probes.ts';
import { createAnimal } from './support/animals.ts';

const largest = 2n ** 63n - 1n;

/** Ids right behind that of an animal just created: where stores that count are off by one. Others may create meanwhile. */
export const nextId: Check<bigint> = {
  name: 'GET-2 the ids behind the newest are unknown, or those of newer animals',
  gives: ['GET-2'],
  phase: 'main',
  cost: 2,
  examples: ({ readOnly }) => (readOnly ? [] : [1n, 2n]),
  attempt: async (distance, context) => {
    if (context.fixtures.removal() !== 'before') return context.end('getPet is removed');
    const asked = (await createAnimal(context)).id + distance;
    if (asked > largest) return context.end('no int64 is larger');
    const reading = await context.send(getPet(asked.toString()));
    if (reading.status === 404) return context.met('GET-2');
    const served = petOf(reading);
    if (reading.status !== 200 || served === null || idOf(served) === asked) return;
    context.breach({
      requirement: 'GET-2',
      rule: 'another animal',
      message: `GET /pets/${asked} is answered with an animal of another id.`,
      expected: `status 404, or the animal ${asked}`,
      actual: `the animal ${idOf(served)}`,
      exchange: reading.exchange,
    });
  },
};

export const nextIds: readonly Check<unknown>[] = [anyCase(nextId)];
