import { createSpellingFaults } from './create-spelling.ts';
import { created, describeFaults, type Showing, statusFor } from './create-testing.ts';

const refused = (body: string): Showing => ({ find: statusFor(body), faulty: 400, conforming: 201 });

describeFaults(createSpellingFaults, {
  'escaped-letters-refused': refused('{"name":"\\u0041","categoryId":1}'),
  'white-space-in-json-refused': refused('{\t"name":"a","categoryId":1}'),
  'order-of-members-assumed': refused('{"categoryId":1,"name":"a"}'),
  'escaped-names-missed': refused('{"\\u006eam\\u0065":"a","categoryId":1}'),
  'escaped-pairs-misread': {
    find: created('name', '{"name":"\\ud83d\\udc08","categoryId":1}'),
    faulty: '\ufffd\ufffd',
    conforming: '\u{1f408}',
  },
  'escapes-cut-to-a-byte': {
    find: created('name', '{"name":"\\u2041","categoryId":1}'),
    faulty: 'A',
    conforming: '\u2041',
  },
  'escapes-kept-as-sent': {
    find: created('name', '{"name":"\\u0041","categoryId":1}'),
    faulty: '\\u0041',
    conforming: 'A',
  },
  'first-name-in-the-text-taken': {
    find: created('name', '{"owner":{"name":"Ann"},"name":"a","categoryId":1}'),
    faulty: 'Ann',
    conforming: 'a',
  },
});
