import { expect, test } from 'vitest';
import { memberOfKind } from './names.ts';

test.each([
  [['id', 'key', 'title'], '/spaces/{space_key}', 'key'],
  [['Code', 'title'], '/v1/categories/{categoryCode}', 'Code'],
  [['number'], '/boxes/{box-number}', 'number'],
  [['name'], '/volumes/{volume_name}', 'name'],
  [['id', 'name'], '/volumes/{volume_name}', undefined],
  [['name', 'login'], '/users/{user_name}', undefined],
  [['number'], '/orders/{customer_number}', undefined],
  [['key'], '/spaces/{key}', undefined],
])('members %j, the path %s -> %s', (members, item, member) => {
  expect(memberOfKind(members, item)).toBe(member);
});
