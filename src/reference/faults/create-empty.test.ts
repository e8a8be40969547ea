import { createEmptyFaults } from './create-empty.ts';
import { bodyOf, describeFaults, statusFor } from './create-testing.ts';

describeFaults(createEmptyFaults, {
  'first-animals-created-with-200': { find: statusFor(bodyOf()), faulty: 200, conforming: 201 },
  'first-animals-without-status-refused': { find: statusFor(bodyOf()), faulty: 400, conforming: 201 },
  'first-animals-with-status-refused': {
    find: statusFor(bodyOf({ status: '"sold"' })),
    faulty: 400,
    conforming: 201,
  },
  'empty-words-as-names-refused': {
    find: statusFor(bodyOf({ name: '"null"' })),
    faulty: 400,
    conforming: 201,
  },
  'first-animals-crash': { find: statusFor(bodyOf()), faulty: 500, conforming: 201 },
});
