// The time and memory that documents of generated sizes need before the first request: node bench/large-documents.ts [OPERATIONS ...]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from './child.ts';

/** Shared schemas: one for ten operations, each with members of the next ones, 40 levels deep. */
const schemasFor = (count: number): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `Thing${index}`,
      {
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: { type: 'string', format: 'uuid', readOnly: true },
          name: { type: 'string', minLength: 1, maxLength: 100 },
          amount: { type: 'integer', minimum: 0, maximum: 1_000_000 },
          currency: { enum: ['eur', 'usd', 'gbp', 'jpy'] },
          created: { type: 'string', format: 'date-time' },
          metadata: { type: 'object', additionalProperties: { type: 'string', maxLength: 500 } },
          ...wide(index),
          ...(index % 40 === 39 || index + 1 >= count
            ? {}
            : { nested: { $ref: `#/components/schemas/Thing${index + 1}` } }),
          ...(index + 7 < count
            ? {
                related: {
                  anyOf: [
                    { $ref: `#/components/schemas/Thing${index + 7}` },
                    { type: 'string', maxLength: 5_000 },
                    { type: 'null' },
                  ],
                },
                list: { type: 'array', items: { $ref: `#/components/schemas/Thing${index + 3}` } },
              }
            : {}),
        },
      },
    ]),
  );

/** Every twentieth schema has a hundred members more. */
const wide = (index: number): Readonly<Record<string, unknown>> =>
  index % 20 > 0
    ? {}
    : Object.fromEntries(
        Array.from({ length: 100 }, (_, member) => [
          `member${member}`,
          member % 3 === 0 ? { type: 'boolean' } : { type: 'string', maxLength: 10 + member },
        ]),
      );

const documentOf = (operations: number): unknown => {
  const schemas = schemasFor(Math.ceil(operations / 10) + 10);
  const resources = Math.ceil(operations / 4);
  const schemaOf = (index: number) => ({
    $ref: `#/components/schemas/Thing${index % Object.keys(schemas).length}`,
  });
  const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } };
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } };
  const failure = { description: 'An error.', ...json({ type: 'object', required: ['message'] }) };
  const paths = Array.from({ length: resources }, (_, index) => {
    const thing = schemaOf(index);
    const list = { type: 'array', items: thing };
    const done = (status: number, schema: unknown) => ({
      [status]: { description: 'Done.', ...json(schema) },
      default: failure,
    });
    return [
      [
        `/things${index}`,
        {
          get: { parameters: [limit], responses: done(200, list) },
          post: { requestBody: { required: true, ...json(thing) }, responses: done(201, thing) },
        },
      ],
      [
        `/things${index}/{id}`,
        {
          parameters: [id],
          get: { responses: done(200, thing) },
          put: { requestBody: { required: true, ...json(thing) }, responses: done(200, thing) },
        },
      ],
    ];
  }).flat();
  return {
    openapi: '3.1.0',
    info: { title: `${operations} operations`, version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas },
  };
};

const sizes = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'bench-'));
for (const operations of sizes.length > 0 ? sizes : [100, 500, 1_000]) {
  const file = join(folder, `${operations}.json`);
  writeFileSync(file, JSON.stringify(documentOf(operations)));
  const child = start('load-document.ts', [file]);
  const { loaded, prepared, resident } = (await child.next()) as Record<string, number>;
  await child.end();
  const seconds = (milliseconds = 0) => `${(milliseconds / 1_000).toFixed(1)} s of CPU`;
  console.log(
    `${operations} operations: read in ${seconds(loaded)}, ready in ${seconds(prepared)}, ${((resident ?? 0) / 1e6).toFixed(0)} MB`,
  );
}
rmSync(folder, { recursive: true });
