import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const post = (name: string, rest = '') => `POST /pets {"name":"${name}"${rest}}`;

test('requests that differ least come first, and no more than are wanted', () => {
  const all = ['GET /pets', 'GET /pets with limit=5', 'GET /pets with limit=51 and status=sold'];
  expect(nearest(all, 'GET /pets with limit=50', 2)).toEqual([all[1], all[2]]);
});

test('a name that the run made up tells no requests apart', () => {
  const all = [
    post('conformance-7-a-1', ',"status":"sold"'),
    post('conformance-7-a-2', ',"status":"sold"'),
    post('conformance-7-a-3'),
  ];
  expect(nearest(all, post('conformance-7-b-9'), 5)).toEqual([all[1]]);
});

test('nor does an id alone', () => {
  expect(nearest(['GET /pets/7', 'GET /pets/7 with a space before'], 'GET /pets/8', 5)).toEqual([
    'GET /pets/7 with a space before',
  ]);
});

test('ids are of no account beside how the animals were created', () => {
  const get = (id: number, name: string) => `GET /pets/${id}, created by ${post(name)}`;
  const all = [get(7, 'abc'), get(1_234_567, 'Rex'), get(9, 'xyz')];
  expect(nearest(all, get(8, 'Rey'), 1)).toEqual([all[1]]);
});

test('a body that differs in one member is nearer than one that differs in two, and in its value alone nearer still', () => {
  const body = (rest: string) => `POST /pets {"name":"conformance-7-a-1",${rest}}`;
  const all = [
    body('"categoryId":5,"status":1'),
    body('"categoryId":"1.0000000001"'),
    body('"categoryId":0.5'),
    'POST /pets with a long name',
  ];
  expect(nearest(all, body('"categoryId":1.0000000001'), 4)).toEqual([all[2], all[1], all[0], all[3]]);
});
