import { afterEach, describe, expect, test, vi } from 'vitest';
import { now, parsedResponse, type ResponseStub } from '../../test/support/build.ts';
import { listPets } from '../check/requests.ts';
import type { Json } from '../json/json.ts';
import { idOf, listedPets, petOf } from '../oracle/pet.ts';
import { serverTime } from './parsed-response.ts';

const parse = (response: ResponseStub) => parsedResponse(listPets({}), response);

describe('headers', () => {
  test('name in any case -> all values in order', () => {
    const response = parse({
      lines: [
        ['LINK', ' <a> '],
        ['link', '<b>'],
      ],
    });
    expect(response.header('link')).toEqual(['<a>', '<b>']);
    expect(response.header('absent')).toEqual([]);
  });

  test.each([
    ['application/json', 'application/json'],
    ['Application/JSON; charset=utf-8', 'application/json'],
    ['application/json;charset=UTF-8; profile="a;b"', 'application/json'],
    [' text/html ', 'text/html'],
  ])('Content-Type %j -> media type %j', (value, mediaType) => {
    expect(parse({ headers: { 'Content-Type': value } }).mediaType).toBe(mediaType);
  });

  test('no Content-Type -> no media type', () => {
    expect(parse({ headers: { 'Content-Type': null } }).mediaType).toBeNull();
  });
});

describe('body', () => {
  test('no bytes -> empty', () => {
    expect(parse({ body: '' }).body).toEqual({ kind: 'empty' });
  });

  test.each([
    ['malformed JSON', '{"a":'],
    ['invalid UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
    ['a byte order mark', '\ufeff[]'],
    ['only white space', '  '],
    ['HTML', '<html></html>'],
  ])('%s -> unreadable', (_, body) => {
    const response = parse({ body });
    expect(response.body.kind).toBe('unreadable');
    expect(response.json).toBeUndefined();
  });

  test.each<[string, string, Json | undefined]>([
    ['after an item', '[{"id":1},{"id":2},', [{ id: 1n }, { id: 2n }]],
    ['in a string of an item', '[{"id":1},{"name":"Re', [{ id: 1n }]],
    ['in a number that may go on', '[1,2', [1n]],
    ['in an escape', '["a","\\u00', ['a']],
    ['in a word', '[true,fal', [true]],
    ['in an object', '{"id":1', {}],
    ['in a character', '["a","\u00e9', ['a']],
    ['in white space', '   ', undefined],
  ])('cut %s -> the complete items', (_, body, part) => {
    const response = parse({
      body: Buffer.from(body).subarray(0, body.endsWith('\u00e9') ? -1 : undefined),
      cutAt: 9,
    });
    expect(response.body).toEqual({ kind: 'cut', at: 9, part });
    expect(response.json).toBeUndefined();
  });

  test.each(['<html><body>', '[{"id":1},}        ', '[1,2]  ,  and more'])(
    'cut after text that is not JSON: %s -> unreadable',
    (body) => {
      expect(parse({ body, cutAt: 9 }).body.kind).toBe('unreadable');
    },
  );

  test('long body -> only its beginning is kept for reports', () => {
    const { exchange } = parse({ body: `["${'x'.repeat(100_000)}"]` });
    expect(exchange.response).toMatchObject({ bodyBytes: 100_004 });
    expect(exchange.response.body.length).toBeLessThan(100_000);
  });
});

describe('animals', () => {
  test('listedPets: array -> its objects', () => {
    expect(listedPets(parse({ json: [{ id: 1n }, 'x', null, [1n]] }))).toEqual([{ id: 1n }]);
    expect(listedPets(parse({ json: { items: [] } }))).toBeNull();
    expect(listedPets(parse({ body: '' }))).toBeNull();
  });

  test('petOf: object -> the animal', () => {
    expect(petOf(parse({ json: { id: 1n } }))).toEqual({ id: 1n });
    for (const json of [[], 'x', null, 1n]) expect(petOf(parse({ json }))).toBeNull();
  });

  test.each([['1'], [1.5], [null], [undefined], [2n ** 63n], [-(2n ** 63n) - 1n]])(
    'idOf: id %s -> null',
    (id) => {
      expect(idOf(id === undefined ? {} : { id })).toBeNull();
    },
  );

  test.each([
    ['1.0', 1n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['9007199254740993', 9007199254740993n],
  ])('idOf: id %s -> exact', (text, id) => {
    expect(listedPets(parse({ body: `[{"id":${text}}]` }))?.map(idOf)).toEqual([id]);
  });
});

describe('serverTime', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test.each([
    ['Sun, 01 Mar 2026 12:00:00 GMT'],
    ['Sunday, 01-Mar-26 12:00:00 GMT'],
    ['Sun Mar  1 12:00:00 2026'],
  ])('Date %j -> the same time in any time zone', (date) => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    expect(new Date(0).getTimezoneOffset()).toBe(-540);
    expect(serverTime(parse({ headers: { Date: date } }))).toBe(now * 1000);
  });

  test.each([[null], ['soon'], ['1772366400'], ['5'], ['2026-03-01']])('Date %j -> null', (date) => {
    expect(serverTime(parse({ headers: { Date: date } }))).toBeNull();
  });
});
