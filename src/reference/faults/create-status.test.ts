import { createStatusFaults } from './create-status.ts';
import { bodyOf, created, describeFaults, type Showing, shown, statusFor } from './create-testing.ts';

const byDefault = (status: unknown): Showing => ({
  find: shown('status', bodyOf()),
  faulty: [status, status, status],
  conforming: ['available', 'available', 'available'],
});
const invalid = (sent: string, back: unknown): Showing => ({
  find: created('status', bodyOf({ status: sent })),
  faulty: back,
  // The Error's own status.
  conforming: 400n,
});
const refused = (status: number): Showing => ({
  find: statusFor(bodyOf({ status: '"lost"' })),
  faulty: status,
  conforming: 400,
});

describeFaults(createStatusFaults, {
  'status-null-by-default': byDefault(null),
  'status-empty-by-default': byDefault(''),
  'status-unknown-by-default': byDefault('unknown'),
  'status-a-number-by-default': byDefault(0n),
  'default-status-capitalised-in-the-201': {
    find: shown('status', bodyOf()),
    faulty: ['AVAILABLE', 'available', 'available'],
    conforming: ['available', 'available', 'available'],
  },
  'status-in-any-case': invalid('"SOLD"', 'sold'),
  'status-in-any-case-behind-its-first-letter': invalid('"sOLD"', 'sold'),
  'status-trimmed': invalid('" sold"', 'sold'),
  'empty-status-taken-for-none': invalid('""', 'available'),
  'null-status-taken-for-none': invalid('null', 'available'),
  'falsy-status-taken-for-none': invalid('0', 'available'),
  'status-by-its-number': invalid('2', 'sold'),
  'true-status-is-available': invalid('true', 'available'),
  'status-in-an-array': invalid('["sold"]', 'sold'),
  'status-an-object-is-ignored': invalid('{"sold":true}', 'available'),
  'status-named-by-the-member-of-an-object': invalid('{"pending":null}', 'pending'),
  'unknown-status-falls-back': invalid('"lost"', 'available'),
  'status-by-its-beginning': invalid('"sol"', 'sold'),
  'unknown-status-stored': invalid('"lost"', 'lost'),
  'inherited-names-are-statuses': invalid('"constructor"', 'constructor'),
  'unknown-status-crashes': refused(500),
  'unknown-status-is-a-conflict': refused(409),
});
