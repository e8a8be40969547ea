import { createBodyFaults } from './create-bodies.ts';
import { describeFaults, type Showing, statusFor } from './create-testing.ts';

const answered = (status: number, body: string | Uint8Array<ArrayBuffer>): Showing => ({
  find: statusFor(body),
  faulty: status,
  conforming: 400,
});
const accepted = (body: string | Uint8Array<ArrayBuffer>): Showing => answered(201, body);

describeFaults(createBodyFaults, {
  'first-of-an-array-created': accepted('[{"name":"a","categoryId":1}]'),
  'array-of-the-values-passes': accepted('["a",1,"sold"]'),
  'empty-array-passes': accepted('[]'),
  'null-body-passes': accepted('null'),
  'string-body-is-the-name': accepted('"Bella"'),
  'scalar-body-passes': accepted('7'),
  'empty-body-passes': accepted(''),
  'trailing-comma-accepted': accepted('{"name":"a","categoryId":1,}'),
  'single-quotes-accepted': accepted("{'name':'a','categoryId':1}"),
  'bare-names-accepted': accepted('{name:"a",categoryId:1}'),
  'empty-members-accepted': accepted('{"name":"a",,"categoryId":1}'),
  'any-bracket-closes': accepted('{"name":"a","categoryId":1]'),
  'escapes-of-other-digits-accepted': accepted('{"name":"\\u00zz","categoryId":1}'),
  'trailing-text-ignored': accepted('{"name":"a","categoryId":1}{"name":"b","categoryId":1}x'),
  'form-accepted': accepted('name=a&categoryId=1'),
  'missing-end-added': accepted('{"name":"a","categoryId":1'),
  'line-breaks-in-strings-accepted': accepted('{"name":"a\nb","categoryId":1}'),
  'null-body-crashes': answered(500, 'null'),
  'empty-body-crashes': answered(500, ''),
  'malformed-json-crashes': answered(500, '{'),
  'malformed-json-is-422': answered(422, '{'),
  'array-body-is-413': answered(413, '[]'),
  'empty-body-is-411': answered(411, ''),
});
