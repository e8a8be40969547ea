import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  breachesIn,
  causesIn,
  errorOf,
  findingsOf,
  parsedResponse,
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
const listFindings = (options: Parameters<typeof listPets>[0], json: readonly JsonObject[], storeSize = 0) =>
  findingsOf(listPets(options), { json }, { ...serverModelAt(), storeSize });
const verdictsOn = (requirement: string, findings: ReturnType<typeof listFindings>) =>
  findings.filter((finding) => finding.requirement === requirement).map(({ kind }) => kind);

describe('LIST-3', () => {
  test('more animals than the limit -> breach', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 0, max: 102 }), (limit, count) => {
        const causes = causesIn(listFindings({ limit }, pets(count)));
        expect(causes).toEqual(count > limit ? ['LIST-3: too-many-items'] : []);
      }),
    );
  });

  test('short page -> passed if the store has more animals, otherwise inconclusive', () => {
    expect(verdictsOn('LIST-3', listFindings({ limit: 5 }, pets(5)))).toEqual(['passed']);
    expect(verdictsOn('LIST-3', listFindings({ limit: 5 }, pets(4), 6))).toEqual(['passed']);
    expect(verdictsOn('LIST-3', listFindings({ limit: 5 }, pets(4), 5))).toEqual(['inconclusive']);
    expect(verdictsOn('LIST-3', listFindings({ limit: 5, status: 'sold' }, pets(4, 'sold'), 6))).toEqual([
      'inconclusive',
    ]);
  });
});

test('LIST-2: no limit, more than 20 animals -> breach', () => {
  expect(causesIn(listFindings({}, pets(20), 30))).toEqual([]);
  expect(verdictsOn('LIST-2', listFindings({}, pets(20), 30))).toEqual(['passed']);
  expect(causesIn(listFindings({}, pets(21)))).toEqual(['LIST-2: too-many-items']);
  expect(verdictsOn('LIST-2', listFindings({}, pets(12), 12))).toEqual(['inconclusive']);
});

test('LIST-5: invalid limit, more than 100 animals -> breach', () => {
  const probe = { limit: 'abc', inputSpace: 'undocumented' as const };
  expect(verdictsOn('LIST-5', listFindings(probe, pets(100)))).toEqual(['passed']);
  expect(causesIn(listFindings(probe, pets(101)))).toEqual(['LIST-5: too-many-items']);
});

test('LIST-5, LIST-7: Error with 200 -> breach', () => {
  const limit = listPets({ limit: 'abc', inputSpace: 'undocumented' });
  const status = listPets({ status: { raw: 'lost' }, inputSpace: 'undocumented' });
  for (const json of [errorOf(400), errorOf(200)]) {
    expect(causesIn(findingsOf(limit, { json }))).toContain('LIST-5: error-with-200');
    expect(causesIn(findingsOf(status, { json }))).toContain('LIST-7: error-with-200');
  }
  // Other wrong bodies are tested by GEN-2 and GEN-3.
  for (const response of [{ json: { items: [] } }, { json: null }, { body: '' }]) {
    const requirements = [limit, status].flatMap((probe) => causesIn(findingsOf(probe, response)));
    expect(requirements.filter((cause) => /^LIST-[57]/.test(cause))).toEqual([]);
    expect(requirements.length).toBeGreaterThan(0);
  }
});

describe('LIST-6', () => {
  test('animal with another status, with or without limit -> breach', () => {
    for (const limit of [{}, { limit: 50 }]) {
      expect(verdictsOn('LIST-6', listFindings({ status: 'sold', ...limit }, pets(3, 'sold')))).toEqual([
        'passed',
      ]);
      expect(
        causesIn(
          listFindings({ status: 'sold', ...limit }, [
            ...pets(3, 'sold'),
            { ...pets(1, 'pending')[0], id: 9n },
          ]),
        ),
      ).toEqual(['LIST-6: wrong-filter']);
      expect(causesIn(listFindings({ status: 'sold', ...limit }, pets(1)))).toEqual(['LIST-6: wrong-filter']);
    }
  });

  test('empty list -> nothing', () => {
    expect(verdictsOn('LIST-6', listFindings({ status: 'sold' }, []))).toEqual([]);
  });
});

describe('LIST-9', () => {
  const ids = fc.uniqueArray(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), {
    minLength: 2,
    maxLength: 20,
  });
  const withIds = (given: readonly bigint[]) => given.map((id) => ({ id, name: 'Rex', categoryId: 1n }));

  test('different ids, also close ones -> passed', () => {
    fc.assert(
      fc.property(ids, (given) => {
        expect(verdictsOn('LIST-9', listFindings({ limit: 100 }, withIds(given)))).toEqual(['passed']);
      }),
    );
    expect(verdictsOn('LIST-9', listFindings({}, withIds([2n ** 53n, 2n ** 53n + 1n])))).toEqual(['passed']);
  });

  test('several duplicate ids -> the first one with its positions, and the others', () => {
    expect(problemsIn(listFindings({ limit: 100 }, withIds([5n, 4n, 4n, 3n, 2n, 3n, 2n])))[0]).toMatchObject({
      id: 4n,
      items: [2, 3],
      count: 7,
      others: [3n, 2n],
    });
  });

  test('duplicate id at any position -> breach', () => {
    fc.assert(
      fc.property(ids, fc.nat(), fc.nat(), (given, from, to) => {
        const duplicate = given[from % given.length] ?? 0n;
        const doubled = given.toSpliced(to % (given.length + 1), 0, duplicate);
        expect(causesIn(listFindings({ limit: 100 }, withIds(doubled)))).toEqual(['LIST-9: duplicate-id']);
      }),
    );
  });

  test('one animal -> nothing', () => {
    expect(verdictsOn('LIST-9', listFindings({}, pets(1)))).toEqual([]);
  });
});

describe('rejected creation', () => {
  const breaches = (status: 400 | 401, listSequence: number) => {
    const serverModel = serverModelAt();
    const probe = createPet(
      { name: 'Rejected', categoryId: 1n },
      { inputSpace: 'unspecified', label: 'no key' },
    );
    serverModel.update({ probe, response: parsedResponse(probe, { status }), sequence: 1, sequenceAtEnd: 2 });
    const json = [{ id: 1n, name: 'Rejected', categoryId: 1n }];
    return breachesIn(findingsOf(listPets({}), { json }, serverModel, listSequence));
  };
  const listed = (status: 400 | 401, listSequence: number) => causesIn(breaches(status, listSequence));

  test('listed -> the breach is about the rejected request', () => {
    expect(breaches(401, 3)[0]).toMatchObject({
      problem: { rule: 'stored-after-refusal', status: 401 },
      about: { kind: 'probe', probe: { label: 'no key' } },
      beside: [],
    });
  });

  test('listed after 401 -> AUTH-5, after 400 -> CREATE-8', () => {
    expect(listed(401, 3)).toEqual(['AUTH-5: stored-after-refusal']);
    expect(listed(400, 3)).toEqual(['CREATE-8: stored-after-refusal']);
  });

  test('listed -> identified by name or private category', () => {
    const problemFor = (sent: JsonObject) => {
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
    expect(problemFor({ name: 'Rejected', categoryId: 1n })).toMatchObject({ knownBy: 'name' });
    expect(problemFor({ categoryId: 2n ** 61n })).toMatchObject({ knownBy: 'categoryId' });
  });

  test('listed by a request that was sent before -> no breach', () => {
    expect(listed(401, 2)).toEqual([]);
  });
});
