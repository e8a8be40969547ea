import { createMissingFaults } from './create-missing.ts';
import { bodyOf, created, describeFaults, type Showing, statusFor } from './create-testing.ts';

const accepted = (body: string): Showing => ({ find: statusFor(body), faulty: 201, conforming: 400 });
const refused = (status: number, body: string): Showing => ({
  find: statusFor(body),
  faulty: status,
  conforming: 400,
});
const nameless = bodyOf({ name: undefined });
const uncategorised = bodyOf({ categoryId: undefined });

describeFaults(createMissingFaults, {
  'name-optional': accepted(nameless),
  'category-optional': accepted(uncategorised),
  'empty-object-completed': accepted('{}'),
  'name-optional-with-a-status': accepted(bodyOf({ name: undefined, status: '"sold"' })),
  'category-optional-without-a-status': accepted(uncategorised),
  'one-required-field-is-enough': accepted(nameless),
  'fields-in-any-case': accepted('{"Name":"a","CATEGORYID":1}'),
  'missing-name-stored-as-null': { find: created('name', nameless), faulty: null, conforming: undefined },
  'missing-category-crashes': refused(500, uncategorised),
  'missing-name-is-422': refused(422, nameless),
  'missing-category-is-404': refused(404, uncategorised),
});
