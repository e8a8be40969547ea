import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../src/json/json.ts';
import type { Patch } from '../../src/reference/patch.ts';
import { compose, replace } from '../../src/reference/patch-kit/core.ts';
import { editPets } from '../../src/reference/patch-kit/responses.ts';
import { documentWith, judge } from '../support/own-document.ts';

/** One more reason to refuse a NewPet. */
const refusing = (isWrong: (pet: JsonObject) => boolean): Patch =>
  replace('violations', (before) => (body) => [
    ...before(body),
    ...(isJsonObject(body) && isWrong(body) ? ['it breaks a further rule'] : []),
  ]);

const limits = (maximum: number, usual: number): Patch =>
  replace('readLimit', (before) => (values) => {
    const response = before(values.length === 0 ? [String(usual)] : values);
    return response.ok && response.value > maximum ? { ok: false, message: 'limit is too large' } : response;
  });

describe('another page size in the document', () => {
  const smaller = () =>
    documentWith([
      '            maximum: 100\n            default: 20',
      '            maximum: 50\n            default: 10',
    ]);

  test('a server with this maximum -> conformant, and a limit above it is invalid', async () => {
    const { exit, failures, sent } = await judge(await smaller(), limits(50, 10));
    expect(failures).toEqual([]);
    expect(exit).toBe(0);
    const limitsSent = sent.filter(({ path }) => path === '/pets').map(({ query }) => query.get('limit'));
    expect(limitsSent).toContain('50');
    expect(limitsSent).toContain('51');
    expect(sent.some(({ query, status }) => query.get('limit') === '51' && status === 400)).toBe(true);
  });

  test('a server with a larger default -> LIST-2 fails', async () => {
    const { failures } = await judge(await smaller(), limits(50, 20));
    expect(failures).toEqual([expect.stringContaining('LIST-2: ')]);
  });
});

describe('a required field added to NewPet', () => {
  const colored = () =>
    documentWith(
      ['      required: [name, categoryId]', '      required: [name, categoryId, color]'],
      [
        '        categoryId:\n',
        '        color: { type: string, enum: [brown, white] }\n        categoryId:\n',
      ],
    );
  const isColor = (value: Json | undefined) => value === 'brown' || value === 'white';
  const keepsColors = compose(
    refusing(({ color }) => !isColor(color)),
    replace('toNewPet', (before) => (body, call) => {
      const pet = before(body, call);
      return isJsonObject(body) && typeof body.color === 'string'
        ? { ...pet, extra: { ...pet.extra, color: body.color } }
        : pet;
    }),
    editPets({}, ({ color }) => ({ color: color ?? 'brown' })),
  );

  test('a server that requires it -> conformant, and creations without it are invalid', async () => {
    const { exit, failures, sent } = await judge(await colored(), keepsColors);
    expect(failures).toEqual([]);
    expect(exit).toBe(0);
    const created = sent.filter(({ method, status }) => method === 'POST' && status === 201);
    expect(created.length).toBeGreaterThan(20);
    const refused = sent.filter(({ method, status }) => method === 'POST' && status === 400);
    const { name, categoryId, color } = { name: 'string', categoryId: 'number', color: 'undefined' };
    expect(
      refused.some(
        ({ body }) =>
          isJsonObject(body) &&
          typeof body.name === name &&
          typeof body.categoryId === categoryId &&
          typeof body.color === color,
      ),
    ).toBe(true);
  });

  test('a server that does not require it -> CREATE-5 and CREATE-6 fail', async () => {
    const { failures } = await judge(
      await colored(),
      editPets({}, () => ({ color: 'brown' })),
    );
    expect(failures.map((text) => text.split(':')[0])).toEqual(
      expect.arrayContaining(['CREATE-5', 'CREATE-6']),
    );
  });
});

test('maxLength of names -> ordinary names are within it, and a longer one is invalid', async () => {
  const document = await documentWith([
    "          description: The animal's name.",
    "          description: The animal's name.\n          maxLength: 14",
  ]);
  const isLong = ({ name }: JsonObject) => typeof name === 'string' && [...name].length > 14;
  const keeping = await judge(document, refusing(isLong));
  expect(keeping.failures).toEqual([]);
  expect(keeping.sent.some(({ body, status }) => isJsonObject(body) && isLong(body) && status === 400)).toBe(
    true,
  );
  const lenient = await judge(document);
  expect(lenient.failures).toEqual(expect.arrayContaining([expect.stringContaining('CREATE-6: ')]));
});

test('a status removed from the document -> sent only as an invalid one', async () => {
  const document = await documentWith(['enum: [available, pending, sold]', 'enum: [available, pending]']);
  const { failures, sent } = await judge(
    document,
    refusing(({ status }) => status === 'sold'),
    replace(
      'readStatus',
      (before) => (values) =>
        values.includes('sold') ? { ok: false, message: 'no such status' } : before(values),
    ),
  );
  expect(failures).toEqual([]);
  const sold = sent.filter(
    ({ body, status }) => isJsonObject(body) && body.status === 'sold' && status === 201,
  );
  expect(sold).toEqual([]);
});
