import { describe, expect, test } from 'vitest';
import { breachesIn, findingsOf } from '../../../test/support/build.ts';
import { listPets } from '../../check/requests.ts';
import type { Json } from '../../json/json.ts';
import { describe as describeProblem } from './problems.ts';

const rex = { id: 7n, name: 'Rex', categoryId: 1n, status: 'sold' };

describe('the shape of a body', () => {
  const told = (json: Json, status = 200) => {
    const breaches = breachesIn(findingsOf(listPets({}), { status, json }));
    const breach = breaches.find(({ requirement }) => requirement === 'GEN-3');
    return breach === undefined ? null : describeProblem(breach);
  };

  test('is told once, however many animals have it', () => {
    const pets = [1n, 2n, 3n].map((id) => ({ ...rex, id: `no ${id}` }));
    expect(told(pets)?.message).toBe(
      '200 GET /pets: body does not match the schema: item 1 of 3, id is "no 1", expected an int64 (also in 2 more)',
    );
    expect(told(pets)?.expected).toBe('item 1 of 3, id: an int64');
    expect(told(pets)?.actual).toBe('item 1 of 3, id: "no 1"');
  });

  test('is told with all that is missing, and what came instead', () => {
    expect(told({ error: 'key' }, 401)?.expected).toBe(
      'a member "code", a member "message", a member "status"',
    );
    expect(told({ error: 'key' }, 401)?.actual).toBe('{"error":"key"}');
    expect(told({ error: 'key' }, 401)?.message).toMatch(
      /: it has no "code", "message", "status": {"error":"key"}/,
    );
  });
});
