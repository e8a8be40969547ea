import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  breachesIn,
  causesIn,
  errorOf,
  findingsOf,
  parsedResponse,
  passedIn,
  problemsIn,
  serverModelAt,
} from '../../../test/support/build.ts';
import { createPet, listPets } from '../../check/requests.ts';
import type { JsonObject } from '../../json/json.ts';

const pets = (count: number, status?: string): readonly JsonObject[] =>
  Array.from({ length: count }, (_, index) => ({
    id: BigInt(index + 1),
    name: `Pet ${index}`,
    categoryId: 1n,
    ...(status === undefined ? {} : { status }),
  }));
const found = (options: Parameters<typeof listPets>[0], json: readonly JsonObject[], storeSize = 0) =>
  findingsOf(listPets(options), { json }, { ...serverModelAt(), storeSize });
const verdictsOn = (requirement: string, findings: ReturnType<typeof found>) =>
  findings.filter((finding) => finding.requirement === requirement).map(({ kind }) => kind);

describe('LIST-3', () => {
  test('at most n animals come with limit=n', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 0, max: 102 }), (limit, count) => {
        const causes = causesIn(found({ limit }, pets(count)));
        expect(causes).toEqual(count > limit ? ['LIST-3: too-many-items'] : []);
      }),
    );
  });

  test('a short page proves something only where the store is known to hold more', () => {
    expect(verdictsOn('LIST-3', found({ limit: 5 }, pets(5)))).toEqual(['passed']);
    expect(verdictsOn('LIST-3', found({ limit: 5 }, pets(4), 6))).toEqual(['passed']);
    expect(verdictsOn('LIST-3', found({ limit: 5 }, pets(4), 5))).toEqual(['inconclusive']);
    expect(verdictsOn('LIST-3', found({ limit: 5, status: 'sold' }, pets(4, 'sold'), 6))).toEqual([
      'inconclusive',
    ]);
  });

  test('says how many there may be and how many came', () => {
    expect(problemsIn(found({ limit: 2 }, pets(3)))[0]).toMatchObject({ most: 2, why: 'limit', count: 3 });
  });
});

test('LIST-2: without limit at most 20 come', () => {
  expect(causesIn(found({}, pets(20), 30))).toEqual([]);
  expect(verdictsOn('LIST-2', found({}, pets(20), 30))).toEqual(['passed']);
  expect(causesIn(found({}, pets(21)))).toEqual(['LIST-2: too-many-items']);
  expect(verdictsOn('LIST-2', found({}, pets(12), 12))).toEqual(['inconclusive']);
});

test('LIST-5: with an invalid limit at most 100 come', () => {
  const probe = { limit: 'abc', inputSpace: 'undocumented' as const };
  expect(verdictsOn('LIST-5', found(probe, pets(100)))).toEqual(['passed']);
  expect(causesIn(found(probe, pets(101)))).toEqual(['LIST-5: too-many-items']);
});

test('LIST-5, LIST-7: what is refused is not refused with 200', () => {
  const limit = listPets({ limit: 'abc', inputSpace: 'undocumented' });
  const status = listPets({ status: { raw: 'lost' }, inputSpace: 'undocumented' });
  for (const json of [errorOf(400), errorOf(200)]) {
    expect(causesIn(findingsOf(limit, { json }))).toContain('LIST-5: error-with-200');
    expect(causesIn(findingsOf(status, { json }))).toContain('LIST-7: error-with-200');
  }
  // What is no list in answer to a valid query either is no matter of these.
  for (const answer of [{ json: { items: [] } }, { json: null }, { body: '' }]) {
    const requirements = [limit, status].flatMap((probe) => causesIn(findingsOf(probe, answer)));
    expect(requirements.filter((cause) => /^LIST-[57]/.test(cause))).toEqual([]);
    expect(requirements.length).toBeGreaterThan(0);
  }
});

test('LIST-7: an unknown status may be ignored', () => {
  const probe = { status: { raw: 'lost' }, inputSpace: 'undocumented' as const };
  expect(causesIn(found(probe, pets(3, 'sold')))).toEqual([]);
});

describe('LIST-6', () => {
  test('every animal has the status that was asked for, alone and with limit', () => {
    for (const limit of [{}, { limit: 50 }]) {
      expect(verdictsOn('LIST-6', found({ status: 'sold', ...limit }, pets(3, 'sold')))).toEqual(['passed']);
      expect(
        causesIn(
          found({ status: 'sold', ...limit }, [...pets(3, 'sold'), { ...pets(1, 'pending')[0], id: 9n }]),
        ),
      ).toEqual(['LIST-6: wrong-filter']);
      expect(causesIn(found({ status: 'sold', ...limit }, pets(1)))).toEqual(['LIST-6: wrong-filter']);
    }
  });

  test('an empty list proves nothing', () => {
    expect(verdictsOn('LIST-6', found({ status: 'sold' }, []))).toEqual([]);
  });

  test('is not judged where no documented status was asked for', () => {
    for (const status of [undefined, { raw: 'lost' }]) {
      const findings = found(status === undefined ? {} : { status }, [
        ...pets(1, 'sold'),
        { ...pets(1, 'pending')[0], id: 2n },
      ]);
      expect(verdictsOn('LIST-6', findings)).toEqual([]);
    }
  });
});

describe('LIST-9', () => {
  const ids = fc.uniqueArray(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), {
    minLength: 2,
    maxLength: 20,
  });
  const withIds = (given: readonly bigint[]) => given.map((id) => ({ id, name: 'Rex', categoryId: 1n }));

  test('different ids pass, however close they are', () => {
    fc.assert(
      fc.property(ids, (given) => {
        expect(verdictsOn('LIST-9', found({ limit: 100 }, withIds(given)))).toEqual(['passed']);
      }),
    );
    expect(verdictsOn('LIST-9', found({}, withIds([2n ** 53n, 2n ** 53n + 1n])))).toEqual(['passed']);
  });

  test('which ids stand twice is told, the first of them with its places', () => {
    expect(problemsIn(found({ limit: 100 }, withIds([5n, 4n, 4n, 3n, 2n, 3n, 2n])))[0]).toMatchObject({
      id: 4n,
      items: [2, 3],
      count: 7,
      others: [3n, 2n],
    });
  });

  test('an id that stands twice does not, wherever it stands', () => {
    fc.assert(
      fc.property(ids, fc.nat(), fc.nat(), (given, from, to) => {
        const twice = given[from % given.length] ?? 0n;
        const doubled = given.toSpliced(to % (given.length + 1), 0, twice);
        expect(causesIn(found({ limit: 100 }, withIds(doubled)))).toEqual(['LIST-9: duplicate-id']);
      }),
    );
  });

  test('one animal alone proves nothing', () => {
    expect(verdictsOn('LIST-9', found({}, pets(1)))).toEqual([]);
  });
});

describe('what was refused', () => {
  const breaches = (status: 400 | 401, listTicket: number) => {
    const serverModel = serverModelAt();
    const probe = createPet(
      { name: 'Refused', categoryId: 1n },
      { inputSpace: 'unspecified', label: 'no key' },
    );
    serverModel.update({ probe, response: parsedResponse(probe, { status }), sequence: 1, sequenceAtEnd: 2 });
    const json = [{ id: 1n, name: 'Refused', categoryId: 1n }];
    return breachesIn(findingsOf(listPets({}), { json }, serverModel, listTicket));
  };
  const listed = (status: 400 | 401, listTicket: number) => causesIn(breaches(status, listTicket));

  test('is told by the request that was refused', () => {
    expect(breaches(401, 3)[0]).toMatchObject({
      problem: { rule: 'stored-after-refusal', status: 401 },
      about: { kind: 'probe', probe: { label: 'no key' } },
      beside: [],
    });
  });

  test('is not listed afterwards', () => {
    expect(listed(401, 3)).toEqual(['AUTH-5: stored-after-refusal']);
    expect(listed(400, 3)).toEqual(['CREATE-8: stored-after-refusal']);
  });

  test('is told by what it is known again by', () => {
    const told = (sent: JsonObject) => {
      const serverModel = serverModelAt();
      const probe = createPet(sent, { inputSpace: 'unspecified' });
      serverModel.update({
        probe,
        response: parsedResponse(probe, { status: 400 }),
        sequence: 1,
        sequenceAtEnd: 2,
      });
      const json = [{ id: 1n, name: '', categoryId: 1n, ...sent }];
      return problemsIn(findingsOf(listPets({}), { json }, serverModel, 3))[0];
    };
    expect(told({ name: 'Refused', categoryId: 1n })).toMatchObject({ knownBy: 'name' });
    expect(told({ categoryId: 2n ** 61n })).toMatchObject({ knownBy: 'categoryId' });
  });

  test('may be listed by a request that was under way already', () => {
    expect(listed(401, 2)).toEqual([]);
  });
});

test('everything that is wrong with a list is told', () => {
  const json = [...pets(2, 'sold'), ...pets(1, 'pending')];
  expect(causesIn(found({ limit: 2, status: 'sold' }, json))).toEqual([
    'LIST-3: too-many-items',
    'LIST-6: wrong-filter',
    'LIST-9: duplicate-id',
  ]);
  expect(passedIn(found({ limit: 2, status: 'sold' }, json))).not.toContain('LIST-9');
});
