import { itemsOf, type TestServer } from '../testing.ts';
import { createRefusedFaults } from './create-refused.ts';
import { bodyOf, describeFaults, type Showing } from './create-testing.ts';

const listed = async (server: TestServer, query = '') =>
  itemsOf(await server.get(`/pets${query}`)).map(({ name }) => name);

const kept = (fields: Readonly<Record<string, string | undefined>>): Showing => ({
  find: async (server) => [(await server.create(bodyOf(fields))).status, await listed(server)],
  faulty: [400, ['Bella']],
  conforming: [400, []],
});

describeFaults(createRefusedFaults, {
  'stored-before-validated': kept({ categoryId: '"1"' }),
  'stored-without-its-bad-status': kept({ status: '"lost"' }),
  'stored-without-a-category': kept({ categoryId: undefined }),
  'stored-with-its-fraction-cut': kept({ categoryId: '1.5' }),
  'stored-with-a-null': kept({ status: 'null' }),
  'stored-with-its-overflow': kept({ categoryId: '9223372036854775808' }),
  'stored-without-a-name': { ...kept({ name: undefined }), faulty: [400, ['']] },
  'stored-before-the-rest-is-read': {
    find: async (server) => [(await server.create(`${bodyOf({})}x`)).status, await listed(server)],
    faulty: [400, ['Bella']],
    conforming: [400, []],
  },
  'refused-stored-with-the-next': {
    find: async (server) => {
      await server.create(bodyOf({ status: '"lost"' }));
      const before = await listed(server);
      await server.create(bodyOf({ name: '"Rex"' }));
      return [before, await listed(server)];
    },
    faulty: [[], ['Bella', 'Rex']],
    conforming: [[], ['Rex']],
  },
  'refused-listed-by-status': {
    find: async (server) => {
      await server.create(bodyOf({ categoryId: 'null', status: '"sold"' }));
      return [await listed(server), await listed(server, '?status=sold')];
    },
    faulty: [[], ['Bella']],
    conforming: [[], []],
  },
});
