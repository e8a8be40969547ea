import { describe, expect, test } from 'vitest';
import { causesIn, findingsOf, parsedResponse, serverModelAt } from '../../../test/support/build.ts';
import { createPet, getPet, listPets } from '../../check/requests.ts';
import type { JsonObject } from '../../json/json.ts';

const valid = { id: 7n, name: 'Rex', categoryId: 1n, status: 'sold' };
const sent = { name: 'Rita', categoryId: null };
const malformed = { id: 8n, name: 'Rita', categoryId: null, status: 'available' };
const invalid = createPet(sent, { inputSpace: 'undocumented' });

/** Returns the model after an invalid body got this response. */
const modelAfter = (json: JsonObject = malformed, status = 201) => {
  const serverModel = serverModelAt();
  const over = serverModel.sending(invalid);
  serverModel.update({
    probe: invalid,
    response: parsedResponse(invalid, { status, json }),
    sequence: 1,
    sequenceAtEnd: 1,
  });
  over();
  return serverModel;
};

describe('accepted invalid body', () => {
  test('201 with invalid values -> no breach of its shape', () => {
    for (const categoryId of [null, 'x', undefined])
      expect(
        causesIn(
          findingsOf(invalid, {
            status: 201,
            json: { id: 8n, name: 'Rita', ...(categoryId === undefined ? {} : { categoryId }) },
          }),
        ),
      ).toEqual([]);
  });

  test('invalid id, which the server chose -> breach', () => {
    expect(causesIn(findingsOf(invalid, { status: 201, json: { ...malformed, id: 'eight' } }))).toEqual(
      expect.arrayContaining(['GEN-3: schema (type /id)', 'CREATE-1: schema (type /id)']),
    );
    const list = findingsOf(
      listPets({}),
      { json: [{ ...malformed, id: 'eight' }] },
      modelAfter({ ...malformed, id: 'eight' }),
    );
    expect(causesIn(list)).toEqual(['GEN-3: schema (type /*/id)', 'LIST-1: schema (type /*/id)']);
  });

  test('another invalid animal -> breach', () => {
    const list = findingsOf(
      listPets({}),
      { json: [malformed, { ...valid, categoryId: null }] },
      modelAfter(),
    );
    expect(causesIn(list)).toEqual([
      'GEN-3: schema (type /*/categoryId)',
      'LIST-1: schema (type /*/categoryId)',
    ]);
  });

  test('invalid body rejected, but the animal is shown -> breach', () => {
    const serverModel = modelAfter({ code: 'c', message: 'm', status: 400n }, 400);
    expect(causesIn(findingsOf(listPets({}), { json: [malformed] }, serverModel))).toContain(
      'GEN-3: schema (type /*/categoryId)',
    );
  });

  test('category rounded beyond int64 -> breach of CREATE-9 only', () => {
    const large = createPet({ name: 'Rita', categoryId: 2n ** 63n - 1n });
    const rounded = { id: 8n, name: 'Rita', categoryId: 9223372036854776000n };
    const response = { status: 201, json: rounded };
    expect(causesIn(findingsOf(large, response))).toEqual(['CREATE-9: member-differs (categoryId)']);
    const serverModel = serverModelAt();
    const over = serverModel.sending(large);
    expect(causesIn(findingsOf(listPets({}), { json: [rounded] }, serverModel))).toEqual([]);
    serverModel.update({
      probe: large,
      response: parsedResponse(large, response),
      sequence: 1,
      sequenceAtEnd: 1,
    });
    over();
    expect(causesIn(findingsOf(listPets({}), { json: [rounded] }, serverModel))).toEqual([]);
    expect(causesIn(findingsOf(getPet('8'), { json: rounded }, serverModel))).toEqual([]);
    expect(
      causesIn(findingsOf(getPet('9'), { json: { ...rounded, id: 9n, name: 'Tom' } }, serverModel)),
    ).toContain('GEN-3: schema (format /categoryId)');
  });

  test('201 to a valid body with invalid values -> breach', () => {
    const valid = createPet({ name: 'Rita', categoryId: 1n });
    expect(causesIn(findingsOf(valid, { status: 201, json: malformed }))).toContain(
      'CREATE-1: schema (type /categoryId)',
    );
  });
});
