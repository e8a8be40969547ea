import { describe, expect, test } from 'vitest';
import { causesIn, findingsOf, parsedResponse, serverModelAt } from '../../../test/support/build.ts';
import { createPet, getPet, listPets } from '../../check/requests.ts';
import type { JsonObject } from '../../json/json.ts';

const sound = { id: 7n, name: 'Rex', categoryId: 1n, status: 'sold' };
const sent = { name: 'Rita', categoryId: null };
const malformed = { id: 8n, name: 'Rita', categoryId: null, status: 'available' };
const invalid = createPet(sent, { inputSpace: 'undocumented' });

/** A run that sent an invalid body, and was answered with an animal. */
const afterwards = (json: JsonObject = malformed, status = 201) => {
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

describe('an invalid body that was taken', () => {
  test('is no breach of the shape of the 201, whatever became of its values', () => {
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

  test('is none of the list and of getPet, which show what they hold', () => {
    const serverModel = afterwards();
    expect(causesIn(findingsOf(listPets({}), { json: [sound, malformed] }, serverModel))).toEqual([]);
    expect(causesIn(findingsOf(getPet('8'), { json: malformed }, serverModel))).toEqual([]);
  });

  test('is none of a list that comes back before the 201', () => {
    const serverModel = serverModelAt();
    serverModel.sending(invalid);
    expect(causesIn(findingsOf(listPets({}), { json: [sound, malformed] }, serverModel))).toEqual([]);
  });

  test('does not excuse the id, which the server chose', () => {
    expect(causesIn(findingsOf(invalid, { status: 201, json: { ...malformed, id: 'eight' } }))).toEqual(
      expect.arrayContaining(['GEN-3: schema (type /id)', 'CREATE-1: schema (type /id)']),
    );
    const list = findingsOf(
      listPets({}),
      { json: [{ ...malformed, id: 'eight' }] },
      afterwards({ ...malformed, id: 'eight' }),
    );
    expect(causesIn(list)).toEqual(['GEN-3: schema (type /*/id)', 'LIST-1: schema (type /*/id)']);
  });

  test('does not excuse other animals', () => {
    const list = findingsOf(
      listPets({}),
      { json: [malformed, { ...sound, categoryId: null }] },
      afterwards(),
    );
    expect(causesIn(list)).toEqual([
      'GEN-3: schema (type /*/categoryId)',
      'LIST-1: schema (type /*/categoryId)',
    ]);
  });

  test('excuses nothing once it was refused', () => {
    const serverModel = afterwards({ code: 'c', message: 'm', status: 400n }, 400);
    expect(causesIn(findingsOf(listPets({}), { json: [malformed] }, serverModel))).toContain(
      'GEN-3: schema (type /*/categoryId)',
    );
  });

  test('is like a category that is no int64 any more once it was rounded, which CREATE-9 tells', () => {
    const large = createPet({ name: 'Rita', categoryId: 2n ** 63n - 1n });
    const rounded = { id: 8n, name: 'Rita', categoryId: 9223372036854776000n };
    const answer = { status: 201, json: rounded };
    expect(causesIn(findingsOf(large, answer))).toEqual(['CREATE-9: member-differs (categoryId)']);
    const serverModel = serverModelAt();
    const over = serverModel.sending(large);
    expect(causesIn(findingsOf(listPets({}), { json: [rounded] }, serverModel))).toEqual([]);
    serverModel.update({
      probe: large,
      response: parsedResponse(large, answer),
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

  test('does not excuse the answer to a valid one', () => {
    const valid = createPet({ name: 'Rita', categoryId: 1n });
    expect(causesIn(findingsOf(valid, { status: 201, json: malformed }))).toContain(
      'CREATE-1: schema (type /categoryId)',
    );
  });
});
