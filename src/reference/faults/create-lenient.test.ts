import { fieldsOf } from '../testing.ts';
import { createLenientFaults } from './create-lenient.ts';
import { bodyOf, created, describeFaults, type Showing, statusFor } from './create-testing.ts';

const accepted = (body: string): Showing => ({ find: statusFor(body), faulty: 201, conforming: 400 });
const acceptedWith = (fields: Readonly<Record<string, string | undefined>>) => accepted(bodyOf(fields));

describeFaults(createLenientFaults, {
  'leading-zeros-accepted': acceptedWith({ categoryId: '01' }),
  'plus-signs-accepted': acceptedWith({ categoryId: '+1' }),
  'digits-of-any-script-accepted': acceptedWith({ categoryId: '١' }),
  'body-trimmed-of-anything-blank': accepted(`${bodyOf()}\f`),
  'body-ends-at-nul': accepted(`${bodyOf()}\0x`),
  'status-cut-at-its-line-break': acceptedWith({ status: '"sold\\n"' }),
  'status-ends-at-nul': acceptedWith({ status: '"sold\\u0000"' }),
  'reserved-is-pending': acceptedWith({ status: '"reserved"' }),
  'status-by-its-place': acceptedWith({ status: '"0"' }),
  'category-as-an-object': acceptedWith({ categoryId: '{"id":1}' }),
  'category-trimmed-to-a-number': acceptedWith({ categoryId: '" 1"' }),
  'category-rounded-by-a-hair': acceptedWith({ categoryId: '1.0000000001' }),
  'words-behind-a-dollar-sign-dropped': {
    find: created('name', bodyOf({ name: '"a $HOME b"' })),
    faulty: 'a  b',
    conforming: 'a $HOME b',
  },
  'names-of-three-words-refused': {
    find: statusFor(bodyOf({ name: '"a b c"' })),
    faulty: 400,
    conforming: 201,
  },
  'names-in-capitals-refused': {
    find: statusFor(bodyOf({ name: '"NO"' })),
    faulty: 400,
    conforming: 201,
  },
  'dates-as-names-refused': {
    find: statusFor(bodyOf({ name: '"2024-02-29"' })),
    faulty: 400,
    conforming: 201,
  },
  'hyphens-between-spaces-refused': {
    find: statusFor(bodyOf({ name: '"a - b"' })),
    faulty: 400,
    conforming: 201,
  },
  'invisible-characters-dropped': {
    find: created('name', bodyOf({ name: '"a\\u200bb"' })),
    faulty: 'ab',
    conforming: 'a\u200bb',
  },
  'named-animal-changed-out-of-sight': {
    find: async (server) => {
      await server.create(bodyOf({ name: '"Rex"' }));
      const { id } = fieldsOf(await server.create(bodyOf({ id: '1' })));
      return [id, fieldsOf(await server.get('/pets/1')).name];
    },
    faulty: [2n, 'Bella'],
    conforming: [2n, 'Rex'],
  },
  'id-chosen-by-a-string': { find: created('id', bodyOf({ id: '"77"' })), faulty: 77n, conforming: 1n },
});
