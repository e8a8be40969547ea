import { describe, expect, test } from 'vitest';
import { causesIn, document, parsedResponse, serverModelAt, today } from '../../../test/support/build.ts';
import { createPet, getPet, listPets } from '../../check/requests.ts';
import type { Probe } from '../../finding/probe.ts';
import { bearer } from '../../http/credentials.ts';
import type { Json, JsonObject } from '../../json/json.ts';
import { judge } from '../oracle.ts';

const rex: JsonObject = { id: 7n, name: 'Rex', categoryId: 3n, status: 'sold' };
const { id: _id, ...request } = rex;

/** Creates a run with animals. Returns a function for the causes of a response `after` milliseconds. */
const runOf = (...created: readonly { readonly sent?: JsonObject; readonly json: JsonObject }[]) => {
  const serverModel = serverModelAt();
  created.forEach(({ sent = request, json }, index) => {
    const probe = createPet(sent);
    const response = parsedResponse(probe, { status: 201, json }, { durationMs: 0 });
    serverModel.update({ probe, response, sequence: index + 1, sequenceAtEnd: index + 1 });
  });
  return (probe: Probe, response: Parameters<typeof parsedResponse>[1], after = 0) => {
    const parsed = parsedResponse(probe, response, { startedAt: today + after });
    const operation = document.operations.find(({ id }) => id === probe.request.operation) ?? null;
    return causesIn(judge({ probe, response: parsed, operation, serverModel, sequence: 9 }));
  };
};

const later = 2_200;
const others = (count: number): JsonObject[] =>
  Array.from({ length: count }, (_, index) => ({ ...rex, id: BigInt(100 + index) }));

describe('in a list', () => {
  const causes = runOf({ json: rex });

  test('changed name or categoryId, or missing status -> breach', () => {
    expect(causes(listPets({}), { json: [rex] })).toEqual([]);
    expect(causes(listPets({}), { json: [{ ...rex, name: ' Rex' }] })).toEqual([]);
    for (const change of [{ name: 'Max' }, { categoryId: 4n }]) {
      const [member] = Object.keys(change);
      expect(causes(listPets({}), { json: [{ ...rex, ...change }] })).toEqual([
        `LIST-8: member-differs (${member})`,
      ]);
    }
    const { status: _status, ...without } = rex;
    expect(causes(listPets({}), { json: [without] })).toEqual(['LIST-8: member-differs (status)']);
  });

  test('value of another type -> breach of the schema only', () => {
    const findings = causes(listPets({}), { json: [{ ...rex, categoryId: '3' }] });
    expect(findings.filter((cause) => cause.startsWith('LIST-8'))).toEqual([]);
  });

  test('missing after 2 s from a page that is not full -> breach', () => {
    expect(causes(listPets({}), { json: [] }, 2_000)).toEqual([]);
    expect(causes(listPets({}), { json: [] }, later)).toEqual(['LIST-8: missing-from-list (short page)']);
    expect(causes(listPets({}), { json: others(20) }, later)).toEqual([]);
    expect(causes(listPets({}), { json: others(19) }, later)).toEqual([
      'LIST-8: missing-from-list (short page)',
    ]);
    expect(causes(listPets({ limit: 5 }), { json: others(5) }, later)).toEqual([]);
    expect(causes(listPets({ limit: 5 }), { json: others(4) }, later)).toEqual([
      'LIST-8: missing-from-list (short page)',
    ]);
  });

  test('another key -> nothing, because its store may be separate', () => {
    const credential = bearer('rate-limit');
    expect(causes(listPets({ credential }), { json: [] }, later)).toEqual([]);
    expect(causes(listPets({ credential }), { json: [{ ...rex, name: 'Max' }] })).toEqual([]);
    expect(causes(getPet('7', { credential }), { status: 404 }, later)).not.toContain('GET-1: not-served');
    expect(causes(createPet(request, { credential }), { status: 201, json: rex })).toEqual([]);
  });

  test('invalid query -> nothing', () => {
    const invalid = [
      listPets({ limit: 'x', inputSpace: 'undocumented' }),
      listPets({ status: { raw: 'x' }, inputSpace: 'undocumented' }),
    ];
    for (const probe of invalid) expect(causes(probe, { json: [] }, later)).toEqual([]);
  });
});

describe('in getPet', () => {
  const causes = runOf({ json: rex });

  test('changed name or missing status -> breach', () => {
    expect(causes(getPet('7'), { json: rex })).toEqual([]);
    expect(causes(getPet('7'), { json: { ...rex, name: 'Max' } })).toEqual(['GET-1: member-differs (name)']);
    const { status: _status, ...without } = rex;
    expect(causes(getPet('7'), { json: without })).toEqual(['GET-1: member-differs (status)']);
    expect(causes(getPet('8'), { json: { ...rex, id: 8n, status: 'pending' } })).toEqual([]);
  });

  test('404 after 2 s -> breach', () => {
    expect(causes(getPet('7'), { status: 404 }, 2_000)).toEqual([]);
    expect(causes(getPet('7'), { status: 404 }, later)).toEqual(['GET-1: not-served']);
    expect(causes(getPet('8'), { status: 404 }, later)).toEqual([]);
    expect(causes(getPet('007'), { status: 404 }, later)).toEqual([]);
  });
});

test('changed status -> no breach, observation of GET-7', () => {
  const serverModel = serverModelAt();
  const observed = (probe: Probe, json: Json, sequence: number) => {
    const response = parsedResponse(probe, { status: probe.request.method === 'POST' ? 201 : 200, json });
    const operation = document.operations.find(({ id }) => id === probe.request.operation) ?? null;
    const findings = judge({ probe, response, operation, serverModel, sequence });
    expect(causesIn(findings)).toEqual([]);
    serverModel.update({ probe, response, sequence, sequenceAtEnd: sequence });
    return findings.flatMap((finding) =>
      finding.kind === 'observation' && finding.requirement === 'GET-7' ? [finding.value] : [],
    );
  };
  const pending = { ...rex, status: 'pending' };
  expect(observed(createPet(request), rex, 1)).toEqual([]);
  expect(observed(getPet('7'), rex, 2)).toEqual([]);
  expect(observed(listPets({}), [pending], 3)).toEqual(['sold to pending']);
  expect(observed(getPet('7'), pending, 4)).toEqual([]);
  expect(observed(getPet('7'), rex, 3)).toEqual([]);
  expect(observed(getPet('7'), rex, 5)).toEqual(['pending to sold']);
  expect(serverModel.hasChanges).toBe(true);
});

test('statusesReturn: earlier status in the same operation, not in a list by status -> true', () => {
  const serverModel = serverModelAt();
  const pending = { ...rex, status: 'pending' };
  let sequence = 0;
  const returns = (probe: Probe, json: Json) => {
    sequence += 1;
    const status = probe.request.method === 'POST' ? 201 : 200;
    serverModel.update({
      probe,
      response: parsedResponse(probe, { status, json }),
      sequence,
      sequenceAtEnd: sequence,
    });
    return serverModel.statusesReturn;
  };
  expect(returns(createPet(request), rex)).toBe(false);
  for (const _ of [1, 2]) {
    expect(returns(getPet('7'), rex)).toBe(false);
    expect(returns(listPets({}), [pending])).toBe(false);
    expect(returns(listPets({ status: 'sold' }), [rex])).toBe(false);
  }
  expect(returns(listPets({}), [rex])).toBe(false);
  expect(returns(listPets({}), [pending])).toBe(true);
});
