import { fieldsOf, type TestServer } from '../testing.ts';
import { createAnswerFaults } from './create.ts';
import { bodyOf, created, describeFaults, type Showing, statusFor } from './create-testing.ts';

const answered = (status: number, fields: Readonly<Record<string, string | undefined>> = {}): Showing => ({
  find: statusFor(bodyOf(fields)),
  faulty: status,
  conforming: 201,
});

const statuses = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status);

const inTurn = async (server: TestServer, count: number) => {
  const answers = [];
  for (let left = count; left > 0; left -= 1) answers.push(await server.create(bodyOf()));
  return statuses(answers);
};

const inPieces: Showing = {
  find: async (server) =>
    (await server.create('', { pieces: ['{"name":"Bel', 'la","categoryId":1}'] })).status,
  faulty: 400,
  conforming: 201,
};

describeFaults(createAnswerFaults, {
  'only-the-first-piece-of-a-body-read': inPieces,
  'only-the-last-piece-of-a-body-read': inPieces,
  'pending-refused': answered(400, { status: '"pending"' }),
  'short-names-refused': answered(400, { name: '"a"' }),
  'names-past-fifty-refused': answered(400, { name: `"${'x'.repeat(51)}"` }),
  'names-of-sixty-four-refused': answered(400, { name: `"${'x'.repeat(64)}"` }),
  'spaces-in-names-refused': answered(400, { name: '"a b"' }),
  'full-after-fifty': {
    find: async (server) => (await inTurn(server, 52)).slice(-3),
    faulty: [201, 400, 400],
    conforming: [201, 201, 201],
  },
  'status-required': answered(400),
  'created-with-200': answered(200),
  'created-with-202': answered(202, { status: '"sold"' }),
  'created-without-a-body': {
    find: async (server) => (await server.create(bodyOf())).text,
    faulty: '',
    conforming: '{"id":1,"name":"Bella","categoryId":1,"status":"available"}',
  },
  'created-in-an-envelope': {
    find: async (server) => Object.keys(fieldsOf(await server.create(bodyOf()))),
    faulty: ['data'],
    conforming: ['id', 'name', 'categoryId', 'status'],
  },
  'created-as-an-array': {
    find: async (server) => Array.isArray((await server.create(bodyOf())).json),
    faulty: true,
    conforming: false,
  },
  'created-without-its-category': {
    find: created('categoryId', bodyOf()),
    faulty: undefined,
    conforming: 1n,
  },
  'taken-name-fails': { find: (server) => inTurn(server, 2), faulty: [201, 500], conforming: [201, 201] },
  'creations-one-at-a-time': {
    find: async (server) => statuses(await Promise.all([1, 2].map(() => server.create(bodyOf())))).toSorted(),
    faulty: [201, 409],
    conforming: [201, 201],
  },
});
