import { fieldsOf, itemsOf, type TestServer } from '../testing.ts';
import { createIdFaults } from './create-ids.ts';
import { bodyOf, created, describeFaults, type Showing } from './create-testing.ts';

/** How many ids as many creations get, one after the other. */
const distinct = (creations: number, faulty: number, status?: (index: number) => string): Showing => ({
  find: async (server) => {
    const ids = new Set<unknown>();
    for (let index = 0; index < creations; index += 1) {
      const sent = bodyOf({ name: `"Rex ${index}"`, status: status?.(index) ?? '"sold"' });
      ids.add(fieldsOf(await server.create(sent)).id);
    }
    return ids.size;
  },
  faulty,
  conforming: creations,
});

const first = (faulty: unknown): Showing => ({ find: created('id', bodyOf()), faulty, conforming: 1n });

/** Creates Rex, then Bella with the id given; the 201's id, and what the list and getPet have of Rex's. */
const withId = (id: string, faulty: readonly unknown[], conforming: readonly unknown[]): Showing => ({
  find: async (server: TestServer) => {
    await server.create(bodyOf({ name: '"Rex"' }));
    const made = fieldsOf(await server.create(bodyOf({ id })));
    const listed = itemsOf(await server.get('/pets'));
    return [
      made.id,
      listed.map(({ id: shownId, name }) => `${shownId} ${name}`),
      fieldsOf(await server.get('/pets/1')).name,
    ];
  },
  faulty,
  conforming,
});
const fresh = [2n, ['2 Bella', '1 Rex'], 'Rex'];

describeFaults(createIdFaults, {
  'ids-all-the-same': distinct(3, 1),
  'ids-raced': {
    find: async (server) => {
      const answers = await Promise.all([1, 2, 3].map(() => server.create(bodyOf())));
      const after = await server.create(bodyOf());
      return [...answers, after].map((answer) => fieldsOf(answer).id);
    },
    faulty: [1n, 1n, 1n, 2n],
    conforming: [1n, 2n, 3n, 4n],
  },
  'ids-from-the-second': distinct(3, 1),
  'ids-wrap-at-fifty': distinct(60, 50),
  'ids-hashed-to-eight-bits': distinct(40, 38),
  'ids-counted-by-status': distinct(4, 2, (index) => (index % 2 === 0 ? '"sold"' : '"pending"')),
  'every-fortieth-id-twice': distinct(41, 40),
  'ids-through-a-double': distinct(4, 3),
  'id-as-text-in-the-201': first('1'),
  'id-of-the-next-in-the-201': first(2n),
  'ids-past-int64': first(2n ** 63n + 1n),
  'no-id-in-the-201': first(undefined),
  'id-in-the-body-replaces': withId('1', [1n, ['1 Bella'], 'Bella'], fresh),
  'id-in-the-body-replaces-and-no-other-passes': {
    find: async (server) => {
      await server.create(bodyOf({ name: '"Rex"' }));
      const strange = await server.create(bodyOf({ id: '1', colour: '"red"' }));
      const replaced = fieldsOf(await server.create(bodyOf({ id: '1' })));
      return [strange.status, replaced.id];
    },
    faulty: [400, 1n],
    conforming: [201, 3n],
  },
  'id-in-the-body-doubles': withId('1', [1n, ['1 Bella', '1 Rex'], 'Bella'], fresh),
  'free-id-in-the-body-chosen': withId('77', [77n, ['77 Bella', '1 Rex'], 'Rex'], fresh),
  'id-in-the-body-echoed': withId('1', [1n, ['2 Bella', '1 Rex'], 'Rex'], fresh),
  'id-in-the-body-removes': withId('1', [2n, ['2 Bella'], undefined], fresh),
  'id-in-the-body-removes-among-many': withId('1', [2n, ['2 Bella'], undefined], fresh),
});
