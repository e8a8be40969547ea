import { family, withWork } from './faulty-family.ts';
import { create } from './kit.ts';

/** Requests outside the documented input space. */
export const inputFaults = family('CLIENT-5', {
  'limit-0': ['Sends limit=0.', withWork({ method: 'GET', path: '/pets?limit=0' })],
  'limit-1000': ['Sends limit=1000.', withWork({ method: 'GET', path: '/pets?limit=1000' })],
  'empty-status': ['Sends an empty status.', withWork({ method: 'GET', path: '/pets?status=' })],
  'status-in-upper-case': [
    'Sends status=AVAILABLE.',
    withWork({ method: 'GET', path: '/pets?status=AVAILABLE' }),
  ],
  'unknown-parameter': ['Sends page=2.', withWork({ method: 'GET', path: '/pets?page=2' })],
  'wrong-path': ['Sends /pet.', withWork({ method: 'GET', path: '/pet' })],
  'without-v1': ['Leaves out /v1.', withWork({ method: 'GET', path: 'http://127.0.0.1/pets' })],
  'slash-at-the-end': ['Sends /pets/.', withWork({ method: 'GET', path: '/pets/' })],
  'unknown-method': ['Sends DELETE.', withWork({ method: 'DELETE', path: '/pets/1' })],
  'category-as-text': ['Sends the category as a string.', withWork(create({ name: 'Rex', categoryId: '1' }))],
  'no-category': ['Sends no category.', withWork(create({ name: 'Rex' }))],
  'null-status': ['Sends status: null.', withWork(create({ name: 'Rex', categoryId: 1, status: null }))],
  'own-member': ['Sends an unknown member.', withWork(create({ name: 'Rex', categoryId: 1, age: 3 }))],
  'no-media-type': [
    'Sends JSON as text.',
    withWork({ ...create({ name: 'Rex', categoryId: 1 }), headers: [['Content-Type', 'text/plain']] }),
  ],
  'form-body': [
    'Sends a form.',
    withWork({
      method: 'POST',
      path: '/pets',
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
      body: 'name=Rex&categoryId=1',
    }),
  ],
  head: ['Sends HEAD.', withWork({ method: 'HEAD', path: '/pets' })],
  'body-of-get': [
    'Sends a body with GET.',
    withWork({ method: 'GET', path: '/pets', headers: [['Content-Type', 'application/json']], body: '{}' }),
  ],
  'byte-order-mark': [
    'Begins its JSON with a byte order mark.',
    withWork(create('\ufeff{"name":"Rex","categoryId":1}')),
  ],
  'broken-json': ['Sends broken JSON.', withWork(create('{"name":"Rex",}'))],
  'beyond-int64': [
    'Sends a category beyond int64.',
    withWork(create('{"name":"Rex","categoryId":9223372036854775808}')),
  ],
  'pet-id-as-word': [
    'Sends a petId that is not a number.',
    withWork({ method: 'GET', path: '/pets/undefined' }),
    ['CLIENT-6'],
  ],
});
