import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  causesIn,
  findingsOf,
  parsedResponse,
  passedIn,
  problemsIn,
  serverModelAt,
} from '../../../test/support/build.ts';
import { createPet, createPetWithBody, getPet, listPets } from '../../check/requests.ts';
import { bearer } from '../../http/credentials.ts';
import type { Json, JsonObject } from '../../json/json.ts';
import { creation } from './creation.ts';

const sent = { name: 'Rex', categoryId: 1n, status: 'sold' };
const created = (members: JsonObject = {}) => ({ status: 201, json: { id: 7n, ...sent, ...members } });
const causes = (asked: JsonObject, back: JsonObject) => causesIn(findingsOf(createPet(asked), created(back)));
const without = (pet: JsonObject, member: string) =>
  Object.fromEntries(Object.entries(pet).filter(([name]) => name !== member));

describe('CREATE-2', () => {
  test('is met where every member comes back, whatever stands beside them', () => {
    const findings = findingsOf(createPet(sent), created({ createdAt: 'today' }));
    expect(causesIn(findings)).toEqual([]);
    expect(passedIn(findings)).toEqual(expect.arrayContaining(['CREATE-2', 'CREATE-3']));
  });

  test.each<[string, Json]>([
    ['name', 'rex'],
    ['categoryId', 2n],
    ['status', 'available'],
  ])('is breached by another %s', (member, value) => {
    expect(causes(sent, { [member]: value })).toEqual([`CREATE-2: member-differs (${member})`]);
  });

  test.each([
    ['Bella', true],
    ['rEX', false],
    ['Re', false],
    ['Max', false],
  ])('tells an answer that belongs to another creation: %s', (name, isOther) => {
    const serverModel = serverModelAt();
    for (const other of ['Bella', 'rEX', 'Re', 'Rex'])
      serverModel.sending(createPet({ ...sent, name: other }));
    const [problem] = problemsIn(findingsOf(createPet(sent), created({ name }), serverModel));
    expect(problem).toMatchObject({ isOther });
  });

  test('says nothing of what became of an invalid body', () => {
    const probe = createPet({ ...sent, status: 'SOLD' }, { inputSpace: 'undocumented' });
    expect(causesIn(findingsOf(probe, created()))).toEqual([]);
  });

  test('tells every member that differs', () => {
    const problems = problemsIn(
      findingsOf(createPet(sent), created({ name: 'REX', categoryId: 2n, status: 'pending' })),
    );
    expect(problems).toMatchObject([
      { in: 'creation', member: 'name', sent: 'Rex', got: 'REX' },
      { in: 'creation', member: 'categoryId', sent: 1n, got: 2n },
      { in: 'creation', member: 'status', sent: 'sold', got: 'pending' },
    ]);
  });

  test('is breached where a status that was sent does not come back', () => {
    const findings = findingsOf(createPet(sent), { status: 201, json: without(created().json, 'status') });
    expect(causesIn(findings)).toEqual(['CREATE-2: member-differs (status)']);
    expect(problemsIn(findings)[0]).toMatchObject({ sent: 'sold', got: undefined });
  });

  test('a name may come back trimmed and in another normal form', () => {
    expect(causes({ ...sent, name: ' Ame\u0301lie ' }, { name: 'Am\u00e9lie' })).toEqual([]);
    expect(causes({ ...sent, name: 'Two  spaces' }, { name: 'Two spaces' })).toEqual([
      'CREATE-2: member-differs (name)',
    ]);
  });

  test('a name that is no well-formed text cannot come back as it was', () => {
    expect(causes({ ...sent, name: '\ud800' }, { name: '\ufffd' })).toEqual([]);
  });

  test('nothing is held against an answer to a body that has no meaning', () => {
    expect(causesIn(findingsOf(createPetWithBody('{}', { inputSpace: 'unspecified' }), created()))).toEqual(
      [],
    );
  });
});

describe('CREATE-9', () => {
  const around = fc
    .tuple(
      fc.constantFrom(2n ** 53n, 2n ** 62n, 2n ** 63n - 4n, -(2n ** 53n), -(2n ** 63n) + 4n),
      fc.bigInt(-4n, 3n),
    )
    .map(([base, offset]) => base + offset);

  test('a categoryId comes back to the digit, beyond doubles too', () => {
    fc.assert(
      fc.property(around, (categoryId) => {
        const findings = findingsOf(createPet({ ...sent, categoryId }), created({ categoryId }));
        const beyond = categoryId > 2n ** 53n || categoryId < -(2n ** 53n);
        expect(causesIn(findings)).toEqual([]);
        expect(passedIn(findings).includes('CREATE-9')).toBe(beyond);
      }),
    );
  });

  test('a last digit that differs is a breach, of CREATE-9 where a double could not hold it', () => {
    fc.assert(
      fc.property(around, fc.constantFrom(1n, -1n), (categoryId, step) => {
        const back = categoryId + step;
        fc.pre(BigInt.asIntN(64, back) === back);
        const beyond = categoryId > 2n ** 53n || categoryId < -(2n ** 53n);
        const requirement = beyond ? 'CREATE-9' : 'CREATE-2';
        expect(causes({ ...sent, categoryId }, { categoryId: back })).toEqual([
          `${requirement}: member-differs (categoryId)`,
        ]);
      }),
    );
  });

  test('is breached where the number passed through a double', () => {
    const categoryId = 9007199254740993n;
    expect(causes({ ...sent, categoryId }, { categoryId: BigInt(Number(categoryId)) })).toEqual([
      'CREATE-9: member-differs (categoryId)',
    ]);
  });
});

describe('CREATE-4', () => {
  const asked = without(sent, 'status');
  const back = (status: Json | undefined) => {
    const pet = without(created().json, 'status');
    return findingsOf(createPet(asked), {
      status: 201,
      json: status === undefined ? pet : { ...pet, status },
    });
  };

  test.each([[undefined], ['available'], ['pending'], ['sold']])(
    'an omitted status may become %s',
    (status) => {
      expect(causesIn(back(status))).toEqual([]);
      expect(passedIn(back(status))).toContain('CREATE-4');
      expect(back(status)).toContainEqual({
        kind: 'observation',
        requirement: 'CREATE-4',
        subject: 'status when omitted',
        value: status ?? 'absent',
      });
    },
  );

  test.each<[Json]>([['unknown'], [''], [null], [0n], ['Available']])('but not %s', (status) => {
    expect(causesIn(back(status))).toContain('CREATE-4: status-when-omitted');
  });
});

describe('CREATE-3', () => {
  const probe = createPet(sent);
  const arrives = (
    serverModel: ReturnType<typeof serverModelAt>,
    id: bigint,
    sequence: number,
    sequenceAtEnd: number,
  ) => {
    const answer = created({ id });
    const findings = findingsOf(probe, answer, serverModel, sequence);
    serverModel.update({ probe, response: parsedResponse(probe, answer), sequence, sequenceAtEnd });
    return causesIn(findings);
  };

  test('an id that another creation was given is taken, however the two overlap', () => {
    const serverModel = serverModelAt();
    expect(arrives(serverModel, 7n, 1, 2)).toEqual([]);
    expect(arrives(serverModel, 8n, 2, 2)).toEqual([]);
    expect(arrives(serverModel, 7n, 2, 2)).toEqual(['CREATE-3: id-reused']);
  });

  test.each([
    [0, 'earlier creation'],
    [50, 'concurrent creation'],
  ])('and whether they did is told: %i ms together', (together, by) => {
    const serverModel = serverModelAt();
    const answer = created({ id: 7n });
    const first = parsedResponse(probe, answer);
    serverModel.update({ probe, response: first, sequence: 1, sequenceAtEnd: 1 });
    const { startedAt, durationMs } = first.exchange;
    const exchange = { ...first.exchange, startedAt: startedAt + durationMs - together };
    const findings = creation({
      probe,
      response: { ...first, exchange },
      operation: null,
      serverModel,
      sequence: 2,
    });
    expect(problemsIn(findings)).toEqual([{ rule: 'id-reused', by, id: 7n }]);
  });

  test('an id that was seen before the request was sent is taken', () => {
    const serverModel = serverModelAt();
    const seen = parsedResponse(getPet('7'), { json: { id: 7n, name: 'Old', categoryId: 1n } });
    serverModel.update({ probe: getPet('7'), response: seen, sequence: 1, sequenceAtEnd: 1 });
    expect(arrives(serverModel, 7n, 2, 2)).toEqual(['CREATE-3: id-reused']);
  });

  test('what another key is shown, or given, says nothing: it may have a store of its own', () => {
    const serverModel = serverModelAt();
    const shown = listPets({ credential: bearer('rate-limit') });
    const list = parsedResponse(shown, { json: [{ id: 7n, name: 'Old', categoryId: 1n }] });
    serverModel.update({ probe: shown, response: list, sequence: 1, sequenceAtEnd: 1 });
    expect(arrives(serverModel, 7n, 2, 2)).toEqual([]);
    const given = findingsOf(
      createPet(sent, { credential: bearer('rate-limit') }),
      created(),
      serverModel,
      3,
    );
    expect([causesIn(given), passedIn(given).includes('CREATE-3')]).toEqual([[], false]);
  });

  test('an id that was listed while the creation was under way is its own', () => {
    const serverModel = serverModelAt();
    const seen = parsedResponse(getPet('7'), { json: { id: 7n, name: 'Rex', categoryId: 1n } });
    serverModel.update({ probe: getPet('7'), response: seen, sequence: 2, sequenceAtEnd: 2 });
    expect(arrives(serverModel, 7n, 1, 2)).toEqual([]);
  });

  test('an id may be sparse, random, or beyond 2^53', () => {
    const ids = fc.uniqueArray(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { minLength: 1 });
    fc.assert(
      fc.property(ids, (given) => {
        const serverModel = serverModelAt();
        for (const [sequence, id] of given.entries())
          expect(arrives(serverModel, id, sequence, sequence)).toEqual([]);
      }),
    );
  });

  test.each<[Json]>([['7'], [7.5], [null], [2n ** 63n]])('an id of %s is none', (id) => {
    expect(causes(sent, { id })).toContain('CREATE-3: id-not-int64');
  });
});
