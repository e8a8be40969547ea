import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../json/json.ts';
import { noEffort } from '../json-schema/generate/valid.ts';
import type { JsonSchema } from '../json-schema/schema.ts';
import { bodyViolations, validBody } from './body-values.ts';
import type { RequestBody } from './document.ts';
import { type BodyForm, formOf, writableSchema, writeBody } from './request-body.ts';

const schema: JsonSchema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 2n, maxLength: 8n },
    age: { type: ['integer', 'null'], minimum: 0n },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 3n },
    size: { type: 'object', required: ['x'], properties: { x: { type: 'integer' } } },
  },
};

const bodyOf = (mediaType: string, changes: Partial<RequestBody> = {}): RequestBody => ({
  required: true,
  mediaType,
  schema,
  encoding: {},
  ...changes,
});

const form = bodyOf('application/x-www-form-urlencoded');
const multipart = bodyOf('multipart/form-data');

test.each<[string, BodyForm | null]>([
  ['application/json', 'json'],
  ['application/problem+json; charset=utf-8', 'json'],
  ['application/x-www-form-urlencoded', 'form'],
  ['Multipart/Form-Data', 'multipart'],
  ['text/plain; charset=utf-8', 'text'],
  ['application/octet-stream', 'binary'],
  ['image/png', null],
  ['application/xml', null],
])('%s -> %s', (mediaType, expected) => {
  expect(formOf(mediaType)).toBe(expected);
});

describe('forms', () => {
  const value: Json = { name: 'a b&c', age: null, tags: ['a', 'b'], none: [], size: { x: 1n } };

  test('pairs: repeated for a list, JSON for an object, nothing for null', () => {
    expect(writeBody(form, value, {}).text).toBe('name=a%20b%26c&tags=a&tags=b&size=%7B%22x%22%3A1%7D');
  });

  test('encoding -> the style of a parameter', () => {
    const encoding = {
      tags: { contentType: null, style: 'pipeDelimited', explode: false },
      size: { contentType: null, style: 'deepObject', explode: null },
    };
    expect(writeBody({ ...form, encoding }, value, {}).text).toBe('name=a%20b%26c&tags=a%7Cb&size%5Bx%5D=1');
  });

  test('multipart: a file has a name and a media type', async () => {
    const body = bodyOf('multipart/form-data', {
      schema: {
        type: 'object',
        properties: { file: { type: 'string', format: 'binary' }, photo: { contentMediaType: 'image/png' } },
      },
      encoding: { photo: { contentType: 'image/png, image/gif', style: null, explode: null } },
    });
    const { text, mediaType } = writeBody(body, { file: 'abc', photo: 'x', title: 'T' }, {});
    const data = await new Response(text, { headers: { 'Content-Type': mediaType } }).formData();
    const [file, photo] = [data.get('file'), data.get('photo')];
    expect([
      file instanceof File && file.type,
      photo instanceof File && photo.type,
      data.get('title'),
    ]).toEqual(['application/octet-stream', 'image/png', 'T']);
  });

  test('multipart: a boundary in a value -> another boundary', () => {
    const { text, mediaType } = writeBody(multipart, { name: 'conformance-part-0' }, {});
    expect(mediaType).toBe('multipart/form-data; boundary=conformance-part-1');
    expect(text.startsWith('--conformance-part-1\r\n')).toBe(true);
  });

  test.each([form, multipart])(
    'what a server reads of valid values is what was meant: $mediaType',
    async (body) => {
      const kind = formOf(body.mediaType) ?? 'json';
      const { arbitrary, boundaries } = validBody(kind, writableSchema(kind, schema), {}, noEffort());
      for (const meant of [...boundaries, ...fc.sample(arbitrary, { seed: 3, numRuns: 60 })]) {
        const { text, mediaType } = writeBody(body, meant, {});
        const data = await new Response(text, { headers: { 'Content-Type': mediaType } }).formData();
        const { name, age, tags = [] } = Object(meant);
        expect([data.get('name'), data.get('age'), data.getAll('tags')]).toEqual([
          // A form has CRLF as line breaks.
          data.get('name') === name ? name : String(name).replace(/\r\n|\r|\n/g, '\r\n'),
          age === undefined ? null : String(age),
          tags,
        ]);
      }
    },
  );

  test('violations: none that could be read as valid', () => {
    const labels = bodyViolations(
      'form',
      writableSchema('form', schema),
      {},
      {
        effort: noEffort(),
        maxSteps: 10_000,
      },
    ).map(({ keyword, pointer }) => `${keyword} ${pointer}`);
    expect(labels).toEqual(
      expect.arrayContaining([
        'required ',
        'minLength /name',
        'maxLength /name',
        'minimum /age',
        'type /age',
      ]),
    );
    expect(labels).not.toContain('type /name');
    expect(labels).not.toContain('type ');
  });
});

test.each<[mediaType: string, value: Json, text: string]>([
  ['text/plain', 'a=b & c', 'a=b & c'],
  ['text/plain', 7n, '7'],
  ['application/octet-stream', 'bytes', 'bytes'],
  ['application/json', { a: 9007199254740993n }, '{"a":9007199254740993}'],
])('%s with %s -> as it is', (mediaType, value, text) => {
  expect(writeBody(bodyOf(mediaType), value, {})).toEqual({ text, mediaType });
});
