import { fieldsOf } from '../testing.ts';
import { bodyOf, describeFaults, type Showing, statusFor } from './create-testing.ts';
import { createTwinFaults } from './create-twins.ts';

const inTurn =
  (...bodies: readonly string[]): Showing['find'] =>
  async (server) => {
    const statuses: number[] = [];
    for (const body of bodies) statuses.push((await server.create(body)).status);
    return statuses;
  };

describeFaults(createTwinFaults, {
  'the-same-creation-at-once-is-one': {
    find: async (server) => {
      const answers = await Promise.all(
        [1, 2, 1].map((turn) => server.create(bodyOf({ name: `"Rex ${turn}"` }))),
      );
      return answers.map((answer) => fieldsOf(answer).id);
    },
    faulty: [1n, 2n, 1n],
    conforming: [1n, 2n, 3n],
  },
  'names-unique-by-their-beginning': {
    find: inTurn(...['a', 'b'].map((end) => bodyOf({ name: `"${'x'.repeat(24)}${end}"` }))),
    faulty: [201, 409],
    conforming: [201, 201],
  },
  'taken-name-in-another-case-fails': {
    find: inTurn(bodyOf(), bodyOf(), bodyOf({ name: '"BELLA"' })),
    faulty: [201, 201, 500],
    conforming: [201, 201, 201],
  },
  'query-completes-the-body': {
    find: async (server) => (await server.send('POST', '/pets?name=Rex&categoryId=1', { body: '{}' })).status,
    faulty: 201,
    conforming: 400,
  },
  'query-completes-the-name': {
    find: async (server) =>
      (await server.send('POST', '/pets?name=Rex', { body: bodyOf({ name: undefined }) })).status,
    faulty: 201,
    conforming: 400,
  },
  'null-as-an-id-crashes': { find: statusFor(bodyOf({ id: 'null' })), faulty: 500, conforming: 201 },
});
