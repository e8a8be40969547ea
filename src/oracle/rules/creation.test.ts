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
const causes = (request: JsonObject, changes: JsonObject) =>
  causesIn(findingsOf(createPet(request), created(changes)));
const without = (pet: JsonObject, member: string) =>
  Object.fromEntries(Object.entries(pet).filter(([name]) => name !== member));

describe('CREATE-2', () => {
  test('all members returned, with extra ones -> passed', () => {
    const findings = findingsOf(createPet(sent), created({ createdAt: 'today' }));
    expect(causesIn(findings)).toEqual([]);
    expect(passedIn(findings)).toEqual(expect.arrayContaining(['CREATE-2', 'CREATE-3']));
  });

  test.each([
    ['Bella', true],
    ['rEX', false],
    ['Re', false],
    ['Max', false],
  ])('name %s returned -> of another creation: %s', (name, isOther) => {
    const serverModel = serverModelAt();
    for (const other of ['Bella', 'rEX', 'Re', 'Rex'])
      serverModel.sending(createPet({ ...sent, name: other }));
    const [problem] = problemsIn(findingsOf(createPet(sent), created({ name }), serverModel));
    expect(problem).toMatchObject({ isOther });
  });

  test('invalid body -> returned values are not compared', () => {
    const probe = createPet({ ...sent, status: 'SOLD' }, { inputSpace: 'undocumented' });
    expect(causesIn(findingsOf(probe, created()))).toEqual([]);
  });

  test('several members differ -> each of them is a breach', () => {
    const problems = problemsIn(
      findingsOf(createPet(sent), created({ name: 'REX', categoryId: 2n, status: 'pending' })),
    );
    expect(problems).toMatchObject([
      { in: 'creation', member: 'name', sent: 'Rex', got: 'REX' },
      { in: 'creation', member: 'categoryId', sent: 1n, got: 2n },
      { in: 'creation', member: 'status', sent: 'sold', got: 'pending' },
    ]);
  });

  test('status not returned -> breach', () => {
    const findings = findingsOf(createPet(sent), { status: 201, json: without(created().json, 'status') });
    expect(causesIn(findings)).toEqual(['CREATE-2: member-differs (status)']);
    expect(problemsIn(findings)[0]).toMatchObject({ sent: 'sold', got: undefined });
  });

  test('name trimmed and in another normal form -> no breach', () => {
    expect(causes({ ...sent, name: ' Ame\u0301lie ' }, { name: 'Am\u00e9lie' })).toEqual([]);
    expect(causes({ ...sent, name: 'Two  spaces' }, { name: 'Two spaces' })).toEqual([
      'CREATE-2: member-differs (name)',
    ]);
  });

  test('name with a lone surrogate -> not compared', () => {
    expect(causes({ ...sent, name: '\ud800' }, { name: '\ufffd' })).toEqual([]);
  });

  test('body without a specified meaning -> no breach', () => {
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

  test('categoryId returned exactly -> passed beyond doubles', () => {
    fc.assert(
      fc.property(around, (categoryId) => {
        const findings = findingsOf(createPet({ ...sent, categoryId }), created({ categoryId }));
        const beyond = categoryId > 2n ** 53n || categoryId < -(2n ** 53n);
        expect(causesIn(findings)).toEqual([]);
        expect(passedIn(findings).includes('CREATE-9')).toBe(beyond);
      }),
    );
  });

  test('categoryId off by one -> breach of CREATE-9 beyond doubles, otherwise of CREATE-2', () => {
    fc.assert(
      fc.property(around, fc.constantFrom(1n, -1n), (categoryId, step) => {
        const returned = categoryId + step;
        fc.pre(BigInt.asIntN(64, returned) === returned);
        const beyond = categoryId > 2n ** 53n || categoryId < -(2n ** 53n);
        const requirement = beyond ? 'CREATE-9' : 'CREATE-2';
        expect(causes({ ...sent, categoryId }, { categoryId: returned })).toEqual([
          `${requirement}: member-differs (categoryId)`,
        ]);
      }),
    );
  });
});

describe('CREATE-4', () => {
  const request = without(sent, 'status');
  const findingsWith = (status: Json | undefined) => {
    const pet = without(created().json, 'status');
    return findingsOf(createPet(request), {
      status: 201,
      json: status === undefined ? pet : { ...pet, status },
    });
  };

  test.each([[undefined], ['available'], ['pending'], ['sold']])(
    'omitted status returned as %s -> passed',
    (status) => {
      expect(causesIn(findingsWith(status))).toEqual([]);
      expect(passedIn(findingsWith(status))).toContain('CREATE-4');
      expect(findingsWith(status)).toContainEqual({
        kind: 'observation',
        requirement: 'CREATE-4',
        subject: 'status when omitted',
        value: status ?? 'absent',
      });
    },
  );

  test.each<[Json]>([['unknown'], [''], [null], [0n], ['Available']])(
    'omitted status returned as %s -> breach',
    (status) => {
      expect(causesIn(findingsWith(status))).toContain('CREATE-4: status-when-omitted');
    },
  );
});

describe('CREATE-3', () => {
  const probe = createPet(sent);
  const respond = (
    serverModel: ReturnType<typeof serverModelAt>,
    id: bigint,
    sequence: number,
    sequenceAtEnd: number,
  ) => {
    const response = created({ id });
    const findings = findingsOf(probe, response, serverModel, sequence);
    serverModel.update({ probe, response: parsedResponse(probe, response), sequence, sequenceAtEnd });
    return causesIn(findings);
  };

  test('id of another creation, overlapping or not -> breach', () => {
    const serverModel = serverModelAt();
    expect(respond(serverModel, 7n, 1, 2)).toEqual([]);
    expect(respond(serverModel, 8n, 2, 2)).toEqual([]);
    expect(respond(serverModel, 7n, 2, 2)).toEqual(['CREATE-3: id-reused']);
  });

  test.each([
    [0, 'earlier creation'],
    [50, 'concurrent creation'],
  ])('id of another creation, %i ms of overlap -> by %s', (together, by) => {
    const serverModel = serverModelAt();
    const response = created({ id: 7n });
    const first = parsedResponse(probe, response);
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

  test('id shown before the request was sent -> breach', () => {
    const serverModel = serverModelAt();
    const seen = parsedResponse(getPet('7'), { json: { id: 7n, name: 'Old', categoryId: 1n } });
    serverModel.update({ probe: getPet('7'), response: seen, sequence: 1, sequenceAtEnd: 1 });
    expect(respond(serverModel, 7n, 2, 2)).toEqual(['CREATE-3: id-reused']);
  });

  test('id shown to or given to another key -> no breach, because its store may be separate', () => {
    const serverModel = serverModelAt();
    const shown = listPets({ credential: bearer('rate-limit') });
    const list = parsedResponse(shown, { json: [{ id: 7n, name: 'Old', categoryId: 1n }] });
    serverModel.update({ probe: shown, response: list, sequence: 1, sequenceAtEnd: 1 });
    expect(respond(serverModel, 7n, 2, 2)).toEqual([]);
    const given = findingsOf(
      createPet(sent, { credential: bearer('rate-limit') }),
      created(),
      serverModel,
      3,
    );
    expect([causesIn(given), passedIn(given).includes('CREATE-3')]).toEqual([[], false]);
  });

  test('id shown during the creation -> no breach', () => {
    const serverModel = serverModelAt();
    const seen = parsedResponse(getPet('7'), { json: { id: 7n, name: 'Rex', categoryId: 1n } });
    serverModel.update({ probe: getPet('7'), response: seen, sequence: 2, sequenceAtEnd: 2 });
    expect(respond(serverModel, 7n, 1, 2)).toEqual([]);
  });

  test.each<[Json]>([['7'], [7.5], [null], [2n ** 63n]])('id %s -> not an int64', (id) => {
    expect(causes(sent, { id })).toContain('CREATE-3: id-not-int64');
  });
});
